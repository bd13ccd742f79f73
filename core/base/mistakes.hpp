// SPDX-License-Identifier: MIT
#pragma once

#include <iterator>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// The mistakes in a text of the user, in the order in which they were found: all are reported at
/// once. The result is a list of errors or, as a Result, one error with the others in it.
class Mistakes {
  public:
    /// An error, and what else is wrong by it.
    void add(Error error) {
        auto others = std::exchange(error.others, {});
        list_.push_back(std::move(error));
        list_.insert(list_.end(), std::make_move_iterator(others.begin()),
                     std::make_move_iterator(others.end()));
    }

    void add(const Mistakes& more) {
        list_.insert(list_.end(), more.list_.begin(), more.list_.end());
    }

    /// Adds what went wrong, if something did; whether nothing did.
    template <class T>
    bool check(Result<T> result) {
        if (!result) add(std::move(result.error()));
        return static_cast<bool>(result);
    }

    bool empty() const { return list_.empty(); }
    size_t size() const { return list_.size(); }
    const Error& operator[](size_t i) const { return list_[i]; }
    auto begin() const { return list_.begin(); }
    auto end() const { return list_.end(); }

    /// The first, with the others in it. There is one.
    Error take() {
        Error first = std::move(list_.front());
        first.others.assign(std::make_move_iterator(list_.begin() + 1),
                            std::make_move_iterator(list_.end()));
        list_.clear();
        return first;
    }

    /// The mistakes as a Status: success if none was found.
    Status take_status() {
        if (empty()) return Ok{};
        return take();
    }

  private:
    std::vector<Error> list_;
};

}  // namespace launch
