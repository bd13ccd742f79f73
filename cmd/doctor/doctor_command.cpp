// SPDX-License-Identifier: MIT
#include <iostream>
#include <utility>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/doctor/judge.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/jobfile/gather.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/render/json.hpp"
#include "cmd/render/rendered.hpp"
#include "cmd/render/text_parts.hpp"
#include "cmd/request/job_request.hpp"
#include "cmd/request/surroundings.hpp"
#include "core/base/counted.hpp"
#include "core/base/terminal_text.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

/// Wider lists would push the words aside that the table is for.
constexpr size_t widest_hosts = 32;

std::string shown_hosts(const Finding& finding, const Examination& seen) {
    if (finding.hosts.empty()) return "";
    if (finding.hosts.size() == seen.hosts.size() && finding.hosts.size() > 1) return "all hosts";
    std::string names = fold_names(finding.hosts);
    if (names.size() <= widest_hosts) return names;
    const std::string count = "... (" + std::to_string(finding.hosts.size()) + ")";
    return names.substr(0, widest_hosts - count.size()) + count;
}

std::string verdict(const Examination& seen, const std::vector<Finding>& findings) {
    const std::string where =
        seen.is_local ? "on this machine" : "on " + counted(seen.hosts.size(), "host");
    std::vector<std::string> faulty;
    size_t warnings = 0;
    for (const auto& [severity, check, hosts, what, fix, kind] : findings) {
        if (severity == Severity::fault) faulty.insert(faulty.end(), hosts.begin(), hosts.end());
        if (severity == Severity::warning) ++warnings;
    }
    if (would_fail_by(findings))
        return "a launch " + where + " would fail: see " + fold_names(std::move(faulty));
    return "a launch " + where + " would work" +
           (warnings > 0 ? ", with " + counted(warnings, "warning") : "");
}

/// A table for people: a row a finding, and below it what to do.
std::string doctor_text(const Examination& seen, const std::vector<Finding>& findings) {
    TextTable table;
    for (const auto& finding : findings) {
        table.row({std::string(severity_names[static_cast<size_t>(finding.severity)]),
                   std::string(check_names[static_cast<size_t>(finding.check)]),
                   shown_hosts(finding, seen), terminal_text(finding.what)});
        if (!finding.fix.empty()) table.row({"", "", "", "-> " + terminal_text(finding.fix)});
    }
    return table.text() + verdict(seen, findings) + "\n";
}

/// Raised if a key is removed or changes its meaning.
constexpr uint64_t doctor_version = 1;

Json limit_json(const HostLimit& limit) {
    return limit.hard == unlimited ? Json() : Json(limit.hard);
}

Json library_json(const LibraryFact& library) {
    return {{"name", library.name}, {"version", library.version}};
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

Json examined_json(const ExaminedHost& host) {
    Json json = {{"name", host.name}, {"up", host.is_up}};
    if (!host.started_by.empty()) json["started_by"] = host.started_by;
    if (host.failure) json["error"] = host.failure->operation + ": " + host.failure->cause;
    if (!host.facts) return json;
    const HostFacts& facts = *host.facts;
    json["glibc"] = facts.libc;
    json["open_files"] = limit_json(facts.files);
    json["locked_bytes"] = limit_json(facts.locked_memory);
    json["processes"] = limit_json(facts.processes);
    json["libraries"] = json_list(facts.libraries, library_json);
    json["names"] = json_list(facts.names, name_json);
    json["folders"] = Json::array();
    for (const auto& fact : facts.folders)
        if (fact.use != FolderFact::Use::launch) json["folders"].push_back(folder_json(fact));
    if (host.latest_us < host.earliest_us || host.latest_us == 0) return json;
    json["clock_unix_us"] = facts.clock_us;
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

/// The findings and the facts of all hosts: cmd/render/schemas/doctor.json.
std::string doctor_json(const Examination& seen, const std::vector<Finding>& findings) {
    return json_text({{"version", doctor_version},
                      {"works", !would_fail_by(findings)},
                      {"findings", json_list(findings, finding_json)},
                      {"hosts", json_list(seen.hosts, examined_json)}});
}

int tell(const Examination& seen, Format format) {
    if (seen.signal != 0) return exit_code::signal_base + seen.signal;
    const auto findings = judge(seen);
    const int shown =
        show(rendered(format, {{Format::text, [&] { return doctor_text(seen, findings); }},
                               {Format::json, [&] { return doctor_json(seen, findings); }}}));
    if (shown != exit_code::success) return shown;
    const auto kind = would_fail_by(findings);
    return kind ? exit_code_of(Error{*kind, {}, {}, -1, {}, {}}) : exit_code::success;
}

}  // namespace

int start_doctor(const std::vector<std::string>& words) {
    const auto around = look_around();
    if (!around) return fail(around.error());
    const WordRules rules{.table = doctor_options(), .programs = Programs::none, .page = "doctor"};
    const auto gathered = gather_settings(words, rules, usual_places(around->env, around->wdir));
    if (!gathered.mistakes.empty()) return fail(gathered.mistakes);
    Settings settings = gathered.settings;
    const Format format = std::exchange(settings.view, {}).format;
    if (!settings.quiet) tell_notes(gathered.notes);
    auto request = make_request(settings, *around, std::cin);
    if (!request) return fail(with_page(request.error(), "doctor"));
    if (!settings.quiet) tell_notes(request->notes);
    const auto seen = examine_hosts(std::move(request->spec), around->wdir);
    return seen ? tell(*seen, format) : fail(seen.error());
}

}  // namespace launch
