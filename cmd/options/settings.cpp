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

}  // namespace launch
