// SPDX-License-Identifier: MIT
#include "cmd/doctor/findings.hpp"

#include <algorithm>
#include <tuple>

namespace launch {

void Findings::add(Finding finding, const std::string& host) {
    auto same = std::find_if(findings_.begin(), findings_.end(), [&](const Finding& other) {
        return other.severity == finding.severity && other.check == finding.check &&
               other.what == finding.what && other.fix == finding.fix;
    });
    if (same == findings_.end()) same = findings_.insert(same, std::move(finding));
    auto& hosts = same->hosts;
    if (std::find(hosts.begin(), hosts.end(), host) == hosts.end()) hosts.push_back(host);
}

void Findings::add(Severity severity, Check check, const std::string& host, std::string what,
                   std::string fix) {
    add({severity, check, {}, std::move(what), std::move(fix), {}}, host);
}

void Findings::add_fault(Check check, const std::string& host, ErrorKind kind, std::string what,
                         std::string fix) {
    add({Severity::fault, check, {}, std::move(what), std::move(fix), kind}, host);
}

void Findings::done(Check check, std::string what) {
    done_[static_cast<size_t>(check)] = std::move(what);
}

std::vector<Finding> Findings::take() {
    for (size_t i = 0; i < done_.size(); ++i) {
        const auto check = static_cast<Check>(i);
        const bool is_bad = std::any_of(findings_.begin(), findings_.end(), [&](const auto& each) {
            return each.check == check && each.severity < Severity::note;
        });
        if (!done_[i].empty() && !is_bad)
            findings_.push_back({Severity::good, check, {}, std::move(done_[i]), {}, {}});
    }
    std::stable_sort(findings_.begin(), findings_.end(), [](const auto& a, const auto& b) {
        return std::tie(a.severity, a.check) < std::tie(b.severity, b.check);
    });
    return std::move(findings_);
}

}  // namespace launch
