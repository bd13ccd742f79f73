// SPDX-License-Identifier: MIT
#include "core/head/spawn_spec.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <sstream>

#include "core/base/counted.hpp"
#include "core/base/environment.hpp"
#include "core/base/file_text.hpp"
#include "core/base/list_text.hpp"
#include "core/base/lower.hpp"
#include "core/base/number_text.hpp"
#include "core/head/spawn_env.hpp"
#include "core/hosts/hostfile.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

constexpr size_t most_of_a_file = 16U << 20;

Error spawn_error(std::string cause) {
    Error error;
    error.kind = ErrorKind::usage;
    error.operation = "spawn";
    error.cause = std::move(cause);
    return error;
}

std::string below(const std::string& folder, const std::string& path) {
    return path.starts_with('/') || path.empty() ? path : folder + '/' + path;
}

Status add_hosts(std::vector<Host>& hosts, Result<std::vector<Host>> more) {
    if (!more) return std::move(more.error());
    hosts.insert(hosts.end(), more->begin(), more->end());
    return Ok{};
}

Status read_hostfile(std::vector<Host>& hosts, const std::string& path) {
    const FileText file = read_file(path, most_of_a_file);
    if (file.error != 0) return os_error("read the host file " + path, file.error);
    std::istringstream text(file.text);
    return add_hosts(hosts, parse_hostfile(text, path));
}

/// Open MPI makes "2:n" of the key npernode.
bool means_node(std::string_view unit) {
    return unit == "node" || unit == "n" || unit == "NODE" || unit == "N";
}

/// "4", "4:node".
Status set_ppn(JobSpec& spec, std::string_view key, std::string_view value) {
    const auto number = parse_number<uint32_t>(value.substr(0, value.find(':')));
    const auto unit = value.find(':') == value.npos ? "node" : value.substr(value.find(':') + 1);
    if (!number || *number == 0 || !means_node(unit))
        return spawn_error(std::string(key) + "=" + std::string(value) +
                           ": expected a number of processes on each host, as in ppr:2:node");
    spec.ppn = *number;
    return Ok{};
}

/// "slot:pe=2,oversubscribe", "ppr:2:node:OVERSUBSCRIBE": how, and words on it, of which those that
/// are not known are about binding.
class MapBy {
  public:
    explicit MapBy(const std::string& value) {
        for_each_part(lower(value), ':', [this](auto word) { words_.emplace_back(word); });
    }

    bool allows_crowds() const {
        for (size_t i = 1; i < words_.size(); ++i) {
            const auto parts = split(words_[i], ',');
            if (std::find(parts.begin(), parts.end(), "oversubscribe") != parts.end()) return true;
        }
        return false;
    }
    Status set(JobSpec& spec, std::string_view key) const {
        const std::string how = words_.empty() ? std::string() : words_.front();
        if (how == "ppr") return set_ppn(spec, key, per_host());
        if (how == "node") spec.mapping = Mapping::cyclic;
        if (how == "slot") spec.mapping = Mapping::block;
        return Ok{};
    }

  private:
    /// "2:node" in "ppr:2:node:oversubscribe": the part before the last word.
    std::string per_host() const {
        std::string text;
        for (size_t i = 1; i < std::min<size_t>(words_.size(), 3); ++i)
            append_part(text, ":", words_[i]);
        return text;
    }

    std::vector<std::string> words_;
};

class Reader {
  public:
    Reader(SpawnSpec& made, const JobSpec& asker, const std::vector<std::string>& given)
        : made_(made), asker_(asker), given_(given), env_(asker.env) {}

    Status read(const SpawnOrder::Program& ordered) {
        Program program;
        program.argv = ordered.argv;
        program.ranks = ordered.ranks;
        program.env = given_;
        program.env.insert(program.env.end(), ordered.env.begin(), ordered.env.end());
        hosts_.clear();
        added_.clear();
        env_.begin_program();
        for (const auto& [key, value] : ordered.info) {
            auto taken = take(program, key, value);
            if (!taken) return taken;
        }
        made_.spec.programs.push_back(std::move(program));
        hosts_.insert(hosts_.end(), added_.begin(), added_.end());
        made_.hosts.push_back(merge_hosts(std::move(hosts_)));
        made_.added.insert(made_.added.end(), added_.begin(), added_.end());
        if (made_.added.size() > most_added_hosts)
            return spawn_error("at most " + std::to_string(most_added_hosts) +
                               " hosts can be added at once");
        return Ok{};
    }

