// SPDX-License-Identifier: MIT
#include "core/head/notices.hpp"

#include "core/hosts/hostlist.hpp"

namespace launch {

void Notices::add(Line notice, std::string host, Time due) {
    if (notices_.empty()) due_ = due;
    notices_.emplace_back(std::move(notice), std::move(host));
}

std::vector<Notices::Line> Notices::take() {
    due_ = Time::max();
    std::vector<Line> lines;
    while (!notices_.empty()) {
        const Line told = notices_.front().first;
        std::vector<std::string> hosts;
        std::erase_if(notices_, [&](const auto& notice) {
            if (notice.first != told) return false;
            if (!notice.second.empty()) hosts.push_back(notice.second);
            return true;
        });
        const std::string where = hosts.empty() ? "" : fold_names(hosts) + ": ";
        lines.push_back({"note: " + where + told.text, told.asked});
    }
    return lines;
}

}  // namespace launch
