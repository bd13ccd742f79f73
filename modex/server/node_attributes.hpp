#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace launch {

/// Attributes that ranks of one node tell each other (PMI-2's info-putnodeattr). Waiter: names who
/// waits for one.
template <typename Waiter>
class NodeAttributes {
  public:
    /// Who has waited for it.
    std::vector<Waiter> put(const std::string& key, std::string value) {
        std::vector<Waiter> woken;
        const auto [first, last] = waiters_.equal_range(key);
        for (auto waiter = first; waiter != last; ++waiter)
            woken.push_back(waiter->second);
        waiters_.erase(first, last);
        values_[key] = std::move(value);
        return woken;
    }

    std::optional<std::string> get(const std::string& key) const {
        const auto known = values_.find(key);
        if (known == values_.end()) return std::nullopt;
        return known->second;
    }

    /// put() will name it.
    void wait(const std::string& key, Waiter waiter) { waiters_.emplace(key, std::move(waiter)); }

  private:
    std::map<std::string, std::string> values_;
    std::multimap<std::string, Waiter> waiters_;
};

}  // namespace launch
