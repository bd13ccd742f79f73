// SPDX-License-Identifier: MIT
#include "cmd/render/json.hpp"
#include "cmd/report/report.hpp"

namespace launch {
namespace {

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
    json["start_us"] = rank.cost->start_us;
    json["end_us"] = rank.cost->end_us;
    json["cpu_us"] = rank.cost->cpu_us;
    json["peak_kib"] = rank.cost->peak_kib;
    json["stdout_bytes"] = rank.cost->out_bytes;
    json["stderr_bytes"] = rank.cost->err_bytes;
    return json;
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

}  // namespace launch
