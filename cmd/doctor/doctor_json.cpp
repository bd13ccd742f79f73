// SPDX-License-Identifier: MIT
#include "cmd/doctor/doctor_text.hpp"
#include "cmd/doctor/judge.hpp"
#include "cmd/render/json_writer.hpp"

namespace launch {
namespace {

/// Of this format: raised when a key goes or changes its meaning.
constexpr uint64_t doctor_version = 1;

void add_strings(JsonWriter& json, const std::vector<std::string>& texts) {
    json.begin_array();
    for (const auto& text : texts)
        json.string(text);
    json.end();
}

/// Null: no limit.
void add_limit(JsonWriter& json, const char* name, const HostLimit& limit) {
    json.key(name);
    if (limit.hard == unlimited)
        json.null();
    else
        json.number(limit.hard);
}

void add_names(JsonWriter& json, const std::vector<NameFact>& names) {
    json.key("names").begin_array();
    for (const auto& fact : names) {
        json.begin_object().key("name").string(fact.name).key("addresses");
        add_strings(json, fact.addresses);
        if (!fact.fault.empty()) json.key("fault").string(fact.fault);
        json.end();
    }
    json.end();
}

void add_folders(JsonWriter& json, const std::vector<FolderFact>& folders) {
    json.key("folders").begin_array();
    for (const auto& fact : folders) {
        if (fact.use == FolderFact::Use::launch) continue;
        json.begin_object().key("path").string(fact.path);
        json.key("free_bytes").number(fact.free_bytes).key("noexec").boolean(fact.noexec);
        if (!fact.fault.empty()) json.key("fault").string(fact.fault);
        json.end();
    }
    json.end();
}

void add_facts(JsonWriter& json, const HostFacts& facts) {
    json.key("glibc").string(facts.libc);
    add_limit(json, "open_files", facts.files);
    add_limit(json, "locked_bytes", facts.locked_memory);
    add_limit(json, "processes", facts.processes);
    json.key("libraries").begin_array();
    for (const auto& library : facts.libraries)
        json.begin_object()
            .key("name")
            .string(library.name)
            .key("version")
            .string(library.version)
            .end();
    json.end();
    add_names(json, facts.names);
    add_folders(json, facts.folders);
}

void add_host(JsonWriter& json, const ExaminedHost& host) {
    json.newline().begin_object().key("name").string(host.name).key("up").boolean(host.is_up);
    if (!host.started_by.empty()) json.key("started_by").string(host.started_by);
    if (host.failure)
        json.key("error").string(host.failure->operation + ": " + host.failure->cause);
    if (host.facts) add_facts(json, *host.facts);
    if (host.facts && host.latest_us >= host.earliest_us && host.latest_us > 0)
        json.key("clock_unix_us")
            .number(host.facts->clock_us)
            .key("clock_earliest_us")
            .number(host.earliest_us)
            .key("clock_latest_us")
            .number(host.latest_us);
    json.end();
}

void add_finding(JsonWriter& json, const Finding& finding) {
    json.newline()
        .begin_object()
        .key("severity")
        .string(severity_names[static_cast<size_t>(finding.severity)]);
    json.key("check").string(check_names[static_cast<size_t>(finding.check)]).key("hosts");
    add_strings(json, finding.hosts);
    json.key("what").string(finding.what);
    if (!finding.fix.empty()) json.key("fix").string(finding.fix);
    json.end();
}

}  // namespace

std::string doctor_json(const Examination& seen, const std::vector<Finding>& findings) {
    JsonWriter json;
    json.begin_object().key("version").number(doctor_version);
    json.key("works").boolean(!would_fail_by(findings));
    json.newline().key("findings").begin_array();
    for (const auto& finding : findings)
        add_finding(json, finding);
    json.end().newline().key("hosts").begin_array();
    for (const auto& host : seen.hosts)
        add_host(json, host);
    return json.end().end().take() + "\n";
}

}  // namespace launch
