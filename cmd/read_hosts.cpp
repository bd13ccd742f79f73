#include "cmd/read_hosts.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "cmd/usage_error.hpp"
#include "core/hosts/hostfile.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

Result<std::vector<Host>> read_file(const std::string& path, std::istream& input) {
    if (path == standard_input) return parse_hostfile(input, "standard input");
    std::ifstream file(path);
    if (file.is_open()) return parse_hostfile(file, path);
    auto error = os_error("read the host file " + path, errno);
    error.kind = ErrorKind::usage;
    return error;
}

}  // namespace

bool hosts_come_from_input(const CommandLine& line) {
    return std::find(line.hostfiles.begin(), line.hostfiles.end(), standard_input) !=
           line.hostfiles.end();
}

Result<std::vector<Host>> read_hosts(const CommandLine& line, std::istream& input) {
    if (!line.host_lists.empty() && !line.hostfiles.empty())
        return usage_error("--hosts and --hostfile both name hosts, give one of them");
    std::vector<Host> hosts;
    const auto add = [&](Result<std::vector<Host>> more) -> Status {
        if (!more) return std::move(more.error());
        if (hosts.empty()) {
            hosts = *std::move(more);  // mostly there is one list, and it may be long
        } else {
            std::move(more->begin(), more->end(), std::back_inserter(hosts));
        }
        return Ok{};
    };
    for (const auto& list : line.host_lists) {
        auto added = add(parse_hosts(list));
        if (!added) return std::move(added.error());
    }
    for (const auto& path : line.hostfiles) {
        auto added = add(read_file(path, input));
        if (!added) return std::move(added.error());
    }
    return hosts;
}

}  // namespace launch
