// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/place_values.hpp"
#include "cmd/options/rows/rows.hpp"

namespace launch {
namespace {

constexpr auto rendezvous_helps = std::to_array<std::string_view>({
    "nothing, the default",
    "MASTER_ADDR, MASTER_PORT, RANK, WORLD_SIZE, LOCAL_RANK and the like",
    "these, and the other variables of torchrun",
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
         "The CPUs to which each rank is bound: `none`; `hwthread:N`, `core:N`, `l1:N`, `l2:N`, "
         "`l3:N`, `numa:N` or `socket:N`, N of these units, or one without `:N`; `cpuset`, all "
         "CPUs that the host lets the job use; or `user:LIST`, such as `user:0-3,4+6`, the CPUs of "
         "each rank, one rank after the other. More ranks than cores, or than N cores each, are "
         "refused, unless `:overload` follows. `auto`, the default, binds each rank to a core if a "
         "host has several ranks and a core for each. See `launch help placement`."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--rank-by",
     .key = "rank-by",
     .metavar = "WHAT",
     .value =
         value_of<read_rank_by, write_rank_by, &Settings::rank_by>(Kind::choice, rank_by_words),
     .help = "number the ranks of a host over its sockets, numa, l3... in turn",
     .manual = "Numbers the ranks of a host over its parts in turn: each `socket`, `numa`, `l3`, "
               "`core` and the like. `-map-by` and `--bind` choose the CPUs. `slot`, the default, "
               "numbers ranks in the order in which they are placed."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--report-bindings",
     .key = "report-bindings",
     .metavar = "",
     .value = flag<&Settings::policies, &Policies::place, &PlaceChoice::report>(),
     .help = "draw the CPUs to which each rank is bound, as [B/B/./.]",
     .manual =
         "Prints, on standard error, the CPUs to which each rank is bound, as a drawing: sockets "
         "in brackets, cores between slashes, and for each hardware thread a B (bound), a dot (not "
         "bound) or a - (not available to this job). `--dry-run` shows it for this machine."},
    {.group = OptionGroup::hosts,
     .scope = Scope::job,
     .names = "--gpus-per-proc --gpus-per-rank",
     .key = "gpus-per-rank",
     .metavar = "N",
     .value =
         value_of<read_gpus, write_gpus, &Settings::policies, &Policies::place, &PlaceChoice::gpus>(
             Kind::text, gpu_words),
     .help = "give each rank N of its host's GPUs, the nearest; auto: its share",
     .manual = "Gives each rank N GPUs of its host, the nearest to the CPUs to which it is bound, "
               "by CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES or ZE_AFFINITY_MASK. `auto` divides "
               "all GPUs evenly; if there are more ranks than GPUs, several ranks share one. With "
               "a number, no rank starts if a host has too few. By default, and with `none`, "
               "launch does not set these variables."},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "--rendezvous",
     .key = "rendezvous",
     .metavar = "HOW",
     .value = choice<rendezvous_choice_names, rendezvous_helps, &Settings::policies,
                     &Policies::rendezvous>(),
     .help = "set where ranks without MPI meet: env, torch",
     .manual =
         "Sets the variables by which programs without MPI find one another, such as programs of "
         "PyTorch. `env`: MASTER_ADDR, MASTER_PORT (a free port of the first host), RANK, "
         "WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, GROUP_RANK and NODE_RANK; `torch`: also the "
         "other variables of torchrun. `none` is the default. See `launch help environment`."},
    {.group = OptionGroup::env,
     .scope = Scope::job,
     .names = "--rendezvous-interface",
     .key = "rendezvous-interface",
     .value = flag<&Settings::policies, &Policies::rendezvous_interface>(),
     .help = "name to NCCL and gloo the network interface that reaches the host",
     .manual =
         "Sets NCCL_SOCKET_IFNAME, GLOO_SOCKET_IFNAME and TP_SOCKET_IFNAME on each host to the "
         "network interface by which launch reached the host, because the libraries of PyTorch "
         "guess if there are several. Variables that you set yourself keep their values."},
});

}  // namespace

std::span<const OptionRow> rows_of_binding() {
    return rows;
}

}  // namespace launch
