// SPDX-License-Identifier: MIT
#include "transports/ssh/ssh_transport.hpp"

#include <algorithm>
#include <malloc.h>
#include <optional>
#include <thread>

#include "core/async/detached_pool.hpp"
#include "core/async/timer.hpp"
#include "core/hosts/host_text.hpp"
#include "transports/dial.hpp"
#include "transports/remote_command.hpp"
#include "transports/ssh/handshake.hpp"
#include "transports/ssh/look_up.hpp"
#include "transports/ssh/openssh_transport.hpp"
#include "transports/ssh/ssh_profile.hpp"
#include "transports/ssh/ssh_stream.hpp"
#include "transports/start_error.hpp"
#include "transports/tries.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

/// Handshakes at once: enough to fill the cores while each waits for its server, few enough to
/// keep stacks and buffers small.
size_t handshakes_at_once() {
    return std::clamp<size_t>(size_t{3} * std::thread::hardware_concurrency(), 4, 32);
}
/// Hosts dialled at once. Many more than handshakes, so that hosts that are down hold nobody up.
constexpr size_t dials_at_once = 256;
/// Threads for look-ups: one for each dial, and as many again that hang and nobody waits for.
constexpr size_t most_look_ups = 2 * dials_at_once;

/// Ends an attempt's blocking work when its time is over or the job ends. Keeps the attempt as
/// long as a handler may still run.
class Watch {
  public:
    Watch(const any_io_executor& executor, std::shared_ptr<Attempt> attempt,
          Clock::time_point deadline, std::stop_token stop)
        : timer_(executor, deadline), stopped_(std::move(stop), GiveUp{attempt}) {
        timer_.async_wait([attempt = std::move(attempt)](std::error_code ec) {
            if (!ec) attempt->give_up();
        });
    }

  private:
    struct GiveUp {
        std::shared_ptr<Attempt> attempt;
        void operator()() const { attempt->give_up(); }
    };
    Timer timer_;
    std::stop_callback<GiveUp> stopped_;
};

/// The inputs and results of a handshake's thread. The thread owns all of them: libssh was seen to
/// wait, for as long as its own time limit, on a connection that it had closed already, and nothing
/// else must wait for that.
struct HandshakeWork {
    std::shared_ptr<const LibSsh> lib;
    std::shared_ptr<KnownHostsFiles> known_hosts;
    HostConfig config;
    std::string home;
    bool accept_new_keys;
    std::string command;
    milliseconds timeout;
    UniqueFd socket;
    std::shared_ptr<Attempt> attempt = std::make_shared<Attempt>();
    HandshakeResult result;

    void run() {
        const HandshakeRequest request{config, home, accept_new_keys, command, timeout};
        result = shake_hands(lib, request, std::move(socket), *known_hosts, *attempt);
    }
};

/// A handshake that was given up ends within this time, or is left behind.
constexpr milliseconds words_at_end{500};

/// One try of a start. All but the deadline is the caller's.
struct Start {
    const StartRequest& request;
    const HostConfig& config;
    Clock::time_point deadline;

    milliseconds left() const {
        return std::max(milliseconds(1), std::chrono::ceil<milliseconds>(deadline - Clock::now()));
    }
    milliseconds connect_timeout() const { return std::min(request.connect_timeout, left()); }
};

class SshTransport : public Transport {
  public:
    SshTransport(const any_io_executor& executor, const TransportOptions& options, Reaper& reaper,
                 TransportNote note)
        : executor_(executor),
          profile_(std::make_shared<SshProfile>(options)),
          note_(std::move(note)),
          openssh_(make_openssh_transport(executor, profile_, reaper, note_)),
          tries_(executor, dials_at_once),
          look_ups_(executor, most_look_ups),
          handshakes_(executor, handshakes_at_once()) {}

    awaitable<Tries::Started> start(StartRequest request) override;
    std::string explain(const StartRequest& request) override;

  private:
    /// How a host is reached.
    struct Way {
        HostConfig config;
        std::string needs_openssh;  ///< why OpenSSH's client must start it; empty: it need not
    };
    Way way_to(const Host& host);
    std::string needs_openssh(const HostConfig& config);
    awaitable<Tries::Started> start_by_openssh(StartRequest request, std::string why);
    awaitable<Try> try_once(Start start);
    awaitable<HandshakeResult> connect(const Start& start);
    awaitable<HandshakeResult> shake(const Start& start, UniqueFd socket);
    void note(const Host& host, const std::string& text) const {
        if (note_) note_(host.name, text);
    }

    any_io_executor executor_;
    std::shared_ptr<SshProfile> profile_;
    TransportNote note_;
    std::unique_ptr<Transport> openssh_;
    std::shared_ptr<const LibSsh> lib_;
    std::string no_lib_;
    std::shared_ptr<KnownHostsFiles> known_hosts_ = std::make_shared<KnownHostsFiles>();
    Tries tries_;
    DetachedPool look_ups_;
    size_t shaking_ = 0;
    DetachedPool handshakes_;
};

