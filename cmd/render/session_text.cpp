// SPDX-License-Identifier: MIT
#include "cmd/render/session_text.hpp"

#include <algorithm>
#include <map>

#include "cmd/render/json.hpp"
#include "cmd/render/text_parts.hpp"
#include "core/base/counted.hpp"
#include "core/base/terminal_text.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

struct Slots {
    uint64_t all = 0;
    uint64_t used = 0;
    size_t up = 0;
};

Slots slots_of(const SessionState& session) {
    Slots slots;
    for (const auto& host : session.hosts) {
        if (!host.up) continue;
        ++slots.up;
        slots.all += host.host.slots;
        slots.used += host.used;
    }
    return slots;
}

/// Returns the time between the two, in words.
std::string age(uint64_t began, uint64_t now) {
    return time_text(now > began ? (now - began) * 1'000'000 : 0);
}

std::string name_of(const SessionState& session, NodeIndex node) {
    const auto at = std::find_if(session.hosts.begin(), session.hosts.end(),
                                 [node](const SessionHost& host) { return host.node == node; });
    return at == session.hosts.end() ? std::string() : at->host.name;
}

void add_jobs(const SessionState& session, uint64_t now, TextTable& table) {
    for (const auto& job : session.jobs)
        table.row({session.name.empty() ? "-" : session.name,
                   std::to_string(static_cast<uint32_t>(job.number)), std::to_string(job.ranks),
                   fold_names(job.hosts), age(job.began, now), std::to_string(job.client),
                   terminal_text(job.command)});
}

/// Hosts that are alike; of those that are down, the one that is tried next.
struct Alike {
    std::vector<std::string> names;
    uint64_t next_try = 0;
};

std::string state_of(const SessionHost& host) {
    if (host.up) {
        const std::string slots =
            std::to_string(host.used) + " of " + counted(host.host.slots, "slot") + " used";
        return host.leaves ? slots + ", leaves when idle" : slots;
    }
    if (host.why.empty()) return "is being started";
    return (host.next_try == 0 ? "is being started again: " : "down: ") + host.why;
}

std::string hosts_text(const SessionState& session, uint64_t now) {
    std::map<std::string, Alike> groups;
    for (const auto& host : session.hosts) {
        Alike& group = groups[state_of(host)];
        group.names.push_back(host.host.name);
        const bool is_next = group.next_try == 0 || host.next_try < group.next_try;
        if (host.next_try != 0 && is_next) group.next_try = host.next_try;
    }
    std::string text;
    for (auto& [state, group] : groups) {
        text += "  " + fold_names(std::move(group.names)) + ": " + terminal_text(state);
        if (group.next_try != 0) text += "; tried again in " + age(now, group.next_try);
        text += "\n";
    }
    return text;
}

Json host_state_json(const SessionHost& host) {
    Json json = {{"host", to_string(host.host)},
                 {"up", host.up},
                 {"slots", host.host.slots},
                 {"used", host.used}};
    if (host.leaves) json["leaves"] = true;
    if (!host.why.empty()) json["why"] = host.why;
    if (host.next_try != 0) json["next_try"] = host.next_try;
    return json;
}

Json job_json(const SessionJobState& job) {
    Json json = {{"job", static_cast<uint32_t>(job.number)},
                 {"command", job.command},
                 {"ranks", job.ranks},
                 {"hosts", job.hosts},
                 {"began", job.began},
                 {"client", job.client}};
    if (!job.output.empty()) json["output"] = job.output;
    return json;
}

Json session_json(const SessionState& session) {
    return {{"session", session.name},
            {"pid", session.pid},
            {"began", session.began},
            {"topology", session.topology},
            {"hosts", json_list(session.hosts, host_state_json)},
            {"jobs", json_list(session.jobs, job_json)}};
}

std::vector<RankState> by_rank(const SessionAnswer& answer) {
    auto states = answer.survey.ranks;
    std::sort(states.begin(), states.end(),
              [](const auto& a, const auto& b) { return a.rank < b.rank; });
    return states;
}

}  // namespace

std::string sessions_text(const std::vector<SessionState>& sessions, uint64_t now) {
    TextTable table;
    table.row({"SESSION", "HOSTS", "SLOTS", "USED", "JOBS", "AGE"});
    for (const auto& session : sessions) {
        const Slots slots = slots_of(session);
        std::string hosts = std::to_string(slots.up);
        if (slots.up < session.hosts.size()) hosts += "/" + std::to_string(session.hosts.size());
        table.row({session.name, hosts, std::to_string(slots.all), std::to_string(slots.used),
                   std::to_string(session.jobs.size()), age(session.began, now)});
    }
    return table.text();
}

std::string jobs_text(const std::vector<SessionState>& sessions, uint64_t now) {
    TextTable table;
    table.row({"SESSION", "JOB", "RANKS", "HOSTS", "AGE", "PID", "COMMAND"});
    for (const auto& session : sessions)
        add_jobs(session, now, table);
    return table.text();
}

std::string session_text(const SessionState& session, uint64_t now) {
    const Slots slots = slots_of(session);
    return "session " + session.name + ": " + counted(slots.up, "host") + " of " +
           std::to_string(session.hosts.size()) + " up, " + std::to_string(slots.used) + " of " +
           counted(slots.all, "slot") + " used, tree " + session.topology + ", since " +
           age(session.began, now) + ", process " + std::to_string(session.pid) + "\n" +
           hosts_text(session, now) + (session.jobs.empty() ? "" : jobs_text({session}, now));
}

std::string ranks_text(const SessionState& session, const SessionAnswer& answer) {
    TextTable table;
    table.row({"RANK", "HOST", "PID", "STATE", "CPU", "MEMORY"});
    for (const RankState& state : by_rank(answer))
        table.row({std::to_string(state.rank), name_of(session, state.node),
                   std::to_string(state.pid), std::string(1, state.state),
                   time_text(uint64_t{state.cpu_ms} * 1000),
                   size_text(uint64_t{state.resident_kib} * 1024)});
    return table.text();
}

std::string ranks_json(const SessionState& session, const SessionAnswer& answer) {
    Json json = {{"version", sessions_version}, {"ranks", Json::array()}};
    for (const RankState& state : by_rank(answer))
        json["ranks"].push_back({{"rank", state.rank},
                                 {"host", name_of(session, state.node)},
                                 {"pid", state.pid},
                                 {"state", std::string(1, state.state)},
                                 {"cpu_ms", state.cpu_ms},
                                 {"resident_kib", state.resident_kib}});
    return json_text(json);
}

std::string silent_text(const SessionState& session, const SessionAnswer& answer) {
    std::vector<std::string> names;
    for (const NodeIndex node : answer.silent)
        names.push_back(name_of(session, node));
    return names.empty() ? std::string()
                         : fold_names(std::move(names)) + ": no answer, its ranks are left out";
}

std::string sessions_json(const std::vector<SessionState>& sessions) {
    return json_text(
        {{"version", sessions_version}, {"sessions", json_list(sessions, session_json)}});
}

}  // namespace launch
