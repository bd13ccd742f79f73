// SPDX-License-Identifier: MIT
#include "transports/direct/tls_links.hpp"

#include <algorithm>
#include <cerrno>
#include <list>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <vector>

#include "core/async/task_group.hpp"
#include "core/base/seconds.hpp"
#include "transports/dial.hpp"
#include "transports/direct/link_keys.hpp"
#include "transports/direct/listen.hpp"
#include "transports/direct/tls_stream.hpp"
#include "transports/direct/victim.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

/// Callers that have proved nothing yet, beyond those that are expected.
constexpr size_t most_strangers = 64;
/// Where no descriptor is to be had: until it is tried again.
constexpr milliseconds accept_pause{100};
/// Nobody watches a link between peers but who writes to it.
constexpr milliseconds peer_stall_limit{10'000};
/// Said by who was called: the link has reached who it is for.
constexpr char welcome = 'w';

Error dial_error(std::string cause) {
    return Error{ErrorKind::unreachable, "open a direct link", {}, -1, std::move(cause), {}};
}

class TlsLinks : public DirectLinks {
  public:
    TlsLinks(any_io_executor executor, DirectLinkSettings settings, DirectLinkHandler& handler)
        : executor_(executor),
          settings_(std::move(settings)),
          keys_(settings_),
          handler_(handler),
          listener_(executor),
          changed_(executor),
          tasks_(executor) {}

    Result<uint16_t> listen() override;
    awaitable<Result<std::unique_ptr<ByteStream>>> dial(Contact peer, LinkPurpose purpose,
                                                        milliseconds limit,
                                                        std::stop_token stop) override;
    std::string key_of(NodeRange block) override { return keys_.key_of(block).value_or(""); }
    std::string public_key() override { return keys_.public_key(); }
    void know(const std::vector<Contact>& nodes) override {
        keys_.know(nodes);
        changed_.notify();
    }
    void know_joined(const std::vector<Contact>& nodes) override { keys_.know_joined(nodes); }
    void forget(NodeRange nodes) override { keys_.forget(nodes); }
    awaitable<void> close() override;
    uint64_t refused() const override { return refused_; }

  private:
    /// A link whose other side has not proved itself yet.
    struct Unproved {
        std::unique_ptr<asio::posix::stream_descriptor> silent;  ///< until it says something
        std::unique_ptr<TlsStream> stream;
        Clock::time_point deadline;
        bool given_up = false;
    };
    using Place = std::list<Unproved>::iterator;

    Result<std::shared_ptr<const TlsContext>> context();
    Result<std::unique_ptr<TlsStream>> stream_over(UniqueFd socket, std::optional<TlsCall> call);
    awaitable<void> accept_all();
    bool accept_waiting();
    awaitable<void> attend(Place caller);
    awaitable<bool> prove(Place caller);
    awaitable<bool> is_who_it_says(Place caller);
    awaitable<bool> greet(Place called);
    awaitable<void> keep_time();
    void give_up_any();
    static void give_up(Unproved& link);

    any_io_executor executor_;
    DirectLinkSettings settings_;
    LinkKeys keys_;
    DirectLinkHandler& handler_;
    asio::posix::stream_descriptor listener_;
    std::shared_ptr<const TlsContext> context_;
    std::list<Unproved> callers_;
    std::list<Unproved> called_;
    uint64_t refused_ = 0;
    bool closing_ = false;
    bool keeping_time_ = false;
    Event changed_;
    TaskGroup tasks_;
};

Result<uint16_t> TlsLinks::listen() {
    auto listener = listen_on(settings_.ports, settings_.this_machine);
    if (!listener) return std::move(listener.error());
    listener_.assign(listener->socket.release());
    tasks_.spawn(accept_all());
    return listener->port;
}

Result<std::shared_ptr<const TlsContext>> TlsLinks::context() {
    if (context_) return context_;
    auto made = TlsContext::make(keys_);
    if (made) context_ = *made;
    return made;
}

Result<std::unique_ptr<TlsStream>> TlsLinks::stream_over(UniqueFd socket,
                                                         std::optional<TlsCall> call) {
    auto tls = context();
    if (!tls) return std::move(tls.error());
    auto session = TlsSession::make(*tls, socket.get(), call);
    if (!session) return std::move(session.error());
    const int on = 1;
    setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return std::make_unique<TlsStream>(executor_, std::move(socket), std::move(*session));
}

awaitable<void> TlsLinks::accept_all() {
    while (listener_.is_open()) {
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        co_await listener_.async_wait(asio::posix::stream_descriptor::wait_read, token);
        if (!listener_.is_open()) break;
        if (!accept_waiting()) co_await changed_.wait_until(Clock::now() + accept_pause);
    }
}

/// False: who waits cannot be let in now.
bool TlsLinks::accept_waiting() {
    for (size_t i = 0; i < most_strangers; ++i) {
        UniqueFd socket(
            accept4(listener_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!socket) return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
        if (callers_.size() >= most_strangers + settings_.expected) give_up_any();
        auto silent = std::make_unique<asio::posix::stream_descriptor>(executor_, socket.release());
        callers_.push_back({std::move(silent), nullptr, Clock::now() + settings_.proof_limit});
        tasks_.spawn(attend(std::prev(callers_.end())));
        changed_.notify();  // it has a deadline of its own
    }
    return true;
}

awaitable<void> TlsLinks::attend(Place caller) {
    if (!std::exchange(keeping_time_, true)) tasks_.spawn(keep_time());
    const bool proved = co_await prove(caller);
    auto stream = std::move(caller->stream);
    callers_.erase(caller);
    changed_.notify();
    if (proved && !closing_) {
        const TlsCall call = stream->call();
        if (call.purpose == LinkPurpose::peer) stream->limit_stall(peer_stall_limit);
        handler_.direct_link(call.direct(), std::move(stream));
    } else if (!closing_) {
        ++refused_;
    }
}

/// Is the caller of this job, wanted here, and told so?
awaitable<bool> TlsLinks::prove(Place caller) {
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    co_await caller->silent->async_wait(asio::posix::stream_descriptor::wait_read, token);
    if (caller->given_up || ec) co_return false;
    auto stream = stream_over(UniqueFd(caller->silent->release()), std::nullopt);
    if (!stream) co_return false;
    caller->stream = std::move(*stream);
    const bool proved = co_await caller->stream->handshake();
    if (!proved) co_return false;
    const TlsCall call = caller->stream->call();
    if (!handler_.wants_link(call.direct())) co_return false;
    const size_t told = co_await caller->stream->write_some({&welcome, 1});
    const bool is_it = co_await is_who_it_says(caller);
    co_return told == 1 && is_it && !caller->given_up;
}

/// Other nodes may know all public keys before this one does. Such a caller is welcome at once, so
/// that it does not look elsewhere, but nobody here hears of it before its key is found to be its.
awaitable<bool> TlsLinks::is_who_it_says(Place caller) {
    const TlsCall call = caller->stream->call();
    if (call.public_key.empty()) co_return true;
    while (!keys_.knows() && !caller->given_up)
        co_await changed_.wait();
    co_return keys_.is_key_of(call.peer, call.public_key);
}

awaitable<bool> TlsLinks::greet(Place called) {
    const bool proved = co_await called->stream->handshake();
    if (!proved) co_return false;
    char said = 0;
    const size_t n = co_await called->stream->read_some({&said, 1});
    co_return n == 1 && said == welcome && !called->given_up;
}

awaitable<Result<std::unique_ptr<ByteStream>>> TlsLinks::dial(Contact peer, LinkPurpose purpose,
                                                              milliseconds limit,
                                                              std::stop_token stop) {
    const auto deadline = Clock::now() + limit;
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    const std::string port = std::to_string(peer.port);
    const int bad = getaddrinfo(peer.address.c_str(), port.c_str(), &hints, &list);
    if (bad != 0) co_return dial_error(peer.address + ": " + gai_strerror(bad));
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> addresses(list, &freeaddrinfo);
    Dialled dialled = co_await launch::dial(executor_, *addresses, peer.port, limit, stop);
    if (!dialled.socket) co_return dial_error(dialled.failure.error.cause);
    auto stream = stream_over(std::move(dialled.socket), TlsCall{peer.node, purpose});
    if (!stream) co_return std::move(stream.error());
    called_.push_back({nullptr, std::move(*stream), deadline});
    const Place called = std::prev(called_.end());
    if (!std::exchange(keeping_time_, true)) tasks_.spawn(keep_time());
    changed_.notify();
    const bool greeted = co_await greet(called);
    const bool late = called->given_up;
    if (purpose == LinkPurpose::peer) called->stream->limit_stall(peer_stall_limit);
    std::unique_ptr<ByteStream> link = std::move(called->stream);
    called_.erase(called);
    changed_.notify();
    if (greeted) co_return link;
    co_return dial_error(late ? "the node did not answer within " + in_seconds(limit)
                              : "the node closed the connection");
}

void TlsLinks::give_up_any() {
    std::vector<Place> waiting;
    for (auto at = callers_.begin(); at != callers_.end(); ++at)
        if (!at->given_up) waiting.push_back(at);
    if (waiting.empty()) return;
    give_up(*waiting[choose_victim(waiting.size(), KernelRandom())]);
}

void TlsLinks::give_up(Unproved& link) {
    link.given_up = true;
    std::error_code ignored;
    if (link.silent) link.silent->close(ignored);
    if (link.stream) link.stream->close();
}

awaitable<void> TlsLinks::keep_time() {
    while (!callers_.empty() || !called_.empty()) {
        auto next = Clock::time_point::max();
        for (auto* list : {&callers_, &called_}) {
            for (Unproved& link : *list) {
                if (link.given_up) continue;
                if (closing_ || link.deadline <= Clock::now()) {
                    give_up(link);
                    changed_.notify();
                } else {
                    next = std::min(next, link.deadline);
                }
            }
        }
        co_await changed_.wait_until(next);
    }
    keeping_time_ = false;
}

awaitable<void> TlsLinks::close() {
    closing_ = true;
    std::error_code ignored;
    listener_.close(ignored);
    for (auto* list : {&callers_, &called_})
        for (Unproved& link : *list)
            give_up(link);
    changed_.notify();
    co_await tasks_.join();
}

}  // namespace

std::unique_ptr<DirectLinks> make_tls_links(any_io_executor executor, DirectLinkSettings settings,
                                            DirectLinkHandler& handler) {
    return std::make_unique<TlsLinks>(std::move(executor), std::move(settings), handler);
}

}  // namespace launch
