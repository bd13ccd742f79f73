// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "core/stage/flow.hpp"
#include "core/stage/shelf.hpp"

namespace launch {

/// Sends one child the segments of the shelf, as fast as it asks for them and its link takes them:
/// one segment waits for the link at most.
class StageFeed {
  public:
    explicit StageFeed(std::shared_ptr<SegmentShelf> shelf)
        : shelf_(std::move(shelf)), cursor_(shelf_->segments().total()) {}

    /// Takes the child's WantedMessage. False: malformed.
    bool wanted(std::string_view payload);

    /// False: the link is gone; another one may come, and the child says then where to go on.
    using Send = std::function<awaitable<bool>(std::string payload)>;
    /// Until stop().
    awaitable<void> run(Send send);
    void stop();

  private:
    std::shared_ptr<SegmentShelf> shelf_;
    SegmentCursor cursor_;
    std::stop_source stop_;
};

}  // namespace launch
