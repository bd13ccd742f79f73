// SPDX-License-Identifier: MIT
#include "core/session/session_client.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "core/base/build_id.hpp"
#include "core/head/job_door.hpp"
#include "core/io/fd_stream.hpp"
#include "core/io/local_socket.hpp"
#include "core/link/patience.hpp"
#include "core/wire/messages.hpp"

namespace launch {
namespace {

constexpr const char* hint = "`launch session list` shows all sessions";

/// An empty name is that of a job outside of sessions.
Error session_error(const std::string& name, std::string cause, std::string advice) {
    const std::string operation = name.empty() ? "ask the job" : "session " + name;
    return {ErrorKind::usage, operation, {}, -1, std::move(cause), std::move(advice)};
}

/// Nothing that a user has said is wrong.
Error lost_session(const std::string& name, std::string cause, std::string advice) {
    Error error = session_error(name, std::move(cause), std::move(advice));
    error.kind = ErrorKind::unreachable;
    return error;
}

/// Until a session that runs has answered.
constexpr auto answer_limit = std::chrono::floor<std::chrono::seconds>(patience::answer);

/// All of it, or false and errno; 0 at the end of the stream.
bool read_all(int socket, std::string& bytes) {
    size_t at = 0;
    while (at < bytes.size()) {
        const ssize_t n = read(socket, bytes.data() + at, bytes.size() - at);
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = 0;
        if (n <= 0) return false;
        at += static_cast<size_t>(n);
    }
    return true;
}

bool write_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        bytes.remove_prefix(static_cast<size_t>(n));
    }
    return true;
}

}  // namespace

Error no_such_session(const std::string& name) {
    return {ErrorKind::usage, {}, {}, -1, "there is no session named " + name, hint};
}

Result<SessionClient> SessionClient::connect(const SessionPlace& place, const std::string& name) {
    if (!is_session_name(name) || !place.is_safe(name)) return no_such_session(name);
    auto socket = connect_to(place.socket_of(name));
    if (!socket) return socket.error();
    if (!*socket) {
        const bool has_begun = access(place.socket_of(name).c_str(), F_OK) == 0;
        return session_error(
            name, has_begun ? "the session has ended" : "the session is starting, or has ended",
            hint);
    }
    const Peer peer = peer_of(socket->get());
    if (!peer.is_trusted()) return session_error(name, "the session belongs to another user", hint);
    SessionClient client(name, *std::move(socket), peer.pid);
    const auto greeted = client.greet();
    if (!greeted) return greeted.error();
    return client;
}

Result<std::optional<SessionClient>> SessionClient::connect_job(pid_t process) {
    auto socket = connect_to(door_of_job(process));
    if (!socket) return socket.error();
    if (!*socket) return std::optional<SessionClient>();
    const Peer peer = peer_of(socket->get());
    if (!peer.is_trusted()) return std::optional<SessionClient>();
    SessionClient client({}, *std::move(socket), process);
    const auto greeted = client.greet();
    if (!greeted) return greeted.error();
    return std::optional(std::move(client));
}

std::unique_ptr<ByteStream> SessionClient::take_stream(any_io_executor executor) {
    return std::make_unique<FdStream>(std::move(executor), std::move(socket_));
}

Result<pid_t> SessionClient::holder(const SessionPlace& place, const std::string& name) {
    if (!is_session_name(name) || !place.is_safe(name)) return 0;
    const auto socket = connect_to(place.socket_of(name));
    if (!socket) return socket.error();
    if (!*socket) return 0;
    const Peer peer = peer_of(socket->get());
    return peer.is_trusted() ? peer.pid : 0;
}

Error SessionClient::gone() const {
    if (name_.empty()) {
        const bool is_silent = errno == EAGAIN || errno == EWOULDBLOCK;
        return lost_session(
            name_,
            "process " + std::to_string(pid_) + (is_silent ? " does not answer" : " has ended"),
            is_silent ? "is the process stopped?" : "");
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK)
        return lost_session(name_,
                            "process " + std::to_string(pid_) + " has not answered for " +
                                std::to_string(answer_limit.count()) + " s",
                            "is the process stopped? `launch session stop` ends it");
    return lost_session(name_, "the session has ended", hint);
}

void SessionClient::limit_waiting(std::chrono::seconds limit) {
    timeval time{};
    time.tv_sec = limit.count();
    setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

Status SessionClient::greet() {
    limit_waiting(answer_limit);
    const auto frame = receive(FrameType::hello);
    if (!frame) return frame.error();
    const auto hello = Hello::decode(frame->payload);
    const bool is_job = name_.empty();
    const std::string of_session = is_job ? "" : " of the session";
    const std::string other_way =
        is_job ? "" : ", or run `launch session stop " + name_ + "` and start a new session";
    if (!hello || hello->version != Hello::current_version || hello->build_id != own_build_id())
        return session_error(
            name_, "process " + std::to_string(pid_) + of_session + " runs another build of launch",
            "use that build" + other_way);
    return receive_state();
}

Status SessionClient::receive_state() {
    const auto frame = receive(FrameType::session_state);
    if (!frame) return frame.error();
    auto state = SessionState::decode(frame->payload);
    if (!state)
        return session_error(name_, "the session sent an answer that this launch cannot read", {});
    state_ = *std::move(state);
    return Ok{};
}

Status SessionClient::send(FrameType type, std::string_view payload) {
    std::string bytes;
    encode_frame(type, payload, bytes);
    if (!write_all(socket_.get(), bytes)) return gone();
    return Ok{};
}

/// Byte for byte: what comes after it is for others.
Result<Frame> SessionClient::receive(FrameType type) {
    std::string head(frame_head, '\0');
    if (!read_all(socket_.get(), head)) return gone();
    const uint32_t length = payload_length(head);
    if (static_cast<FrameType>(head.back()) != type || length > max_frame)
        return session_error(name_, "the session sent an answer that this launch cannot read", {});
    Frame frame{type, std::string(length, '\0')};
    if (!read_all(socket_.get(), frame.payload)) return gone();
    return frame;
}

Status SessionClient::wait_for_slots(std::vector<NodeIndex> wished) {
    auto asked = send(FrameType::session_request, encode(WaitRequest{std::move(wished)}));
    if (!asked) return asked;
    limit_waiting(std::chrono::seconds{0});
    auto changed = receive_state();
    limit_waiting(answer_limit);
    return changed;
}

Result<SessionAnswer> SessionClient::ask(const SessionRequest& request) {
    const auto asked = ask_late(request);
    if (!asked) return asked.error();
    return answer();
}

Result<SessionAnswer> SessionClient::ask_patiently(const SessionRequest& request) {
    limit_waiting(std::chrono::seconds{0});
    auto answered = ask(request);
    limit_waiting(answer_limit);
    return answered;
}

Status SessionClient::ask_late(const SessionRequest& request) {
    return send(FrameType::session_request, encode(request));
}

Result<SessionAnswer> SessionClient::answer() {
    const auto frame = receive(FrameType::session_answer);
    if (!frame) return frame.error();
    auto answer = SessionAnswer::decode(frame->payload);
    if (!answer)
        return session_error(name_, "the session sent an answer that this launch cannot read", {});
    return *std::move(answer);
}

}  // namespace launch
