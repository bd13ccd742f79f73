// SPDX-License-Identifier: MIT
#include <array>

#include "cmd/render/json.hpp"
#include "cmd/report/report.hpp"

namespace launch {
namespace {

/// The JSON keys of a host's start stages, in the order of StartStage.
constexpr std::array<const char*, start_stages> stage_keys{"queued_us", "dial_us",   "auth_us",
                                                           "login_us",  "client_us", "hello_us",
                                                           "push_us",   "greeted_us"};

struct CostKey {
    const char* key;
    uint64_t RankCost::*value;
};

constexpr auto cost_keys = std::to_array<CostKey>({
    {"start_us", &RankCost::start_us},
    {"end_us", &RankCost::end_us},
    {"cpu_us", &RankCost::cpu_us},
    {"peak_kib", &RankCost::peak_kib},
    {"stdout_bytes", &RankCost::out_bytes},
    {"stderr_bytes", &RankCost::err_bytes},
});

void add_time(Json& json, const char* key, std::optional<uint64_t> time) {
    if (time) json[key] = *time;
}

Json host_json(NodeIndex node, const JobTimeline::Host& host) {
    Json json = {{"node", node}, {"name", host.name}};
    if (host.started_by) json["started_by"] = *host.started_by;
    for (size_t i = 0; i < start_stages; ++i)
        add_time(json, stage_keys[i], host.began[i]);
    add_time(json, "up_us", host.up_us);
    add_time(json, "failed_us", host.failed_us);
    if (!host.error.empty()) json["error"] = host.error;
    return json;
}

void add_end(Json& json, const JobTimeline::Rank& rank) {
    using Kind = ExitStatus::Kind;
    if (!rank.ended || rank.ended->kind == Kind::lost) {
        json["lost"] = true;
        return;
    }
    const ExitStatus& status = *rank.ended;
    if (status.kind == Kind::exited) json["exit_code"] = status.value;
    if (status.kind == Kind::signalled) json["signal"] = status.value;
    if (status.kind == Kind::not_started)
        json["not_started"] = rank.detail.empty() ? to_string(status) : rank.detail;
    if (status.kind == Kind::stuck) json["stuck"] = rank.detail;
}

Json rank_json(uint32_t number, const JobTimeline& line) {
    const JobTimeline::Rank& rank = line.ranks[number];
    Json json = {{"rank", number}, {"node", rank.node}};
    if (rank.node > 0) json["host"] = line.hosts[rank.node - 1].name;
    add_end(json, rank);
    if (!rank.cost) return json;
    json["pid"] = rank.cost->pid;
    for (const auto& [key, value] : cost_keys)
        json[key] = (*rank.cost).*value;
    return json;
}

Error unreadable_report(std::string cause) {
    return {ErrorKind::usage, "read the report", {}, -1, std::move(cause), {}};
}

std::optional<uint64_t> number_at(const Json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number_unsigned()) return std::nullopt;
    return at->get<uint64_t>();
}

std::string text_at(const Json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_string() ? at->get<std::string>() : std::string();
}

/// The objects of a list, those of another kind left out.
std::vector<const Json*> objects(const Json& object, const char* key) {
    std::vector<const Json*> found;
    const auto list = object.find(key);
    if (list == object.end() || !list->is_array()) return found;
    for (const Json& each : *list)
        if (each.is_object()) found.push_back(&each);
    return found;
}

Program program_of(const Json& object) {
    Program program;
    program.ranks = static_cast<uint32_t>(number_at(object, "ranks").value_or(0));
    if (const auto argv = object.find("argv"); argv != object.end() && argv->is_array())
        for (const Json& word : *argv)
            if (word.is_string()) program.argv.push_back(word.get<std::string>());
    return program;
}

JobTimeline::Host host_of(const Json& object) {
    JobTimeline::Host host;
    host.name = text_at(object, "name");
    if (const auto by = number_at(object, "started_by"))
        host.started_by = static_cast<NodeIndex>(*by);
    for (size_t i = 0; i < start_stages; ++i)
        host.began[i] = number_at(object, stage_keys[i]);
    host.up_us = number_at(object, "up_us");
    host.failed_us = number_at(object, "failed_us");
    host.error = text_at(object, "error");
    return host;
}

std::optional<ExitStatus> end_of(const Json& object) {
    using Kind = ExitStatus::Kind;
    const auto with = [&](const char* key, Kind kind) -> std::optional<ExitStatus> {
        const auto value = number_at(object, key);
        if (!value) return std::nullopt;
        return ExitStatus{kind, static_cast<int32_t>(*value)};
    };
    if (const auto code = with("exit_code", Kind::exited)) return code;
    if (const auto signal = with("signal", Kind::signalled)) return signal;
    if (object.contains("not_started")) return ExitStatus{Kind::not_started};
    if (object.contains("stuck")) return ExitStatus{Kind::stuck};
    return std::nullopt;
}

JobTimeline::Rank rank_of(const Json& object, size_t hosts) {
    JobTimeline::Rank rank;
    const uint64_t node = number_at(object, "node").value_or(0);
    rank.node = node <= hosts ? static_cast<NodeIndex>(node) : 0;
    rank.ended = end_of(object);
    rank.detail = text_at(object, "not_started") + text_at(object, "stuck");
    if (!object.contains("pid")) return rank;
    RankCost cost;
    cost.rank = static_cast<uint32_t>(number_at(object, "rank").value_or(0));
    cost.pid = static_cast<uint32_t>(number_at(object, "pid").value_or(0));
    for (const auto& [key, value] : cost_keys)
        cost.*value = number_at(object, key).value_or(0);
    rank.cost = cost;
    return rank;
}

}  // namespace

