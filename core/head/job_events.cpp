// SPDX-License-Identifier: MIT
#include "core/head/job_events.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

constexpr std::array<const char*, 5> kind_words{"hosts_joined", "hosts_left", "processes_joined",
                                                "processes_left", "process_failed"};

}  // namespace

void JobEvents::tell(JobEvent event) {
    events_.push_back(std::move(event));
    if (events_.size() <= most) return;
    events_.pop_front();
    ++dropped_;
}

void JobEvents::tell_hosts(bool joined, std::vector<std::string> names) {
    std::erase_if(names, [&](const std::string& name) {
        if (name.empty()) return true;
        if (!joined) return !left_.insert(name).second;
        left_.erase(name);
        return false;
    });
    tell_split(joined ? JobEvent::Kind::hosts_joined : JobEvent::Kind::hosts_left, names);
}

void JobEvents::tell_split(JobEvent::Kind kind, const std::vector<std::string>& names) {
    if (names.empty()) return;
    std::string text = fold_names(names);
    if (text.size() <= longest_name || names.size() == 1)
        return tell({kind, std::move(text), static_cast<uint32_t>(names.size()), {}});
    const auto middle = names.begin() + static_cast<std::ptrdiff_t>(names.size() / 2);
    tell_split(kind, {names.begin(), middle});
    tell_split(kind, {middle, names.end()});
}

std::optional<std::string> JobEvents::after(uint64_t number) const {
    const uint64_t index = number > dropped_ ? number - dropped_ : 0;
    if (index >= events_.size()) return std::nullopt;
    const JobEvent& event = events_[index];
    return "number=" + std::to_string(dropped_ + index + 1) +
           " kind=" + kind_words.at(static_cast<size_t>(event.kind)) +
           " count=" + std::to_string(event.count) +
           " rank=" + (event.rank ? std::to_string(*event.rank) : "-1") + " name=" + event.name;
}

}  // namespace launch
