#include "core/head/notices.hpp"

#include "core/hosts/hostlist.hpp"

namespace launch {

void Notices::add(std::string text, std::string host, Time due) {
    if (notices_.empty()) due_ = due;
    notices_.emplace_back(std::move(text), std::move(host));
}

std::vector<std::string> Notices::take() {
    due_ = Time::max();
    std::vector<std::string> lines;
    while (!notices_.empty()) {
        const std::string text = notices_.front().first;
        std::vector<std::string> hosts;
        std::erase_if(notices_, [&](const auto& notice) {
            if (notice.first != text) return false;
            if (!notice.second.empty()) hosts.push_back(notice.second);
            return true;
        });
        lines.push_back("note: " + (hosts.empty() ? text : fold_names(hosts) + ": " + text));
    }
    return lines;
}

}  // namespace launch
