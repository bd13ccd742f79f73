// SPDX-License-Identifier: MIT
#include "core/hosts/flux_hosts.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>

#include "core/base/environment.hpp"
#include "core/base/list_text.hpp"
#include "core/base/terminal_text.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

constexpr const char* format = "{nnodes} {ncores} {nodelist}";

/// Appends the hosts of one line; what is wrong as a clause, or an empty string.
std::string append_line(const std::string& line, std::vector<Host>& hosts) {
    constexpr size_t most_shown = 60;
    std::istringstream words(line);
    uint32_t nodes = 0;
    uint32_t cores = 0;
    std::string list;
    words >> nodes >> cores;
    if (!words)
        return "the answer is not a list of hosts: \"" + terminal_text(line.substr(0, most_shown)) +
               "\"";
    if (nodes == 0) return {};
    words >> list;
    auto named = parse_hosts(list, nodes);
    if (!named) return named.error().cause;
    if (named->size() != nodes)
        return std::to_string(named->size()) + " hosts are named, but the count is " +
               std::to_string(nodes);
    for (Host& host : *named) {
        host.slots = std::max(cores / nodes, 1U);
        hosts.push_back(std::move(host));
    }
    return {};
}

}  // namespace

std::vector<std::string> flux_question(const std::vector<std::string>& env) {
    const std::string job = env_value(env, "FLUX_JOB_ID");
    if (!job.empty()) return {"flux", "jobs", "-n", "-o", format, job};
    if (env_value(env, "FLUX_URI").empty()) return {};
    return {"flux", "resource", "list", "-n", "-s", "up", "-o", format};
}

Result<SchedulerHosts> read_flux_hosts(const SchedulerText& text) {
    SchedulerHosts made{{}, text.variable};
    std::string objection;
    for_each_part(text.text, '\n', [&](std::string_view line) {
        const bool blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
        if (objection.empty() && !blank) objection = append_line(std::string(line), made.hosts);
    });
    if (objection.empty() && made.hosts.empty()) objection = "no host is named";
    if (!objection.empty()) return scheduler_error(text.variable, objection);
    return made;
}

}  // namespace launch
