#include "core/link/direct_move.hpp"

#include <algorithm>

#include "core/link/patience.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

}  // namespace

Error DirectMove::no_address() const {
    const char* why =
        parent_.port == 0 ? "the parent takes none" : "no address of the parent is known here";
    return Error{ErrorKind::unreachable, "open a direct link", {}, -1, why, {}};
}

DirectMove::DirectMove(any_io_executor executor, std::shared_ptr<FramedLink> link,
                       DirectLinks& links, Contact parent, LinkChoice choice, milliseconds limit,
                       Failed failed)
    : executor_(executor),
      link_(std::move(link)),
      links_(links),
      parent_(std::move(parent)),
      choice_(choice),
      limit_(choice == LinkChoice::direct ? limit : std::min(limit, patience::dial_direct)),
      failed_(std::move(failed)),
      changed_(executor) {}

bool DirectMove::worth_it() const {
    return choice_ == LinkChoice::direct || expected_ || messages_ >= enough_messages;
}

awaitable<void> DirectMove::run() {
    const std::stop_token stop = stop_.get_token();
    milliseconds pause = patience::redial;
    link_->when_carried(enough_bytes, [this] { expect_much(); });
    while (!stop.stop_requested() && !link_->closed()) {
        if (!worth_it()) {
            co_await changed_.wait();
            continue;
        }
        if (!parent_.usable()) co_return failed_(no_address());
        auto direct = co_await links_.dial(parent_, LinkPurpose::move, limit_, stop);
        if (stop.stop_requested()) co_return;
        if (direct) {
            link_->move_to(std::move(*direct));
            co_return;
        }
        if (!std::exchange(told_, true)) failed_(direct.error());
        co_await sleep_for(executor_, pause, stop);
        pause = std::min(pause * 2, patience::longest_redial);
    }
}

void DirectMove::stop() {
    stop_.request_stop();
    link_->when_carried(0, nullptr);
    changed_.notify();
}

}  // namespace launch