    /// After the last program.
    void end() {
        for (const auto& name : env_.unset_by_all())
            std::erase_if(made_.spec.env,
                          [&name](const auto& entry) { return entry.starts_with(name + '='); });
    }

  private:
    Status take(Program& program, const std::string& key, const std::string& value) {
        JobSpec& spec = made_.spec;
        if (env_.take(program, key, value)) return Ok{};
        if (key == "host" || key == "hosts") return add_hosts(hosts_, parse_hosts(value));
        if (key == "hostfile") return read_hostfile(hosts_, below(asker_.wdir, value));
        if (key == "add-host" || key == "add_host")
            return add_hosts(added_, parse_hosts(value, most_added_hosts));
        if (key == "add-hostfile" || key == "add_hostfile")
            return read_hostfile(added_, below(asker_.wdir, value));
        if (key == "wdir") program.wdir = below(asker_.wdir, value);
        if (key == "path") program.env.push_back("PATH=" + value + ":" + env_.now(program, "PATH"));
        if (key == "env") add_env(program, value);
        if (key == "map_by" || key == "map-by") {
            const MapBy map_by(value);
            made_.may_crowd = made_.may_crowd || map_by.allows_crowds();
            return map_by.set(spec, key);
        }
        if (key == "ppn" || key == "npernode" || key == "ppr") return set_ppn(spec, key, value);
        if (key == hold_key::name && value == hold_key::at_exec) spec.policies.hold = Hold::at_exec;
        if (key == hold_key::name && value == hold_key::in_init) spec.policies.hold = Hold::in_init;
        return Ok{};
    }

    static void add_env(Program& program, const std::string& lines) {
        std::istringstream text(lines);
        for (std::string line; std::getline(text, line);)
            if (line.find('=') != line.npos) program.env.push_back(line);
    }

    SpawnSpec& made_;
    const JobSpec& asker_;
    const std::vector<std::string>& given_;
    std::vector<Host> hosts_;  ///< of the program that is being read
    std::vector<Host> added_;  ///< of it, too
    SpawnEnv env_;
};

/// A host that processes of a spawn may go to, and how many do.
struct Room {
    std::string host;
    uint64_t free = 0;  ///< slots
    uint64_t processes = 0;
};

uint64_t free_in(const std::vector<Room>& rooms) {
    return std::accumulate(rooms.begin(), rooms.end(), uint64_t{0},
                           [](uint64_t sum, const Room& room) { return sum + room.free; });
}

uint64_t processes_in(const std::vector<Room>& rooms) {
    return std::accumulate(rooms.begin(), rooms.end(), uint64_t{0},
                           [](uint64_t sum, const Room& room) { return sum + room.processes; });
}

/// Some program of the spawn may go there.
bool may_go_to(const std::vector<HostChoice>& choices, uint32_t host) {
    return choices.empty() ||
           std::any_of(choices.begin(), choices.end(), [host](const HostChoice& choice) {
               return !choice || std::find(choice->begin(), choice->end(), host) != choice->end();
           });
}

std::vector<Room> rooms(const SpawnDeal& deal) {
    std::vector<Room> rooms;
    for (uint32_t i = 0; i < deal.hosts.size(); ++i) {
        if (!may_go_to(deal.choices, i)) continue;
        const Host& host = deal.hosts[i];
        const uint32_t taken = deal.used.empty() ? 0 : std::min(deal.used[i], host.slots);
        rooms.push_back({host.name, host.slots - taken, local_size(deal.placement.node(i))});
    }
    return rooms;
}

/// With user and port, by which a host is meant or not, too.
std::string fold_logins(std::vector<Host> hosts) {
    for (Host& host : hosts)
        host.slots = 1;  // not written then
    return fold_hosts(hosts);
}

}  // namespace

