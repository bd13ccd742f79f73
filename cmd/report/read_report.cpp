#include <nlohmann/json.hpp>

#include "cmd/report/report.hpp"

namespace launch {
namespace {

using Json = nlohmann::json;

Error unreadable(std::string cause) {
    return {ErrorKind::usage, "read the report", {}, -1, std::move(cause), {}};
}

std::optional<uint64_t> number(const Json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end() || !at->is_number_unsigned()) return std::nullopt;
    return at->get<uint64_t>();
}

std::string text(const Json& object, const char* key) {
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
    program.ranks = static_cast<uint32_t>(number(object, "ranks").value_or(0));
    if (const auto argv = object.find("argv"); argv != object.end() && argv->is_array())
        for (const Json& word : *argv)
            if (word.is_string()) program.argv.push_back(word.get<std::string>());
    return program;
}

JobTimeline::Host host_of(const Json& object) {
    JobTimeline::Host host;
    host.name = text(object, "name");
    if (const auto by = number(object, "started_by")) host.started_by = static_cast<NodeIndex>(*by);
    for (size_t i = 0; i < start_stages; ++i)
        host.began[i] = number(object, stage_keys[i]);
    host.up_us = number(object, "up_us");
    host.failed_us = number(object, "failed_us");
    host.error = text(object, "error");
    return host;
}

std::optional<ExitStatus> end_of(const Json& object) {
    using Kind = ExitStatus::Kind;
    const auto with = [&](const char* key, Kind kind) -> std::optional<ExitStatus> {
        const auto value = number(object, key);
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
    const uint64_t node = number(object, "node").value_or(0);
    rank.node = node <= hosts ? static_cast<NodeIndex>(node) : 0;
    rank.ended = end_of(object);
    rank.detail = text(object, "not_started") + text(object, "stuck");
    if (!object.contains("pid")) return rank;
    RankCost cost;
    cost.rank = static_cast<uint32_t>(number(object, "rank").value_or(0));
    cost.pid = static_cast<uint32_t>(number(object, "pid").value_or(0));
    cost.start_us = number(object, "start_us").value_or(0);
    cost.end_us = number(object, "end_us").value_or(0);
    cost.cpu_us = number(object, "cpu_us").value_or(0);
    cost.peak_kib = number(object, "peak_kib").value_or(0);
    cost.out_bytes = number(object, "stdout_bytes").value_or(0);
    cost.err_bytes = number(object, "stderr_bytes").value_or(0);
    rank.cost = cost;
    return rank;
}

}  // namespace

Result<RunReport> read_report(const std::string& text_of_file) {
    const Json object = Json::parse(text_of_file, nullptr, false);
    if (object.is_discarded()) return unreadable("it is not JSON");
    const auto version = object.is_object() ? number(object, "version") : std::nullopt;
    if (!version || !object.contains("hosts") || !object.contains("ranks"))
        return unreadable("it is no report of launch (launch --report FILE writes one)");
    if (*version > report_version)
        return unreadable("it is of version " + std::to_string(*version) +
                          ", which a later launch wrote; this one reads version " +
                          std::to_string(report_version));
    RunReport report;
    JobTimeline& line = report.line;
    line.job_id = text(object, "job");
    line.session = text(object, "session");
    for (const Json* each : objects(object, "programs"))
        line.programs.push_back(program_of(*each));
    line.began_unix_us = number(object, "began_unix_us").value_or(0);
    line.up_us = number(object, "up_us");
    line.ending_us = number(object, "ending_us").value_or(0);
    line.over_us = number(object, "over_us").value_or(0);
    report.exit_code = static_cast<int>(number(object, "exit_code").value_or(0));
    for (const Json* each : objects(object, "hosts"))
        line.hosts.push_back(host_of(*each));
    for (const Json* each : objects(object, "ranks"))
        line.ranks.push_back(rank_of(*each, line.hosts.size()));
    return report;
}

}  // namespace launch
