#include "cmd/options/settings.hpp"

#include <utility>

namespace launch {

void Origins::note(std::string_view key, Origin origin) {
    by_key_.insert_or_assign(std::string(key), std::move(origin));
}

const Origin* Origins::find(std::string_view key) const {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : &found->second;
}

bool Origins::is_for_every_job(std::string_view key) const {
    const auto* origin = find(key);
    return origin != nullptr && origin->layer < Layer::job_file;
}

}  // namespace launch
