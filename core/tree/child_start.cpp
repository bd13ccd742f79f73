// SPDX-License-Identifier: MIT
// Sends the first messages to a child after its greeting, and reports its start.

#include "core/tree/child.hpp"
#include "core/tree/said_text.hpp"

namespace launch {

void Child::give_part() {
    window_ = context_.window;
    NodeKey key;
    if (context_.links != nullptr) key = {context_.links->key_of(block_.range()), context_.lineage};
    SubtreeMessage subtree{context_.tree_bytes, block_.first,   block_.hosts, context_.contacts,
                           block_.generation,   std::move(key), window_};
    // A relay on this machine has no connection that would tell it by which address others reach
    // it.
    if (context_.transport.is_own(block_.hosts.front()))
        subtree.ancestors.front().address = context_.transport.own_address();
    link_->send(FrameType::subtree, subtree.encode());
    link_->allow(window_);
    channels_.resend(*link_);
    send_queued();
    for (const auto& entry : context_.broadcasts.entries())
        link_->send(entry.type, entry.payload);
    // Before it says that it is up: this host may be silent from then on, and the child has to
    // notice that as soon as the neighbours of this host on the other side do.
    if (context_.start_is_over) announce(false);
}

void Child::report_failure(Error error) {
    error.kind = ErrorKind::unreachable;
    error.from = context_.host;
    context_.upstream.failure(
        {block_.first, false, {}, std::move(error), {}, 0, block_.generation});
}

void Child::notice_noise() {
    const std::string noise = link_->parser().noise();
    if (noise.empty()) return;
    context_.upstream.notice({block_.first, false,
                              "the login shell printed \"" + last_lines(noise, 60) +
                                  "\" before launch started, which launch ignores (its start-up "
                                  "files should print nothing without a terminal)",
                              NoticeMessage::Topic::login_noise});
}

/// A user who has put another build on the host may want to know that it is never used.
void Child::notice_push(bool replaced) {
    if (pushed_bytes_ == 0) return;
    const char* text = replaced ? "another build of launch is there, so this build was sent"
                                : "launch was sent there";
    context_.upstream.notice({block_.first, !replaced, text, NoticeMessage::Topic::sent});
}

}  // namespace launch