std::string report_json(const RunReport& report) {
    const JobTimeline& line = report.line;
    Json json = {{"version", report_version}, {"job", line.job_id}};
    if (!line.session.empty()) json["session"] = line.session;
    json["programs"] = Json::array();
    for (const Program& program : line.programs)
        json["programs"].push_back({{"argv", program.argv}, {"ranks", program.ranks}});
    json["began_unix_us"] = line.began_unix_us;
    add_time(json, "up_us", line.up_us);
    json["ending_us"] = line.ending_us;
    json["over_us"] = line.over_us;
    json["exit_code"] = report.exit_code;
    json["hosts"] = Json::array();
    for (size_t i = 0; i < line.hosts.size(); ++i)
        json["hosts"].push_back(host_json(static_cast<NodeIndex>(i) + 1, line.hosts[i]));
    json["ranks"] = Json::array();
    for (size_t i = 0; i < line.ranks.size(); ++i)
        json["ranks"].push_back(rank_json(static_cast<uint32_t>(i), line));
    return json_text(json);
}

Result<RunReport> read_report(const std::string& text_of_file) {
    const Json object = Json::parse(text_of_file, nullptr, false);
    if (object.is_discarded()) return unreadable_report("not JSON");
    const auto version = object.is_object() ? number_at(object, "version") : std::nullopt;
    if (!version || !object.contains("hosts") || !object.contains("ranks"))
        return unreadable_report("not a report of launch (launch --report FILE writes one)");
    if (*version > report_version)
        return unreadable_report("a later launch wrote it: version " + std::to_string(*version) +
                                 "; this one reads version " + std::to_string(report_version));
    RunReport report;
    JobTimeline& line = report.line;
    line.job_id = text_at(object, "job");
    line.session = text_at(object, "session");
    for (const Json* each : objects(object, "programs"))
        line.programs.push_back(program_of(*each));
    line.began_unix_us = number_at(object, "began_unix_us").value_or(0);
    line.up_us = number_at(object, "up_us");
    line.ending_us = number_at(object, "ending_us").value_or(0);
    line.over_us = number_at(object, "over_us").value_or(0);
    report.exit_code = static_cast<int>(number_at(object, "exit_code").value_or(0));
    for (const Json* each : objects(object, "hosts"))
        line.hosts.push_back(host_of(*each));
    for (const Json* each : objects(object, "ranks"))
        line.ranks.push_back(rank_of(*each, line.hosts.size()));
    return report;
}

}  // namespace launch
