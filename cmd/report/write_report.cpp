// SPDX-License-Identifier: MIT
#include "cmd/render/json_writer.hpp"
#include "cmd/report/report.hpp"

namespace launch {
namespace {

void write_time(JsonWriter& json, const char* key, std::optional<uint64_t> time) {
    if (time) json.key(key).number(*time);
}

void write_program(JsonWriter& json, const Program& program) {
    json.begin_object().key("argv").begin_array();
    for (const auto& word : program.argv)
        json.string(word);
    json.end().key("ranks").number(program.ranks).end();
}

void write_host(JsonWriter& json, NodeIndex node, const JobTimeline::Host& host) {
    json.newline().begin_object().key("node").number(node).key("name").string(host.name);
    if (host.started_by) json.key("started_by").number(*host.started_by);
    for (size_t i = 0; i < start_stages; ++i)
        write_time(json, stage_keys[i], host.began[i]);
    write_time(json, "up_us", host.up_us);
    write_time(json, "failed_us", host.failed_us);
    if (!host.error.empty()) json.key("error").string(host.error);
    json.end();
}

void write_end(JsonWriter& json, const JobTimeline::Rank& rank) {
    using Kind = ExitStatus::Kind;
    if (!rank.ended || rank.ended->kind == Kind::lost) {
        json.key("lost").boolean(true);
        return;
    }
    const ExitStatus& status = *rank.ended;
    if (status.kind == Kind::exited)
        json.key("exit_code").number(static_cast<uint64_t>(status.value));
    if (status.kind == Kind::signalled)
        json.key("signal").number(static_cast<uint64_t>(status.value));
    if (status.kind == Kind::not_started)
        json.key("not_started").string(rank.detail.empty() ? to_string(status) : rank.detail);
    if (status.kind == Kind::stuck) json.key("stuck").string(rank.detail);
}

void write_rank(JsonWriter& json, uint32_t number, const JobTimeline& line) {
    const JobTimeline::Rank& rank = line.ranks[number];
    json.newline().begin_object().key("rank").number(number).key("node").number(rank.node);
    if (rank.node > 0) json.key("host").string(line.hosts[rank.node - 1].name);
    write_end(json, rank);
    if (rank.cost) {
        json.key("pid").number(rank.cost->pid).key("start_us").number(rank.cost->start_us);
        json.key("end_us").number(rank.cost->end_us).key("cpu_us").number(rank.cost->cpu_us);
        json.key("peak_kib").number(rank.cost->peak_kib);
        json.key("stdout_bytes").number(rank.cost->out_bytes);
        json.key("stderr_bytes").number(rank.cost->err_bytes);
    }
    json.end();
}

}  // namespace

std::string report_json(const RunReport& report) {
    const JobTimeline& line = report.line;
    JsonWriter json;
    json.begin_object().key("version").number(report_version).key("job").string(line.job_id);
    if (!line.session.empty()) json.key("session").string(line.session);
    json.newline().key("programs").begin_array();
    for (const Program& program : line.programs)
        write_program(json, program);
    json.end().newline().key("began_unix_us").number(line.began_unix_us);
    write_time(json, "up_us", line.up_us);
    json.key("ending_us").number(line.ending_us).key("over_us").number(line.over_us);
    json.key("exit_code").number(static_cast<uint64_t>(report.exit_code));
    json.newline().key("hosts").begin_array();
    for (size_t i = 0; i < line.hosts.size(); ++i)
        write_host(json, static_cast<NodeIndex>(i) + 1, line.hosts[i]);
    json.newline().end().newline().key("ranks").begin_array();
    for (size_t i = 0; i < line.ranks.size(); ++i)
        write_rank(json, static_cast<uint32_t>(i), line);
    return json.newline().end().newline().end().take() + "\n";
}

}  // namespace launch
