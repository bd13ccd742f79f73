// SPDX-License-Identifier: MIT
#include "core/session/session_talk.hpp"

#include "core/base/build_id.hpp"
#include "core/base/seconds.hpp"
#include "core/io/stream_watch.hpp"
#include "core/link/patience.hpp"
#include "core/wire/messages.hpp"

namespace launch {
namespace {

/// Nothing that a user has said is wrong.
Error lost_session(const std::string& name, std::string cause, std::string advice) {
    Error error = session_error(name, std::move(cause), std::move(advice));
    error.kind = ErrorKind::unreachable;
    return error;
}

}  // namespace

Error session_error(const std::string& name, std::string cause, std::string advice) {
    const std::string operation = name.empty() ? "ask the job" : "session " + name;
    return {ErrorKind::usage, operation, {}, -1, std::move(cause), std::move(advice)};
}

SessionTalk::SessionTalk(any_io_executor executor, Peer peer, std::unique_ptr<ByteStream> stream,
                         std::stop_token stop)
    : executor_(std::move(executor)),
      peer_(std::move(peer)),
      stream_(std::move(stream)),
      stop_(std::move(stop)) {}

Error SessionTalk::unreadable() const {
    return session_error(peer_.name, "the session sent an answer that this launch cannot read", {});
}

Error SessionTalk::silent(milliseconds limit) const {
    const std::string process = "process " + std::to_string(peer_.process);
    if (peer_.name.empty())
        return lost_session(peer_.name, process + " does not answer", "is the process stopped?");
    return lost_session(peer_.name, process + " has not answered for " + in_seconds(limit),
                        "is the process stopped? `launch session stop` ends it");
}

Error SessionTalk::gone() const {
    if (peer_.name.empty())
        return lost_session(peer_.name, "process " + std::to_string(peer_.process) + " has ended",
                            {});
    return lost_session(peer_.name, "the session has ended", session_hint);
}

/// False: the stream has ended.
awaitable<bool> SessionTalk::fill(std::span<char> bytes) {
    while (!bytes.empty()) {
        const size_t n = co_await stream_->read_some(bytes);
        if (n == 0) co_return false;
        bytes = bytes.subspan(n);
    }
    co_return true;
}

awaitable<Result<Frame>> SessionTalk::receive(FrameType type, Limit limit) {
    std::optional<StreamWatch> watch;
    if (limit) watch.emplace(executor_, *stream_, *limit, stop_);
    const auto ended = [&] { return watch && watch->timed_out() ? silent(*limit) : gone(); };
    std::string head(frame_head, '\0');
    const bool has_head = co_await fill(head);
    if (!has_head) co_return ended();
    const uint32_t length = payload_length(head);
    if (static_cast<FrameType>(head.back()) != type || length > max_frame) co_return unreadable();
    Frame frame{type, std::string(length, '\0')};
    const bool is_whole = co_await fill(frame.payload);
    if (!is_whole) co_return ended();
    co_return frame;
}

awaitable<Result<SessionState>> SessionTalk::greet(Limit limit) {
    const auto frame = co_await receive(FrameType::hello, limit);
    if (!frame) co_return frame.error();
    const auto hello = Hello::decode(frame->payload);
    const bool is_job = peer_.name.empty();
    const std::string of_session = is_job ? "" : " of the session";
    const std::string other_way =
        is_job ? "" : ", or run `launch session stop " + peer_.name + "` and start a new session";
    if (!hello || hello->version != Hello::current_version || hello->build_id != own_build_id())
        co_return session_error(peer_.name,
                                "process " + std::to_string(peer_.process) + of_session +
                                    " runs another build of launch",
                                "use that build" + other_way);
    co_return co_await receive_state(limit);
}

awaitable<Result<SessionState>> SessionTalk::receive_state(Limit limit) {
    const auto frame = co_await receive(FrameType::session_state, limit);
    if (!frame) co_return frame.error();
    auto state = SessionState::decode(frame->payload);
    if (!state) co_return unreadable();
    co_return *std::move(state);
}

awaitable<Status> SessionTalk::say(SessionRequest request) {
    std::string bytes;
    encode_frame(FrameType::session_request, encode(request), bytes);
    StreamWatch watch(executor_, *stream_, patience::answer, stop_);
    for (std::span<const char> rest(bytes); !rest.empty();) {
        const size_t n = co_await stream_->write_some(rest);
        if (n == 0) co_return watch.timed_out() ? silent(patience::answer) : gone();
        rest = rest.subspan(n);
    }
    co_return Ok{};
}

awaitable<Result<SessionAnswer>> SessionTalk::answer(Limit limit) {
    const auto frame = co_await receive(FrameType::session_answer, limit);
    if (!frame) co_return frame.error();
    auto answer = SessionAnswer::decode(frame->payload);
    if (!answer) co_return unreadable();
    co_return *std::move(answer);
}

awaitable<Result<SessionAnswer>> SessionTalk::ask(SessionRequest request, Limit limit) {
    const auto said = co_await say(std::move(request));
    if (!said) co_return said.error();
    co_return co_await answer(limit);
}

awaitable<Result<SessionState>> SessionTalk::wait_for_slots(std::vector<NodeIndex> wished) {
    SessionRequest wait = WaitRequest{std::move(wished)};
    const auto said = co_await say(std::move(wait));
    if (!said) co_return said.error();
    co_return co_await receive_state({});
}

}  // namespace launch
