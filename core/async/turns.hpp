// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <memory>

#include "core/async/timer.hpp"

namespace launch {

/// A queue of coroutines of one thread that wait for something of which there is not enough for
/// all. A coroutine that waits on an Event and finds nothing left would go to its end, perhaps
/// behind one that has just been served: a quick one could take everything, forever. Here each has
/// its turn.
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
    Timer timer_;
};

}  // namespace launch
