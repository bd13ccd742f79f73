#include "cmd/options/bind.hpp"
#include "cmd/options/place_values.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto rendezvous_helps = std::to_array<std::string_view>({
    "nothing, the default",
    "MASTER_ADDR, MASTER_PORT, RANK, WORLD_SIZE, LOCAL_RANK and the like",
    "these, and what else torchrun sets",
});

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--bind-to --bind",
     .key = "bind",
     .metavar = "WHAT",
     .value =
         value_of<read_bind, write_bind, &Settings::policies, &Policies::place, &PlaceChoice::bind>(
             Kind::choice, bind_words),
     .help = "bind each rank to a core, l3, numa, socket...; none; core:2 for two",
     .manual =
         "To which CPUs of its host each rank is bound: `none`; `hwthread:N`, `core:N`, `l1:N`, "
         "`l2:N`, `l3:N`, `numa:N` or `socket:N`, so many of them, or one without `:N`; "
         "`cpuset` for all that the host lets the job use; or `user:LIST`, as in "
         "`user:0-3,4+6`, the CPUs of one rank after the other. More ranks than cores, or "
         "than N cores each, are refused, unless `:overload` follows. `auto`, the "
         "default, binds each rank to a core where a host has several of them, and a core "
         "for each. See `launch help placement`."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--rank-by",
     .key = "rank-by",
     .metavar = "WHAT",
     .value =
         value_of<read_rank_by, write_rank_by, &Settings::rank_by>(Kind::choice, rank_by_words),
     .help = "number the ranks of a host over its sockets, numa, l3... in turn",
     .manual = "Numbers the ranks of a host over parts of it in turn: each `socket`, `numa`, `l3`, "
               "`core` and the like. `-map-by` and `--bind` say which places they take. `slot`, "
               "the default, numbers them in the order in which they are placed."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--report-bindings",
     .key = "report-bindings",
     .metavar = "",
     .value = flag<&Settings::policies, &Policies::place, &PlaceChoice::report>(),
     .help = "draw the CPUs to which each rank is bound, as [B/B/./.]",
     .manual = "Tells, on standard error, to which CPUs each rank is bound, and draws it: a socket "
               "in brackets, cores between slashes, for each hardware thread a B (bound), a dot "
               "(not) or a - (not for this job). `--dry-run` shows it for this machine."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--gpus-per-proc --gpus-per-rank",
     .key = "gpus-per-rank",
     .metavar = "N",
     .value =
         value_of<read_gpus, write_gpus, &Settings::policies, &Policies::place, &PlaceChoice::gpus>(
             Kind::text, gpu_words),
     .help = "give each rank N of its host's GPUs, the nearest; auto: its share",
     .manual = "Gives each rank so many GPUs of its host, those nearest to the CPUs to which it is "
               "bound, by CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES or ZE_AFFINITY_MASK. `auto` "
               "deals all of them evenly; of more ranks than GPUs several share one. With a number "
               "no rank starts where a host has too few. By default, and with `none`, nothing is "
               "said of them."},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "--rendezvous",
     .key = "rendezvous",
     .metavar = "HOW",
     .value = choice<rendezvous_choice_names, rendezvous_helps, &Settings::policies,
                     &Policies::rendezvous>(),
     .help = "tell ranks that are not MPI where to meet: env, torch",
     .manual = "Sets what programs read that find one another without MPI, such as those of "
               "PyTorch. `env`: MASTER_ADDR, MASTER_PORT (a port that is free on the first host), "
               "RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, GROUP_RANK and NODE_RANK; `torch`: "
               "what else torchrun sets. `none` is the default. See `launch help environment`."},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "--rendezvous-interface",
     .key = "rendezvous-interface",
     .value = flag<&Settings::policies, &Policies::rendezvous_interface>(),
     .help = "tell NCCL and gloo the network interface by which the host is reached",
     .manual = "Sets on each host NCCL_SOCKET_IFNAME, GLOO_SOCKET_IFNAME and TP_SOCKET_IFNAME to "
               "the network interface by which the host was reached, as the libraries of PyTorch "
               "guess where there are several. What you set of these yourself stays."},
});

}  // namespace

std::span<const OptionRow> rows_of_binding() {
    return rows;
}

}  // namespace launch
