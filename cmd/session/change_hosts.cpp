// SPDX-License-Identifier: MIT
#include <iostream>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/request/read_hosts.hpp"
#include "cmd/run.hpp"
#include "cmd/session/join.hpp"
#include "core/hosts/hostfile.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

Result<std::vector<Host>> hosts_of(const Asked& asked) {
    std::vector<Host> hosts;
    const auto take = [&hosts](Result<std::vector<Host>> more) -> Status {
        if (!more) return std::move(more.error());
        hosts.insert(hosts.end(), more->begin(), more->end());
        return Ok{};
    };
    for (const auto& list : asked.words) {
        auto taken = take(parse_hosts(list));
        if (!taken) return std::move(taken.error());
    }
    for (const auto& file : asked.program.hostfiles) {
        auto taken = take(file == standard_input ? parse_hostfile(std::cin, "standard input")
                                                 : read_host_file(file));
        if (!taken) return std::move(taken.error());
    }
    if (hosts.empty())
        return asked.wrong("name hosts, as in: launch " + std::string(asked.command->name) +
                           " node[001-004]");
    return merge_hosts(std::move(hosts));
}

RemoveRequest::When when_of(Leave leave) {
    switch (leave) {
        case Leave::when_idle: return RemoveRequest::When::when_idle;
        case Leave::now: return RemoveRequest::When::now;
        case Leave::unused: break;
    }
    return RemoveRequest::When::unused;
}

int tell(const Asked& asked, const SessionAnswer& answer) {
    switch (answer.kind) {
        case SessionAnswer::Kind::done: return exit_code::success;
        case SessionAnswer::Kind::hosts_failed:
            for (const auto& line : answer.lines)
                say(line);
            return exit_code::unreachable;
        default: break;
    }
    for (const auto& line : answer.lines)
        say(std::string(asked.command->name) + ": " + line);
    if (answer.kind == SessionAnswer::Kind::in_use)
        say("nothing was removed: --when-idle waits for jobs to end, --now takes the hosts from "
            "them");
    return exit_code::usage;
}

int change(const Asked& asked, const SessionRequest& request) {
    auto client = connect_one(asked.settings.session);
    if (!client) return fail(client.error());
    const auto answer = client->ask_patiently(request);
    return answer ? tell(asked, *answer) : fail(answer.error());
}

}  // namespace

int add_hosts(const Asked& asked) {
    const auto hosts = hosts_of(asked);
    if (!hosts) return fail(hosts.error());
    return change(asked, AddRequest{*hosts, asked.settings.allow_missing});
}

int remove_hosts(const Asked& asked) {
    const auto hosts = hosts_of(asked);
    if (!hosts) return fail(hosts.error());
    return change(asked, RemoveRequest{*hosts, when_of(asked.settings.leave)});
}

}  // namespace launch
