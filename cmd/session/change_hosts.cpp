#include "cmd/session/change_hosts.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <sstream>

#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/plain_words.hpp"
#include "cmd/run.hpp"
#include "cmd/session/join.hpp"
#include "core/base/file_text.hpp"
#include "core/hosts/hostfile.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

using Strings = std::vector<std::string>;

struct HostChange {
    std::vector<Host> hosts;
    std::string session;  ///< empty: the only one
    bool allow_missing = false;
    RemoveRequest::When when = RemoveRequest::When::unused;
};

Result<std::vector<Host>> read_hosts_of(const std::string& path) {
    if (path == "-") return parse_hostfile(std::cin, "standard input");
    const FileText file = read_file(path);
    std::istringstream text(file.text);
    if (file.error == 0) return parse_hostfile(text, path);
    auto error = os_error("read " + path, file.error);
    error.kind = ErrorKind::usage;
    return error;
}

Result<std::vector<Host>> gather(const std::string& subcommand, const Strings& lists,
                                 const Strings& files) {
    std::vector<Host> hosts;
    const auto take = [&hosts](Result<std::vector<Host>> more) -> Status {
        if (!more) return std::move(more.error());
        hosts.insert(hosts.end(), more->begin(), more->end());
        return Ok{};
    };
    for (const auto& list : lists) {
        auto taken = take(parse_hosts(list));
        if (!taken) return std::move(taken.error());
    }
    for (const auto& file : files) {
        auto taken = take(read_hosts_of(file));
        if (!taken) return std::move(taken.error());
    }
    if (hosts.empty())
        return usage_error(subcommand + ": name hosts, as in: launch " + subcommand +
                           " node[001-004]");
    return merge_hosts(std::move(hosts));
}

Result<HostChange> read_change(const std::string& subcommand, const Strings& words) {
    HostChange asked;
    Strings files;
    bool when_idle = false;
    bool now = false;
    CLI::App app;
    app.set_help_flag();
    app.add_option("--session", asked.session);
    app.add_option("-f,--hostfile", files)->allow_extra_args(false);
    if (subcommand == "session add") {
        app.add_flag("--allow-missing", asked.allow_missing);
    } else {
        app.add_flag("--when-idle", when_idle);
        app.add_flag("--now", now);
    }
    const auto lists = read_plain_words(app, subcommand, words);
    if (!lists) return lists.error();
    if (when_idle && now)
        return usage_error(subcommand + ": --when-idle and --now say different things");
    if (when_idle) asked.when = RemoveRequest::When::when_idle;
    if (now) asked.when = RemoveRequest::When::now;
    auto hosts = gather(subcommand, *lists, files);
    if (!hosts) return std::move(hosts.error());
    asked.hosts = *std::move(hosts);
    return asked;
}

int tell(const std::string& subcommand, const SessionAnswer& answer) {
    switch (answer.kind) {
        case SessionAnswer::Kind::done: return exit_code::success;
        case SessionAnswer::Kind::hosts_failed:
            for (const auto& line : answer.lines)
                say(line);
            return exit_code::unreachable;
        default: break;
    }
    for (const auto& line : answer.lines)
        say(subcommand + ": " + line);
    if (answer.kind == SessionAnswer::Kind::in_use)
        say("nothing was removed: --when-idle waits for jobs to end, --now takes the hosts from "
            "them");
    return exit_code::usage;
}

int change(const std::string& subcommand, const HostChange& asked, const SessionRequest& request) {
    auto client = connect_one(asked.session.empty() ? Strings{} : Strings{asked.session});
    if (!client) return fail(client.error());
    const auto answer = client->ask_patiently(request);
    if (!answer) return fail(answer.error());
    return tell(subcommand, *answer);
}

}  // namespace

int add_hosts(const Strings& words) {
    const std::string subcommand = "session add";
    const auto asked = read_change(subcommand, words);
    if (!asked) return fail(asked.error());
    return change(subcommand, *asked, AddRequest{asked->hosts, asked->allow_missing});
}

int remove_hosts(const Strings& words) {
    const std::string subcommand = "session remove";
    const auto asked = read_change(subcommand, words);
    if (!asked) return fail(asked.error());
    return change(subcommand, *asked, RemoveRequest{asked->hosts, asked->when});
}

}  // namespace launch
