// SPDX-License-Identifier: MIT
#include "cmd/options/settings.hpp"

#include <utility>

#include "cmd/options/usage_error.hpp"

namespace launch {

std::string place_of(const Origin& origin) {
    return shown_path(origin.file) + ":" + std::to_string(origin.line) + ":" +
           std::to_string(origin.column);
}

std::string named(const Origin& origin) {
    return origin.line == 0 ? origin.name : origin.name + " (" + place_of(origin) + ")";
}

void Origins::note(std::string_view key, Origin origin) {
    by_key_.insert_or_assign(std::string(key), std::vector{std::move(origin)});
}

void Origins::add(std::string_view key, Origin origin) {
    by_key_[std::string(key)].push_back(std::move(origin));
}

const Origin* Origins::find(std::string_view key) const {
    const auto all = all_of(key);
    return all.empty() ? nullptr : &all.back();
}

std::span<const Origin> Origins::all_of(std::string_view key) const {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return {};
    return found->second;
}

bool Origins::is_for_every_job(std::string_view key) const {
    const auto* origin = find(key);
    return origin != nullptr && origin->layer < Layer::job_file;
}

}  // namespace launch
