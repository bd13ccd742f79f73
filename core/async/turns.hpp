// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <memory>

#include "core/async/event.hpp"

namespace launch {

/// A line of coroutines of one thread that wait for more of the same thing than there is at a time.
/// Who waits on an Event and finds nothing left goes to the end of it, maybe behind who has just
/// had some: one that is quick can have all, for ever. Here each has its turn.
///
///     Turns::Place place(turns);
///     while (!(place.is_first() && there_is_some()))
///         co_await place.wait();
///     take_some();  // and leave: the next one is first now, and is woken
class Turns {
  public:
    class Place;

    explicit Turns(any_io_executor executor) : executor_(std::move(executor)) {}
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;

    /// There is some: wakes the first. As with an Event, that is not remembered.
    void notify();
    /// There will be none any more.
    void notify_all();

  private:
    using Line = std::list<Place*>;

    any_io_executor executor_;
    /// Shared: a coroutine that never went on may be destroyed after what it waited for.
    std::shared_ptr<Line> line_ = std::make_shared<Line>();
};

/// Where a coroutine is in the line, as long as this lives.
class Turns::Place {
  public:
    explicit Place(Turns& turns);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    bool is_first() const { return line_->front() == this; }
    /// Until it is woken, also for nothing.
    awaitable<void> wait();

  private:
    friend class Turns;

    std::shared_ptr<Line> line_;
    Line::iterator self_;
    asio::steady_timer timer_;
};

}  // namespace launch
