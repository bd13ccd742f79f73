#include "cmd/options.hpp"

#include <algorithm>
#include <array>

#include "cmd/suggest.hpp"

namespace launch {
namespace {

using Id = OptionId;
using Group = OptionGroup;

constexpr auto table = std::to_array<OptionInfo>({
    {Id::ranks, Group::program, "-n -np --ranks", "N",
     "ranks of this program; by default one for each slot"},
    {Id::wdir, Group::program, "-wdir -wd --wdir", "DIR", "where its ranks start; by default here"},
    {Id::env, Group::program, "-env", "NAME VALUE", "set a variable for its ranks"},
    {Id::exported, Group::program, "-x", "NAME[=VALUE]",
     "the same; without a value, the variable as it is here"},
    {Id::envall, Group::program, "-envall", "", "its ranks get the whole environment from here"},
    {Id::envnone, Group::program, "-envnone", "", "its ranks get nothing of the environment here"},
    {Id::envlist, Group::program, "-envlist", "NAMES", "its ranks get these variables from here"},

    {Id::hosts, Group::hosts, "-host -hosts --hosts", "LIST",
     "hosts to run on: a,b:4 or 'node[001-064]' (:4 is slots)"},
    {Id::hostfile, Group::hosts, "-f -hostfile -machinefile --hostfile", "FILE",
     "hosts from a file, one a line; - is standard input"},
    {Id::exclude, Group::hosts, "--exclude", "LIST", "leave these of the hosts out"},
    {Id::ppn, Group::hosts, "-ppn --ppn", "N", "ranks on each host, whatever its slots"},
    {Id::mapping, Group::hosts, "-map-by --map", "HOW",
     "block (slot): fill a host, then the next; cyclic (node): in turn"},
    {Id::allow_missing, Group::hosts, "--allow-missing", "",
     "go on without hosts that cannot be started"},
    {Id::spares, Group::hosts, "--spares", "N",
     "the last N hosts take the places of hosts that cannot be started"},
    {Id::start_early, Group::hosts, "--start-early", "",
     "ranks start as soon as their own host is up, not when all are"},

    {Id::genv, Group::env, "-genv", "NAME VALUE", "set a variable for all ranks"},
    {Id::genvall, Group::env, "-genvall", "",
     "all ranks get the whole environment from here (default)"},
    {Id::genvnone, Group::env, "-genvnone", "", "all ranks get nothing of the environment here"},
    {Id::genvlist, Group::env, "-genvlist", "NAMES", "all ranks get these variables from here"},

    {Id::propagate, Group::env, "--propagate", "LIMITS",
     "ulimits that ranks get from here: all (default), none or a list"},

    {Id::stage, Group::files, "--stage", "FILE[:DEST]",
     "put a file on every host first, at DEST or below $LAUNCH_STAGE_DIR"},
    {Id::stage_program, Group::files, "--stage-program", "",
     "put the programs there too, and run those copies"},
    {Id::stage_keep, Group::files, "--stage-keep", "", "leave the files there at the end"},

    {Id::pmi, Group::mpi, "--pmi", "NAME",
     "offer pmi1, pmi1-port, pmi2, pmix, none; by default auto, what fits"},
    {Id::modex, Group::mpi, "--modex", "HOW",
     "cards travel by auto, gather, on-demand, ring, bruck or doubling"},

    {Id::degree, Group::tree, "-k --degree", "K", "each node starts up to K others"},
    {Id::topology, Group::tree, "--topology", "NAME",
     "auto, kary:K, flat, binomial or chain; by default auto"},
    {Id::routing, Group::tree, "--routing", "NAME",
     "once up all go over to such a tree, or hypercube; by default none do"},
    {Id::transport, Group::tree, "--transport", "NAME",
     "how hosts are reached: ssh, openssh, or local to play them here"},
    {Id::ssh_config, Group::tree, "--ssh-config", "FILE", "another ssh configuration than yours"},
    {Id::accept_new_host_keys, Group::tree, "--accept-new-host-keys", "",
     "accept and record the keys of hosts that are in no known_hosts file"},
    {Id::forward_agent, Group::tree, "--forward-agent", "", "let the hosts use your ssh agent"},

    {Id::push, Group::tree, "--push", "WHEN",
     "send launch to hosts: auto (where it is missing), always or never"},

    {Id::links, Group::tree, "--links", "WHAT",
     "relays talk over ssh, direct (own TCP links), or by default auto"},
    {Id::link_ports, Group::tree, "--link-ports", "FIRST-LAST",
     "TCP ports for direct links; by default any free one"},

    {Id::label, Group::streams, "-l -prepend-rank --label", "", "put the rank before every line"},
    {Id::stdin_target, Group::streams, "--stdin", "RANK",
     "which rank reads standard input: a rank, all or none; by default 0"},
    {Id::quiet, Group::streams, "-q --quiet", "", "no notices and no progress"},
    {Id::verbose, Group::streams, "-v --verbose", "",
     "tell of each phase, and what is decided in it"},

    {Id::stats, Group::streams, "--stats", "FORMAT",
     "tell at the end, on standard error, what nodes have cost: text, json"},

    {Id::keep_going, Group::time, "--keep-going", "", "a rank that fails does not end the others"},
    {Id::on_host_loss, Group::time, "--on-host-loss", "WHAT",
     "abort the job, the default, or continue with the ranks of the others"},
    {Id::timeout, Group::time, "--timeout", "TIME", "end the job after this time"},
    {Id::kill_grace, Group::time, "--kill-grace", "TIME",
     "between asking a rank to end and killing it; by default 5"},
    {Id::connect_timeout, Group::time, "--connect-timeout", "TIME",
     "until a host must answer; by default 10"},
    {Id::start_timeout, Group::time, "--start-timeout", "TIME",
     "until a host that answers must be ready; by default 60"},
    {Id::start_limit, Group::time, "--start-limit", "TIME",
     "until all hosts are up, 0 for never; by default 2 x both + 1 a host"},
    {Id::liveness, Group::time, "--liveness", "TIME",
     "silence after which a host is given up, 0 for never; by default 4"},

    {Id::dry_run, Group::look, "--dry-run", "", "show who would run what, and the tree"},
    {Id::explain, Group::look, "--explain", "",
     "with --dry-run: also why this tree, what PMI, how hosts are started"},
    {Id::full, Group::look, "--full", "", "with --dry-run: every host, nothing folded"},
    {Id::format, Group::look, "--format", "FORMAT", "with --dry-run: text or json"},
    {Id::help, Group::look, "-h --help", "", "this text"},
    {Id::version, Group::look, "-V --version", "", "the version and the build"},
});

constexpr auto titles = std::to_array<std::string_view>({
    "Each program (between two ':')",
    "Hosts and placement (of several programs each may name its own hosts; else they are for all)",
    "Environment",
    "Files",
    "MPI programs",
    "Tree and transport",
    "Input and output",
    "Failures and time (TIME: 10, 1.5s, 200ms, 2m, 1h)",
    "Look first",
});

}  // namespace

std::span<const OptionInfo> all_options() {
    return table;
}

std::string_view title_of(OptionGroup group) {
    return titles.at(static_cast<size_t>(group));
}

std::vector<std::string_view> split_names(std::string_view text) {
    std::vector<std::string_view> names;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        names.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return names;
}

std::vector<std::string_view> names_of(const OptionInfo& option) {
    return split_names(option.names);
}

const OptionInfo* find_option(std::string_view word) {
    const auto bare = without_dashes(word);
    const auto dashes = word.size() - bare.size();
    if (bare.empty() || dashes < 1 || dashes > (bare.size() == 1 ? 1U : 2U)) return nullptr;
    for (const auto& option : table) {
        for (const auto name : names_of(option)) {
            if (without_dashes(name) == bare) return &option;
        }
    }
    return nullptr;
}

std::string canonical_name(const OptionInfo& option) {
    const auto names = names_of(option);
    return std::string("--").append(without_dashes(names.back()));
}

std::string_view nearest_option(std::string_view word) {
    std::vector<std::string_view> names;
    for (const auto& option : table) {
        for (const auto name : names_of(option))
            names.push_back(name);
    }
    return nearest(word, names);
}

}  // namespace launch
