// SPDX-License-Identifier: MIT
#include "core/session/session_client.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "core/async/run.hpp"
#include "core/head/job_door.hpp"
#include "core/io/fd_stream.hpp"
#include "core/io/local_socket.hpp"

namespace launch {
namespace {

/// Descriptors of an io_context.
constexpr size_t for_io_context = 3;

/// A copy of the socket. An Error: there would be no descriptors left for an io_context, which
/// would throw.
Result<UniqueFd> copy_where_there_is_room(int socket) {
    std::array<UniqueFd, 1 + for_io_context> copies;
    for (UniqueFd& copy : copies) {
        copy = UniqueFd(fcntl(socket, F_DUPFD_CLOEXEC, 0));
        if (!copy) return os_error("ask the session", errno);
    }
    return std::move(copies.front());
}

class PipeSignalIgnored {
  public:
    PipeSignalIgnored() : before_(signal(SIGPIPE, SIG_IGN)) {}
    ~PipeSignalIgnored() { signal(SIGPIPE, before_); }
    PipeSignalIgnored(const PipeSignalIgnored&) = delete;
    PipeSignalIgnored& operator=(const PipeSignalIgnored&) = delete;

  private:
    void (*before_)(int);
};

}  // namespace

Error no_such_session(const std::string& name) {
    return {ErrorKind::usage, {}, {}, -1, "there is no session named " + name, session_hint};
}

Result<SessionSocket> connect_to_session(const SessionPlace& place, const std::string& name) {
    if (!is_session_name(name) || !place.is_safe(name)) return no_such_session(name);
    auto socket = connect_to(place.socket_of(name));
    if (!socket) return socket.error();
    if (!*socket) {
        const bool has_begun = access(place.socket_of(name).c_str(), F_OK) == 0;
        return session_error(
            name, has_begun ? "the session has ended" : "the session is starting, or has ended",
            session_hint);
    }
    const Peer peer = peer_of(socket->get());
    if (!peer.is_trusted())
        return session_error(name, "the session belongs to another user", session_hint);
    return SessionSocket{{name, peer.pid}, *std::move(socket)};
}

Result<SessionClient> SessionClient::connect(const SessionPlace& place, const std::string& name) {
    auto socket = connect_to_session(place, name);
    if (!socket) return std::move(socket.error());
    SessionClient client(*std::move(socket));
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
    SessionClient client({{{}, process}, *std::move(socket)});
    const auto greeted = client.greet();
    if (!greeted) return greeted.error();
    return std::optional(std::move(client));
}

std::unique_ptr<ByteStream> SessionClient::take_stream(any_io_executor executor) {
    return std::make_unique<FdStream>(std::move(executor), std::move(at_.socket));
}

Result<pid_t> SessionClient::holder(const SessionPlace& place, const std::string& name) {
    if (!is_session_name(name) || !place.is_safe(name)) return 0;
    const auto socket = connect_to(place.socket_of(name));
    if (!socket) return socket.error();
    if (!*socket) return 0;
    const Peer peer = peer_of(socket->get());
    return peer.is_trusted() ? peer.pid : 0;
}

/// `call`: what to await of a talk. The session may go at any time.
template <class Answer, class Call>
Result<Answer> SessionClient::run(const Call& call) {
    const PipeSignalIgnored ignored;
    auto socket = copy_where_there_is_room(at_.socket.get());
    if (!socket) return std::move(socket.error());
    asio::io_context io(1);
    SessionTalk talk(io.get_executor(), at_.partner,
                     std::make_unique<FdStream>(io.get_executor(), *std::move(socket)));
    std::optional<Result<Answer>> result;
    run_to_end(io, keep(call(talk), result));
    return *std::move(result);
}

Status SessionClient::greet() {
    auto state = run<SessionState>([](SessionTalk& talk) { return talk.greet(); });
    if (!state) return std::move(state.error());
    state_ = *std::move(state);
    return Ok{};
}

Result<SessionPlan> SessionClient::reserve(SlotWish wish, const Factories& factories) {
    return run<SessionPlan>(
        [&](SessionTalk& talk) { return reserve_slots(talk, state_, std::move(wish), factories); });
}

Result<SessionAnswer> SessionClient::ask(SessionRequest request) {
    return run<SessionAnswer>([&](SessionTalk& talk) { return talk.ask(std::move(request)); });
}

Result<SessionAnswer> SessionClient::ask_patiently(SessionRequest request) {
    return run<SessionAnswer>(
        [&](SessionTalk& talk) { return talk.ask_patiently(std::move(request)); });
}

Status SessionClient::ask_late(SessionRequest request) {
    return run<Ok>([&](SessionTalk& talk) { return talk.say(std::move(request)); });
}

Result<SessionAnswer> SessionClient::answer() {
    return run<SessionAnswer>([](SessionTalk& talk) { return talk.answer(); });
}

}  // namespace launch
