// SPDX-License-Identifier: MIT
#include "cmd/request/read_hosts.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/request/allocation.hpp"
#include "core/base/mistakes.hpp"
#include "core/hosts/host_filter.hpp"
#include "core/hosts/host_text.hpp"
#include "core/hosts/hostfile.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/hosts/this_machine.hpp"

namespace launch {
namespace {

namespace fs = std::filesystem;

Error unreadable_hosts(const std::string& path, int reason) {
    return unreadable("read the host file", path, reason);
}

/// Reads host files. Standard input can be read only once, and all that name it share its contents.
class HostFileReader {
  public:
    explicit HostFileReader(std::istream& input) : input_(input) {}

    Result<std::vector<Host>> read(const std::string& path) {
        if (path != standard_input) return read_host_file(path);
        if (!from_input_) from_input_ = parse_hostfile(input_, "standard input");
        return *from_input_;
    }

  private:
    std::istream& input_;
    std::optional<Result<std::vector<Host>>> from_input_;
};

std::string file_hint(const std::string& list) {
    return "a file of this name exists here: to read hosts from it, -f " + shown(list);
}

Result<std::vector<Host>> read_list(const std::string& list, std::vector<std::string>& notes) {
    auto hosts = parse_hosts(list);
    std::error_code ignored;
    if (!fs::is_regular_file(list, ignored)) return hosts;
    if (!hosts)
        hosts.error().hint = file_hint(list);
    else
        notes.push_back("the host " + shown(list) + ": " + file_hint(list));
    return hosts;
}

/// The error with where the value stands, unless that is the command line, which the user sees.
Error placed(const Origin* origin, Error error) {
    if (origin == nullptr || origin->layer == Layer::command_line) return error;
    const std::string before = named(*origin) + ": ";
    error.cause = before + error.cause;
    for (auto& other : error.others)
        other.cause = before + other.cause;
    return error;
}

/// Appends hosts, or adds the mistake in them, which came from there.
void take(Result<std::vector<Host>> more, const Origin* origin, std::vector<Host>& hosts,
          Mistakes& mistakes) {
    if (!more) return mistakes.add(placed(origin, std::move(more.error())));
    if (hosts.empty())
        hosts = *std::move(more);  // mostly there is one list, and it may be long
    else
        std::move(more->begin(), more->end(), std::back_inserter(hosts));
}

/// Whether hosts are named in one way at most.
Status check_one_way(const ProgramSettings& program) {
    if (program.host_lists.empty() || program.hostfiles.empty()) return Ok{};
    return usage_error(spelled(program, "hosts") + " and " + spelled(program, "hostfile") +
                       " both name hosts, give one of them");
}

Result<std::vector<Host>> hosts_of_program(const ProgramSettings& program, HostFileReader& files,
                                           std::vector<std::string>& notes) {
    auto one_way = check_one_way(program);
    if (!one_way) return std::move(one_way.error());
    std::vector<Host> hosts;
    Mistakes mistakes;
    for (const auto& list : program.host_lists)
        take(read_list(list, notes), program.origins.find("hosts"), hosts, mistakes);
    for (const auto& path : program.hostfiles)
        take(files.read(path), program.origins.find("hostfile"), hosts, mistakes);
    if (!mistakes.empty()) return mistakes.take();
    return hosts;
}

/// The hosts of the programs that name some, and which these are.
struct NamedHosts {
    std::vector<std::vector<Host>> lists;
    std::vector<size_t> programs;
};

/// Hosts are reached in a way in which localhost is this machine, and no container, say.
bool reached_by_ssh(const Settings& line) {
    const std::string& transport = line.transport.name;
    return transport.empty() || transport == "ssh" || transport == "openssh";
}

/// Takes it out. Where a job of a session names no hosts, that is done among the session's
/// (cmd/session/join).
Status exclude(const Settings& line, const Surroundings& around, NamedHosts& named,
               std::vector<std::string>& notes) {
    if (line.excluded.empty() || named.lists.empty()) return Ok{};
    auto unwanted = excluded_hosts(line);
    if (!unwanted) return std::move(unwanted.error());
    const auto own_names =
        reached_by_ssh(line) ? names_of_machine(around.host) : std::vector<std::string>{};
    HostFilter filter(*std::move(unwanted), own_names);
    for (size_t i = 0; i < named.lists.size(); ++i) {
        filter.apply(named.lists[i]);
        if (!named.lists[i].empty()) continue;
        const auto& program = line.programs[named.programs[i]].argv[0];
        return usage_error(spelled(line, "exclude") + " leaves no host" +
                           (named.lists.size() > 1 ? " for " + shown(program) : ""));
    }
    const auto unmatched = filter.unmatched();
    if (!unmatched.empty() && !line.origins.is_for_every_job("exclude"))
        notes.push_back(spelled(line, "exclude") +
                        ": not in the host list: " + fold_names(unmatched));
    return Ok{};
}

/// Renames localhost: if hosts are reached by ssh and are not all this machine, others would take
/// that name for themselves. It gets its name elsewhere in the lists, or its own name.
void name_for_others(const Settings& line, const Surroundings& around, NamedHosts& named) {
    if (named.lists.empty() || !reached_by_ssh(line)) return;
    const auto names = names_of_machine(around.host);
    std::string name = names.front();
    bool with_others = false;
    for (const auto& list : named.lists)
        for (const Host& host : list) {
            const bool here = is_this_machine(host, names);
            with_others = with_others || !here;
            if (here && !is_loopback_name(host.name)) name = host.name;
        }
    for (auto& list : named.lists)
        if (with_others) rename_loopback(list, names, name);
}

/// Leaves of each list the first hosts, where no more are wanted; see exclude() for sessions.
void keep_first(const Settings& line, NamedHosts& named) {
    if (line.max_hosts == 0) return;
    for (auto& list : named.lists) {
        list = merge_hosts(std::move(list));
        if (list.size() > line.max_hosts) list.erase(list.begin() + line.max_hosts, list.end());
    }
}

/// Joins the hosts of several programs: the hosts of all are listed once, and each of these
/// programs gets the places of its own. A program that names none has no places, and may use them
/// all.
void join(NamedHosts named, size_t programs, GivenHosts& given) {
    for (auto& list : named.lists)
        list = merge_hosts(std::move(list));
    auto joint = join_hosts(std::move(named.lists));
    given.hosts = std::move(joint.hosts);
    given.choices.resize(programs);
    for (size_t i = 0; i < named.programs.size(); ++i)
        given.choices[named.programs[i]] = std::move(joint.places[i]);
}

/// Where no program names hosts, all use those of the allocation.
Status add_allocation(const Settings& line, const Surroundings& around, NamedHosts& named,
                      GivenHosts& given) {
    auto allocated = allocated_hosts(line, around, !named.lists.empty());
    if (!allocated) return std::move(allocated.error());
    given.allocation = std::move(allocated->text);
    given.notes.push_back(std::move(allocated->note));
    if (allocated->hosts.empty()) return Ok{};
    named.lists.push_back(std::move(allocated->hosts));
    named.programs.push_back(0);
    return Ok{};
}

bool reads_input(const ProgramSettings& program) {
    const auto& files = program.hostfiles;
    return std::find(files.begin(), files.end(), standard_input) != files.end();
}

}  // namespace

Result<std::vector<Host>> read_host_file(const std::string& path) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored))
        return unreadable_hosts(path, EISDIR);  // it can be opened, and is empty
    std::ifstream file(path);
    if (file.is_open()) return parse_hostfile(file, shown_path(path));
    auto error = unreadable_hosts(path, errno);
    if (path.find_first_not_of("0123456789") == std::string::npos)
        error.hint = "if that is a fanout: -k " + path;
    else if (parse_hosts(path))
        error.hint = "for a list of hosts: -hosts " + shown(path);
    return error;
}