std::string SshTransport::needs_openssh(const HostConfig& config) {
    if (profile_->options().forward_agent) return "to forward the agent";
    if (!config.needs_openssh.empty()) return config.needs_openssh + " in the ssh config";
    if (!lib_ && no_lib_.empty()) lib_ = LibSsh::open(no_lib_);
    return no_lib_;
}

SshTransport::Way SshTransport::way_to(const Host& host) {
    HostConfig config = profile_->resolve(host);
    std::string why = needs_openssh(config);
    return {std::move(config), std::move(why)};
}

std::string SshTransport::explain(const StartRequest& request) {
    const Way way = way_to(request.host);
    if (way.config.fault) return "not at all: " + describe(*way.config.fault);
    if (!way.needs_openssh.empty()) return openssh_->explain(request) + "  # " + way.needs_openssh;
    return "in process, by libssh: " + way.config.user + "@" + way.config.host_name + " port " +
           std::to_string(way.config.port) + ": " +
           remote_command(request.argv, request.otherwise, request.owners);
}

awaitable<Tries::Started> SshTransport::start(StartRequest request) {
    Way way = way_to(request.host);
    if (way.config.fault) {
        way.config.fault->host = request.host.name;
        co_return *std::move(way.config.fault);
    }
    if (!way.needs_openssh.empty())
        co_return co_await start_by_openssh(std::move(request), std::move(way.needs_openssh));
    Tries::Once once = [this, &way](const StartRequest& its, Clock::time_point deadline) {
        return try_once({its, way.config, deadline});
    };
    co_return co_await tries_.start(std::move(request), std::move(once));
}

awaitable<Tries::Started> SshTransport::start_by_openssh(StartRequest request, std::string why) {
    note(request.host, "started by OpenSSH's client: " + why);
    co_return co_await openssh_->start(std::move(request));
}

awaitable<Try> SshTransport::try_once(Start start) {
    HandshakeResult result = co_await connect(start);
    if (!result.note.empty()) note(start.request.host, result.note);
    if (result.connection)
        co_return Try{std::make_unique<SshStream>(executor_, std::move(*result.connection)), {}};
    if (result.needs_openssh.empty()) co_return Try{nullptr, std::move(result.failure)};
    StartRequest rest = start.request;
    rest.start_timeout = start.left();
    auto started = co_await start_by_openssh(std::move(rest), result.needs_openssh);
    if (!started) co_return Try{nullptr, {std::move(started.error()), Retry::no}, true};
    co_return Try{std::move(*started), {}};
}

awaitable<HandshakeResult> SshTransport::connect(const Start& start) {
    HandshakeResult result;
    start.request.enter(StartStage::dial);
    LookUp found =
        co_await look_up(look_ups_, start.config, start.connect_timeout(), start.request.stop);
    if (!found.addresses) {
        result.failure = std::move(found.failure);
        co_return result;
    }
    Dialled dialled = co_await dial(executor_, *found.addresses, start.config.port,
                                    start.connect_timeout(), start.request.stop);
    if (start.request.stop.stop_requested()) {
        result.failure = {start_error::given_up(), Retry::no};
    } else if (!dialled.socket) {
        result.failure = std::move(dialled.failure);
    } else {
        result = co_await shake(start, std::move(dialled.socket));
    }
    co_return result;
}

awaitable<HandshakeResult> SshTransport::shake(const Start& start, UniqueFd socket) {
    const auto work = std::make_shared<HandshakeWork>(HandshakeWork{
        lib_, known_hosts_, start.config, profile_->home(),
        profile_->accepts_new_keys(start.config),
        remote_command(start.request.argv, start.request.otherwise, start.request.owners),
        start.left(), std::move(socket)});
    const auto attempt = work->attempt;
    attempt->clock = start.request.clock;
    start.request.enter(StartStage::auth);
    const Watch watch(executor_, attempt, start.deadline, start.request.stop);
    auto run = [work] { work->run(); };
    const auto patience = start.left() + words_at_end;
    ++shaking_;
    const bool done =
        co_await handshakes_.run(std::move(run), patience, start.request.stop, words_at_end);
    --shaking_;
    if (shaking_ == 0) ::malloc_trim(0);  // what handshakes leave behind is as good as nothing
    HandshakeResult result;
    if (done) result = std::move(work->result);
    if (!done || (attempt->given_up() && !result.connection)) {
        const bool stopped = start.request.stop.stop_requested();
        result.needs_openssh.clear();
        result.failure = {
            stopped ? start_error::given_up()
                    : start_error::no_answer(attempt->stage(), start.request.start_timeout),
            Retry::no};
        if (auto refused = handshakes_.no_thread(); refused && !done && !stopped)
            result.failure.error = *std::move(refused);
    }
    co_return result;
}

}  // namespace

std::unique_ptr<Transport> make_ssh_transport(const any_io_executor& executor,
                                              const TransportOptions& options, Reaper& reaper,
                                              TransportNote note) {
    return std::make_unique<SshTransport>(executor, options, reaper, std::move(note));
}

}  // namespace launch
