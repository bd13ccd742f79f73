// SPDX-License-Identifier: MIT
#include "cmd/doctor/doctor_text.hpp"

#include "cmd/doctor/judge.hpp"
#include "cmd/render/text_table.hpp"
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

std::vector<std::string> hosts_with(const std::vector<Finding>& findings, Severity severity) {
    std::vector<std::string> hosts;
    for (const auto& finding : findings)
        if (finding.severity == severity)
            hosts.insert(hosts.end(), finding.hosts.begin(), finding.hosts.end());
    return hosts;
}

size_t count(const std::vector<Finding>& findings, Severity severity) {
    size_t number = 0;
    for (const auto& finding : findings)
        number += finding.severity == severity ? 1 : 0;
    return number;
}

std::string verdict(const Examination& seen, const std::vector<Finding>& findings) {
    const std::string where =
        seen.is_local ? "on this machine" : "on " + counted(seen.hosts.size(), "host");
    if (would_fail_by(findings))
        return "a launch " + where + " would fail: see " +
               fold_names(hosts_with(findings, Severity::fault));
    const size_t warnings = count(findings, Severity::warning);
    return "a launch " + where + " would work" +
           (warnings > 0 ? ", with " + counted(warnings, "warning") : "");
}

}  // namespace

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

}  // namespace launch
