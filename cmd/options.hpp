#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

enum class OptionId : uint8_t {
    ranks,
    wdir,
    env,
    envall,
    envnone,
    envlist,
    exported,
    hosts,
    hostfile,
    exclude,
    ppn,
    mapping,
    allow_missing,
    spares,
    start_early,
    genv,
    genvall,
    genvnone,
    genvlist,
    propagate,
    pmi,
    modex,
    topology,
    degree,
    routing,
    transport,
    ssh_config,
    accept_new_host_keys,
    forward_agent,
    push,
    links,
    link_ports,
    stage,
    stage_program,
    stage_keep,
    label,
    stdin_target,
    quiet,
    verbose,
    stats,
    keep_going,
    on_host_loss,
    timeout,
    kill_grace,
    connect_timeout,
    start_timeout,
    start_limit,
    liveness,
    dry_run,
    explain,
    full,
    format,
    help,
    version,
};

/// A heading of --help, in the order shown.
enum class OptionGroup : uint8_t { program, hosts, env, files, mpi, tree, streams, time, look };

struct OptionInfo {
    OptionId id;
    OptionGroup group;
    std::string_view names;    ///< "-n -np --ranks", as shown
    std::string_view metavar;  ///< empty: a flag; with a space: two words
    std::string_view help;     ///< one line

    bool is_flag() const { return metavar.empty(); }
    bool is_pair() const { return metavar.find(' ') != std::string_view::npos; }
};

/// Every option of the command line, by group. What reads options and what tells of them (the
/// scan, CLI11, --help, "did you mean") goes by this table.
std::span<const OptionInfo> all_options();

std::string_view title_of(OptionGroup group);

/// Names as a table lists them, between single spaces.
std::vector<std::string_view> split_names(std::string_view text);
std::vector<std::string_view> names_of(const OptionInfo& option);

/// The option of a word such as "-np"; null if there is none. A name of several letters may have
/// one dash or two, whatever the table shows, as mpiexec's users write both.
const OptionInfo* find_option(std::string_view word);

/// The one long name by which CLI11 knows an option: "--ranks".
std::string canonical_name(const OptionInfo& option);

/// The name that was probably meant by an unknown word; empty if none is near.
std::string_view nearest_option(std::string_view word);

}  // namespace launch
