// SPDX-License-Identifier: MIT
#include "cmd/render/json.hpp"
#include "cmd/report/report.hpp"

namespace launch {
namespace {

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
    cost.start_us = number_at(object, "start_us").value_or(0);
    cost.end_us = number_at(object, "end_us").value_or(0);
    cost.cpu_us = number_at(object, "cpu_us").value_or(0);
    cost.peak_kib = number_at(object, "peak_kib").value_or(0);
    cost.out_bytes = number_at(object, "stdout_bytes").value_or(0);
    cost.err_bytes = number_at(object, "stderr_bytes").value_or(0);
    rank.cost = cost;
    return rank;
}

}  // namespace

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
