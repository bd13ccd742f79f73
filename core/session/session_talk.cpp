// SPDX-License-Identifier: MIT
#include "core/session/session_talk.hpp"

#include "core/base/build_id.hpp"
#include "core/base/seconds.hpp"
#include "core/io/stream_watch.hpp"
#include "core/link/patience.hpp"
#include "core/wire/messages.hpp"

namespace launch {

Error session_error(const std::string& name, std::string cause, std::string advice) {
    const std::string operation = name.empty() ? "ask the job" : "session " + name;
    return {ErrorKind::usage, operation, {}, -1, std::move(cause), std::move(advice)};
}

Error lost_session(const std::string& name, std::string cause, std::string advice) {
    Error error = session_error(name, std::move(cause), std::move(advice));
    error.kind = ErrorKind::unreachable;
    return error;
}

SessionTalk::SessionTalk(any_io_executor executor, Partner partner,
                         std::unique_ptr<ByteStream> stream, std::stop_token stop)
    : executor_(std::move(executor)),
      partner_(std::move(partner)),
      stream_(std::move(stream)),
      stop_(std::move(stop)) {}

Error SessionTalk::unreadable() const {
    return session_error(partner_.name, "the session sent an answer that this launch cannot read",
                         {});
}

Error SessionTalk::lost(bool is_silent) const {
    const std::string process = "process " + std::to_string(partner_.process);
    const bool is_job = partner_.name.empty();
    if (!is_silent)
        return lost_session(partner_.name,
                            is_job ? process + " has ended" : "the session has ended",
                            is_job ? "" : session_hint);
    if (is_job) return lost_session({}, process + " does not answer", "is the process stopped?");
    return lost_session(partner_.name,
                        process + " has not answered for " + in_seconds(patience::answer),
                        "is the process stopped? `launch session stop` ends it");
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

awaitable<Result<Frame>> SessionTalk::receive(FrameType type, Deadline deadline) {
    const std::stop_callback stopped(stop_, [this] { stream_->close(); });
    std::optional<StreamWatch> watch;
    if (deadline) {
        const auto left = std::chrono::ceil<milliseconds>(*deadline - Clock::now());
        watch.emplace(executor_, *stream_, left, std::stop_token());
    }
    const auto is_silent = [&watch] { return watch && watch->timed_out(); };
    std::string head(frame_head, '\0');
    const bool has_head = co_await fill(head);
    if (!has_head) co_return lost(is_silent());
    const uint32_t length = payload_length(head);
    if (static_cast<FrameType>(head.back()) != type || length > max_frame) co_return unreadable();
    Frame frame{type, std::string(length, '\0')};
    const bool is_whole = co_await fill(frame.payload);
    if (!is_whole) co_return lost(is_silent());
    co_return frame;
}

template <class Message>
awaitable<Result<Message>> SessionTalk::receive_as(FrameType type, Deadline deadline) {
    const auto frame = co_await receive(type, deadline);
    if (!frame) co_return frame.error();
    auto message = Message::decode(frame->payload);
    if (!message) co_return unreadable();
    co_return *std::move(message);
}

awaitable<Result<SessionState>> SessionTalk::greet() {
    const Deadline deadline = usual();
    const auto frame = co_await receive(FrameType::hello, deadline);
    if (!frame) co_return frame.error();
    const auto hello = Hello::decode(frame->payload);
    const bool is_job = partner_.name.empty();
    const std::string of_session = is_job ? "" : " of the session";
    const std::string other_way =
        is_job ? ""
               : ", or run `launch session stop " + partner_.name + "` and start a new session";
    if (!hello || hello->version != Hello::current_version || hello->build_id != own_build_id())
        co_return session_error(partner_.name,
                                "process " + std::to_string(partner_.process) + of_session +
                                    " runs another build of launch",
                                "use that build" + other_way);
    co_return co_await receive_as<SessionState>(FrameType::session_state, deadline);
}

awaitable<Status> SessionTalk::say(SessionRequest request) {
    std::string bytes;
    encode_frame(FrameType::session_request, encode(request), bytes);
    StreamWatch watch(executor_, *stream_, patience::answer, stop_);
    for (std::span<const char> rest(bytes); !rest.empty();) {
        const size_t n = co_await stream_->write_some(rest);
        if (n == 0) co_return lost(watch.timed_out());
        rest = rest.subspan(n);
    }
    co_return Ok{};
}

awaitable<Result<SessionAnswer>> SessionTalk::answer() {
    co_return co_await receive_as<SessionAnswer>(FrameType::session_answer, usual());
}

awaitable<Result<SessionAnswer>> SessionTalk::ask(SessionRequest request) {
    const auto said = co_await say(std::move(request));
    if (!said) co_return said.error();
    co_return co_await answer();
}

awaitable<Result<SessionAnswer>> SessionTalk::ask_patiently(SessionRequest request) {
    const auto said = co_await say(std::move(request));
    if (!said) co_return said.error();
    co_return co_await receive_as<SessionAnswer>(FrameType::session_answer, std::nullopt);
}

awaitable<Result<SessionState>> SessionTalk::wait_for_slots(std::vector<NodeIndex> wished) {
    SessionRequest wait = WaitRequest{std::move(wished)};
    const auto said = co_await say(std::move(wait));
    if (!said) co_return said.error();
    co_return co_await receive_as<SessionState>(FrameType::session_state, std::nullopt);
}

}  // namespace launch