JobSpec spec_of_guest(const JobSpec& job) {
    JobSpec spec = job;
    spec.programs.clear();
    spec.choices.clear();
    spec.stage = {};
    spec.ppn = 0;
    spec.spares = 0;
    spec.allow_missing = false;
    spec.timeout = spec.hang = milliseconds{0};
    spec.policies.stdin_target = {StdinTarget::Kind::none, 0};
    spec.policies.start_early = false;
    spec.policies.output.pty = PtyChoice::none;
    spec.policies.debugger.clear();   // the console knows the ranks of the job
    spec.policies.hold = Hold::none;  // as do debuggers of parallel programs
    spec.policies.core_dir.clear();   // core files are named by ranks of the job
    spec.policies.costs = false;      // the job's report is of its own ranks
    return spec;
}

Result<SpawnSpec> spawn_spec(const JobSpec& asker, const SpawnOrder& order,
                             const std::vector<std::string>& given) {
    SpawnSpec made{spec_of_guest(asker), {}, {}, false};
    uint64_t ranks = 0;
    Reader reader(made, asker, given);
    for (const auto& program : order.programs) {
        ranks += program.ranks;
        if (program.ranks == 0)
            return spawn_error("the spawn asks for 0 processes of " + program.argv.front());
        auto read = reader.read(program);
        if (!read) return std::move(read.error());
    }
    reader.end();
    if (ranks > most_spawned_ranks)
        return spawn_error(std::to_string(ranks) + " processes are asked for; at most " +
                           std::to_string(most_spawned_ranks) + " can be started at once");
    made.added = merge_hosts(std::move(made.added));
    return made;
}

Status keep_to_slots(const SpawnSpec& wanted, const SpawnDeal& deal) {
    if (wanted.may_crowd) return Ok{};
    const auto all = rooms(deal);
    std::vector<Room> told;
    std::copy_if(all.begin(), all.end(), std::back_inserter(told),
                 [](const Room& room) { return room.processes > room.free; });
    if (told.empty()) return Ok{};
    // Where the hosts together have too few, which of them would have too many says nothing.
    if (processes_in(all) > free_in(all)) told = all;
    std::vector<std::string> names;
    for (const Room& room : told)
        names.push_back(room.host);
    Error error = spawn_error("too few slots are free: " + counted(free_in(told), "slot") +
                              " for " + std::to_string(processes_in(told)) +
                              (processes_in(told) == 1 ? " process" : " processes"));
    error.host = fold_names(std::move(names));
    error.hint = std::string(wanted.added.empty() ? "-hosts" : "add-host") +
                 " HOST:SLOTS gives a host more slots, " + crowding_hint;
    return error;
}

bool is_wanted(const Host& host, const Host& wanted, const std::string& own_name) {
    const bool here = host.name == "localhost" && !own_name.empty() && wanted.name == own_name;
    return (host.name == wanted.name || here) &&
           (wanted.user.empty() || wanted.user == host.user) &&
           (wanted.port == 0 || wanted.port == host.port);
}

Result<std::vector<HostChoice>> spawn_choices(const std::vector<std::vector<Host>>& wanted,
                                              const std::vector<Host>& offered,
                                              const std::string& own_name) {
    std::vector<HostChoice> choices;
    std::vector<Host> unknown;
    const auto add_unknown = [&unknown](const Host& host) {
        if (std::find(unknown.begin(), unknown.end(), host) == unknown.end())
            unknown.push_back(host);
    };
    for (const auto& hosts : wanted) {
        std::vector<uint32_t> places;
        for (const Host& host : hosts) {
            const auto at = std::find_if(offered.begin(), offered.end(), [&](const Host& each) {
                return is_wanted(each, host, own_name);
            });
            if (at == offered.end())
                add_unknown(host);
            else if (const auto place = static_cast<uint32_t>(at - offered.begin());
                     std::find(places.begin(), places.end(), place) == places.end())
                places.push_back(place);
        }
        choices.push_back(hosts.empty() ? HostChoice{} : HostChoice{std::move(places)});
    }
    if (unknown.empty()) return choices;
    return spawn_error(fold_logins(std::move(unknown)) + ": not a host of this job, which has " +
                       fold_logins(offered));
}

}  // namespace launch
