// SPDX-License-Identifier: MIT
#include "cmd/doctor/doctor_text.hpp"
#include "cmd/doctor/judge.hpp"
#include "cmd/render/json.hpp"

namespace launch {
namespace {

/// Raised if a key is removed or changes its meaning.
constexpr uint64_t doctor_version = 1;

Json limit_json(const HostLimit& limit) {
    return limit.hard == unlimited ? Json() : Json(limit.hard);
}

Json name_json(const NameFact& fact) {
    Json json = {{"name", fact.name}, {"addresses", fact.addresses}};
    if (!fact.fault.empty()) json["fault"] = fact.fault;
    return json;
}

Json folder_json(const FolderFact& fact) {
    Json json = {{"path", fact.path}, {"free_bytes", fact.free_bytes}, {"noexec", fact.noexec}};
    if (!fact.fault.empty()) json["fault"] = fact.fault;
    return json;
}

void add_facts(Json& json, const HostFacts& facts) {
    json["glibc"] = facts.libc;
    json["open_files"] = limit_json(facts.files);
    json["locked_bytes"] = limit_json(facts.locked_memory);
    json["processes"] = limit_json(facts.processes);
    json["libraries"] = Json::array();
    for (const auto& library : facts.libraries)
        json["libraries"].push_back({{"name", library.name}, {"version", library.version}});
    json["names"] = Json::array();
    for (const auto& fact : facts.names)
        json["names"].push_back(name_json(fact));
    json["folders"] = Json::array();
    for (const auto& fact : facts.folders)
        if (fact.use != FolderFact::Use::launch) json["folders"].push_back(folder_json(fact));
}

Json host_json(const ExaminedHost& host) {
    Json json = {{"name", host.name}, {"up", host.is_up}};
    if (!host.started_by.empty()) json["started_by"] = host.started_by;
    if (host.failure) json["error"] = host.failure->operation + ": " + host.failure->cause;
    if (!host.facts) return json;
    add_facts(json, *host.facts);
    if (host.latest_us < host.earliest_us || host.latest_us == 0) return json;
    json["clock_unix_us"] = host.facts->clock_us;
    json["clock_earliest_us"] = host.earliest_us;
    json["clock_latest_us"] = host.latest_us;
    return json;
}

Json finding_json(const Finding& finding) {
    Json json = {{"severity", severity_names[static_cast<size_t>(finding.severity)]},
                 {"check", check_names[static_cast<size_t>(finding.check)]},
                 {"hosts", finding.hosts},
                 {"what", finding.what}};
    if (!finding.fix.empty()) json["fix"] = finding.fix;
    return json;
}

}  // namespace

std::string doctor_json(const Examination& seen, const std::vector<Finding>& findings) {
    Json json = {{"version", doctor_version},
                 {"works", !would_fail_by(findings)},
                 {"findings", Json::array()},
                 {"hosts", Json::array()}};
    for (const auto& finding : findings)
        json["findings"].push_back(finding_json(finding));
    for (const auto& host : seen.hosts)
        json["hosts"].push_back(host_json(host));
    return json_text(json);
}

}  // namespace launch