Result<std::vector<Host>> excluded_hosts(const Settings& line) {
    std::vector<Host> unwanted;
    Mistakes mistakes;
    for (const auto& list : line.excluded)
        take(parse_hosts(list), line.origins.find("exclude"), unwanted, mistakes);
    if (!mistakes.empty()) return mistakes.take();
    return unwanted;
}

Status take_hosts_from_input(Settings& settings, std::istream& input) {
    // Contradictions are reported when hosts are read for a job, from the same settings.
    if (rank_wants_input(settings)) return Ok{};
    HostFileReader files(input);
    for (auto& program : settings.programs) {
        if (!reads_input(program)) continue;
        if (!program.host_lists.empty()) return Ok{};
        for (const auto& path : std::exchange(program.hostfiles, {})) {
            const auto hosts = files.read(path);
            if (!hosts) return hosts.error();
            for (const auto& host : *hosts)
                program.host_lists.push_back(to_string(host));
        }
        const Origin origin = *program.origins.find("hostfile");
        program.origins.note("hosts", origin);
        settings.stdin_target = {StdinTarget::Kind::none, 0};
        settings.origins.note("stdin", origin);
    }
    return Ok{};
}

bool rank_wants_input(const Settings& line) {
    const auto& target = line.stdin_target;
    return target && target->kind != StdinTarget::Kind::none &&
           !line.origins.is_for_every_job("stdin");
}

bool hosts_come_from_input(const Settings& line) {
    return std::any_of(line.programs.begin(), line.programs.end(), reads_input);
}

Status check_host_lists(const Settings& line) {
    Mistakes mistakes;
    for (const auto& program : line.programs) {
        mistakes.check(check_one_way(program));
        std::vector<Host> hosts;
        for (const auto& list : program.host_lists)
            take(parse_hosts(list), program.origins.find("hosts"), hosts, mistakes);
    }
    mistakes.check(excluded_hosts(line));
    return mistakes.take_status();
}

Result<GivenHosts> read_hosts(const Settings& line, const Surroundings& around,
                              std::istream& input) {
    GivenHosts given;
    HostFileReader files(input);
    NamedHosts named;
    Mistakes mistakes;
    for (size_t i = 0; i < line.programs.size(); ++i) {
        auto hosts = hosts_of_program(line.programs[i], files, given.notes);
        if (!hosts) {
            mistakes.add(std::move(hosts.error()));
        } else if (!hosts->empty()) {
            named.lists.push_back(*std::move(hosts));
            named.programs.push_back(i);
        }
    }
    if (!mistakes.empty()) {
        mistakes.check(excluded_hosts(line));
        return mistakes.take();
    }
    auto allocated = add_allocation(line, around, named, given);
    if (!allocated) return std::move(allocated.error());
    auto excluded = exclude(line, around, named, given.notes);
    if (!excluded) return std::move(excluded.error());
    name_for_others(line, around, named);
    keep_first(line, named);
    if (named.lists.size() == 1)
        given.hosts = std::move(named.lists[0]);
    else if (!named.lists.empty())
        join(std::move(named), line.programs.size(), given);
    return given;
}

}  // namespace launch
