// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hosts/allocation.hpp"
#include "core/job/job_spec.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// Where a value may come from, the weakest first: a stronger layer's value replaces a weaker's.
enum class Layer : uint8_t {
    built_in,     ///< nobody gave it
    site_file,    ///< /etc/launch/config.toml
    user_file,    ///< $XDG_CONFIG_HOME/launch/config.toml
    environment,  ///< LAUNCH_OPT_NAME
    job_file,     ///< launch run --job FILE
    command_line,
};

/// Where one value came from, as its user wrote it.
struct Origin {
    Layer layer = Layer::built_in;
    std::string name;       ///< "-f", "hostfile", "LAUNCH_OPT_HOSTFILE", or a job file's own
    std::string file = {};  ///< of a file's layers
    uint32_t line = 0;      ///< from 1; 0: not of a file
    uint32_t column = 0;
    bool implied = false;  ///< the name is that of another option, which implies the value

    bool operator==(const Origin&) const = default;
};

/// "job.toml:7:12".
std::string place_of(const Origin& origin);

/// The option in a message: "-f", "LAUNCH_OPT_HOSTFILE" or "hostfile (job.toml:7:12)".
std::string named(const Origin& origin);

/// The part of this process's environment that ranks get.
struct Inherit {
    enum class What : uint8_t { unset, all, none, listed };

    What what = What::unset;  ///< ranks get the whole environment if nothing is set
    std::vector<std::string> names;

    bool operator==(const Inherit&) const = default;
};

/// Where each value that somebody gave comes from, by the key of its row in the table of options.
class Origins {
  public:
    /// Notes the origin of the whole value.
    void note(std::string_view key, Origin origin);
    /// Adds the origin of one more text of an option whose texts come from several places.
    void add(std::string_view key, Origin origin);
    bool has(std::string_view key) const { return find(key) != nullptr; }
    /// Null for a value that nobody gave; of several places the strongest.
    const Origin* find(std::string_view key) const;
    /// One for each add(), in the order of the texts, or the only one.
    std::span<const Origin> all_of(std::string_view key) const;
    /// Whether it was given for every job, in a file of configuration or a variable: one in which
    /// the value has nothing to act on goes on without it. Given for this job it would be an error.
    bool is_for_every_job(std::string_view key) const;

  private:
    std::map<std::string, std::vector<Origin>, std::less<>> by_key_;
};

/// Settings of one program. The values are typed; nothing is looked up or filled in.
struct ProgramSettings {
    std::vector<std::string> argv;
    std::string last_option;  ///< of the command line, before the program, as it was spelled
    uint32_t ranks = 0;
    std::vector<std::string> host_lists;
    std::vector<std::string> hostfiles;
    std::string wdir;
    std::vector<std::string> env;       ///< -env: "NAME=VALUE"
    std::vector<std::string> exported;  ///< -x: "NAME" or "NAME=VALUE"
    Inherit inherit;
    Origins origins;
};

/// The settings of --map-by, for hosts and for the parts of a host.
struct MapBy {
    Mapping hosts = Mapping::block;
    PartMap part;
    uint32_t ppn = 0;             ///< "ppr:N:node"; 0: not said
    bool keeps_to_slots = false;  ///< "nooversubscribe"

    bool operator==(const MapBy&) const = default;
};

enum class Format : uint8_t { text, json, toml, dot, svg, html };

enum class ColorChoice : uint8_t { automatic, always, never };

/// Settings of the output of ranks.
struct OutputSettings {
    bool label = false;
    std::string label_pattern;  ///< empty: the rank in brackets
    ColorChoice color = ColorChoice::automatic;
    std::string dir;
    std::string pattern;          ///< of the files in it
    std::string outfile_pattern;  ///< as Hydra has them
    std::string errfile_pattern;
    bool there = false;
    bool copy = false;
    bool replace = false;
    bool gather = false;
    bool diff = false;
    bool pty = false;

    bool operator==(const OutputSettings&) const = default;
};

/// How --dry-run shows the plan.
struct ViewSettings {
    bool explain = false;
    bool full = false;
    Format format = Format::text;

    bool operator==(const ViewSettings&) const = default;
};

/// All that was said, in the command line, files and the environment, each value in the words of
/// the strongest of them: typed, but nothing is looked up or filled in.
struct Settings {
    bool help = false;
    bool version = false;
    bool init = false;                                        ///< of launch config
    bool schema = false;                                      ///< of launch config
    bool as_man_page = false;                                 ///< of launch help
    RemoveRequest::When leave = RemoveRequest::When::unused;  ///< of launch session remove
    bool dry_run = false;
    bool quiet = false;
    bool allow_missing = false;
    bool independent = false;  ///< what it says of other options stands in theirs
    bool show_map = false;
    bool stage_program = false;
    bool stage_keep = false;
    MapBy mapping;
    MachinePart rank_by = MachinePart::machine;  ///< as they come over all of it: "slot"
    ViewSettings view;
    std::string job_file;

    std::vector<ProgramSettings> programs;
    AllocationChoice allocation = AllocationChoice::automatic;
    std::vector<std::string> excluded;  ///< --exclude: host lists
    uint32_t max_hosts = 0;             ///< 0: all
    uint32_t ppn = 0;
    uint32_t spares = 0;
    std::string session;         ///< --session: a name, or any_session; empty: none
    bool session_wait = true;    ///< until slots are free
    bool session_share = false;  ///< of slots with other jobs
    std::string attach;          ///< --attach: a job that debuggers are attached to; empty: none
    bool detach = false;         ///< the job goes on in the background
    std::string session_name;    ///< of launch session start: --name
    milliseconds session_idle{std::chrono::hours{8}};
    std::vector<std::string> env;  ///< -genv: "NAME=VALUE"
    std::vector<std::string> mca;  ///< --mca, of Open MPI: "NAME=VALUE"
    Inherit inherit;
    Resources propagated = Resources().set();
    std::vector<std::string> staged;   ///< --stage: "FILE" or "FILE:DEST"
    std::vector<std::string> fetched;  ///< --fetch: "PLACE:DIR"
    std::string topology;
    std::string routing;
    uint32_t degree = 0;
    TransportOptions transport;
    Policies policies;
    std::optional<StdinTarget> stdin_target;
    OutputSettings output;
    milliseconds timeout{0};
    milliseconds hang{0};
    StacksWhen stacks = StacksWhen::kill;
    std::optional<milliseconds> start_limit;
    std::optional<Format> stats;
    std::string report;  ///< --report: a file; empty: none
    Origins origins;
};

}  // namespace launch
