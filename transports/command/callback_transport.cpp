#include "transports/command/callback_transport.hpp"

#include <array>
#include <utility>

#include "core/async/event.hpp"
#include "core/async/task_group.hpp"
#include "core/base/hex.hpp"
#include "core/base/random.hpp"
#include "core/link/direct_links.hpp"
#include "core/wire/callback_message.hpp"
#include "transports/command/child_stream.hpp"
#include "transports/command/template_transport.hpp"
#include "transports/direct/tls_links.hpp"
#include "transports/own_addresses.hpp"
#include "transports/remote_command.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

using Started = Result<std::unique_ptr<ByteStream>>;

/// Between the last relay's end and that of the program which had started it.
constexpr std::chrono::seconds end_patience{3};
constexpr size_t id_size = 8;

/// One run of the program, and the hosts that it is to start: node 1 and so on of the links by
/// which they call back.
class Call : public DirectLinkHandler {
  public:
    explicit Call(const any_io_executor& executor) : changed_(executor), limit_(executor) {}

    /// The place of one more host.
    size_t add(const Host& host) {
        hosts_.push_back(host);
        callers_.emplace_back();
        ++present_;
        return callers_.size() - 1;
    }
    const std::vector<Host>& hosts() const { return hosts_; }

    bool wants_link(NodeIndex from, LinkPurpose purpose) override {
        return purpose == LinkPurpose::attach && from >= 1 && from <= callers_.size() &&
               callers_[from - 1].waits && !callers_[from - 1].stream;
    }
    void direct_link(NodeIndex from, LinkPurpose, std::unique_ptr<ByteStream> stream) override {
        Caller& caller = callers_[from - 1];
        if (caller.waits && !caller.stream) caller.stream = std::move(stream);
        changed_.notify();
    }

    /// Waits for one host's call.
    awaitable<Started> wait_for(size_t place, StartRequest request);
    /// All that are waited for have called, or will not.
    awaitable<void> settled() {
        while (any_waits() && !failure_)
            co_await changed_.wait();
    }
    void fail(StartFailure failure) {
        failure_ = std::move(failure.error);
        changed_.notify();
    }

    void runs(std::unique_ptr<ChildStream> child) { child_ = std::move(child); }
    ChildStream* child() const { return child_.get(); }
    void child_ended() { limit_.cancel(); }
    /// A host whose link is closed, or that is not waited for any more.
    void leave(const std::shared_ptr<Call>& self);

  private:
    struct Caller {
        std::unique_ptr<ByteStream> stream;
        bool waits = true;
    };
    bool any_waits() const {
        for (const Caller& caller : callers_)
            if (caller.waits) return true;
        return false;
    }

    std::vector<Host> hosts_;
    std::vector<Caller> callers_;
    size_t present_ = 0;
    std::optional<Error> failure_;
    std::unique_ptr<ChildStream> child_;
    Event changed_;
    asio::steady_timer limit_;
};

/// The link of one relay, as its streams.
class CalledStream : public ByteStream {
  public:
    CalledStream(std::shared_ptr<Call> call, std::unique_ptr<ByteStream> link)
        : call_(std::move(call)), link_(std::move(link)) {}
    ~CalledStream() override { CalledStream::close(); }
    CalledStream(const CalledStream&) = delete;
    CalledStream& operator=(const CalledStream&) = delete;

    awaitable<size_t> read_some(std::span<char> buffer) override {
        return link_->read_some(buffer);
    }
    awaitable<size_t> write_some(std::span<const char> bytes) override {
        return link_->write_some(bytes);
    }
    size_t write_now(std::string_view bytes) override { return link_->write_now(bytes); }
    void close() noexcept override {
        link_->close();
        if (auto call = std::exchange(call_, nullptr)) call->leave(call);
    }

  private:
    std::shared_ptr<Call> call_;  ///< null: closed
    std::unique_ptr<ByteStream> link_;
};

awaitable<Started> Call::wait_for(size_t place, StartRequest request) {
    const auto deadline = Clock::now() + request.connect_timeout + request.start_timeout;
    {
        const std::stop_callback stopped(request.stop, [this] { changed_.notify(); });
        while (!callers_[place].stream && !failure_ && !request.stop.stop_requested() &&
               Clock::now() < deadline)
            co_await changed_.wait_until(deadline);
    }
    callers_[place].waits = false;
    changed_.notify();
    if (callers_[place].stream) co_return std::move(callers_[place].stream);
    Error error = start_error::given_up();
    if (failure_) {
        error = *failure_;
    } else if (!request.stop.stop_requested()) {
        error =
            start_error::no_answer("call back", request.connect_timeout + request.start_timeout);
        error.hint = "does the service start it there, and may it open a TCP connection to here?";
    }
    error.kind = ErrorKind::unreachable;
    error.host = request.host.name;
    co_return error;
}

void Call::leave(const std::shared_ptr<Call>& self) {
    if (--present_ > 0 || !child_) return;
    limit_.expires_after(end_patience);
    limit_.async_wait([self](std::error_code ec) {
        if (!ec) self->child_->close();
    });
}

class CallbackTransport : public Transport {
  public:
    CallbackTransport(const any_io_executor& executor, Reaper& reaper, CommandTemplate line)
        : executor_(executor), reaper_(reaper), line_(std::move(line)), tasks_(executor) {}

    void will_start(std::span<const Host> hosts) override { expected_ += hosts.size(); }
    awaitable<Started> start(StartRequest request) override;
    std::string explain(const StartRequest& request) override {
        return "(with all others) " + shell_line(command_line({request.host}, request));
    }
    std::string by_hand(const std::vector<std::string>& argv) const override {
        Host host;
        host.name = "HOST";
        return shell_line(line_.all_command_line({host}, argv, shell_line(argv)));
    }

  private:
    std::vector<std::string> command_line(const std::vector<Host>& hosts,
                                          const StartRequest& request) const {
        std::vector<std::string> argv = request.argv;
        argv.emplace_back(call_back_word);
        return line_.all_command_line(hosts, argv, remote_command(argv, {}, request.owners));
    }
    /// `first`: of one of the hosts, whose command is that of all.
    awaitable<void> run(std::shared_ptr<Call> call, StartRequest first);
    awaitable<void> watch(std::shared_ptr<Call> call);
    Result<CallbackMessage> listen(DirectLinks& links, const Call& call,
                                   const DirectLinkSettings& settings) const;

    any_io_executor executor_;
    Reaper& reaper_;
    CommandTemplate line_;
    std::shared_ptr<Call> gathering_;
    size_t expected_ = 0;
    TaskGroup tasks_;
};

awaitable<Started> CallbackTransport::start(StartRequest request) {
    if (!gathering_) gathering_ = std::make_shared<Call>(executor_);
    const auto call = gathering_;
    const size_t place = call->add(request.host);
    if (expected_ > 0) --expected_;
    if (expected_ == 0) {
        gathering_.reset();
        tasks_.spawn(run(call, request));
    }
    auto stream = co_await call->wait_for(place, std::move(request));
    if (stream) co_return std::make_unique<CalledStream>(call, std::move(*stream));
    call->leave(call);
    co_return std::move(stream.error());
}

Result<CallbackMessage> CallbackTransport::listen(DirectLinks& links, const Call& call,
                                                  const DirectLinkSettings& settings) const {
    const auto port = links.listen();
    if (!port) return port.error();
    CallbackMessage message{settings.job_id, settings.own.key, {}, {}};
    for (auto& address : own_addresses())
        message.addresses.push_back({0, std::move(address), *port});
    for (const Host& host : call.hosts())
        message.hosts.push_back(host.name);
    return message;
}

/// Until all have called, or none will any more.
awaitable<void> CallbackTransport::run(std::shared_ptr<Call> call, StartRequest first) {
    if (first.argv.size() != 2 || first.argv.at(1) != "--relay") {
        call->fail({start_error::make(
            "start", "launch cannot be sent to hosts in this way, and what is there will not do",
            "put this executable at the same path there, and leave out --push always")});
        co_return;
    }
    DirectLinkSettings settings;
    settings.job_id = hex_bytes(random_bytes(id_size));
    settings.own = {random_bytes(link_key_size),
                    {{0, static_cast<NodeIndex>(call->hosts().size() + 1)}}};
    settings.expected = call->hosts().size();
    const auto links = make_tls_links(executor_, settings, *call);
    const auto message = listen(*links, *call, settings);
    auto child =
        message ? ChildStream::start(executor_, reaper_, command_line(call->hosts(), first), {})
                : Result<std::unique_ptr<ChildStream>>(message.error());
    if (child) {
        call->runs(std::move(*child));
        tasks_.spawn(watch(call));
        const std::string line = message->encode() + "\n";
        size_t sent = 0;
        for (size_t n = 1; n > 0 && sent < line.size(); sent += n) {
            const std::string_view rest = std::string_view(line).substr(sent);
            n = co_await call->child()->write_some(rest);
        }
        co_await call->settled();
    } else {
        child.error().hint = "the program that reaches hosts: is it installed, and in PATH?";
        call->fail({std::move(child.error())});
    }
    co_await links->close();
}

/// What the program says is the hosts' output before they call; its end is that of those that have
/// not called.
awaitable<void> CallbackTransport::watch(std::shared_ptr<Call> call) {
    ChildStream& child = *call->child();
    std::array<char, 1024> ignored{};
    while (co_await child.read_some(ignored) > 0) {
    }
    call->child_ended();
    Host nobody;
    nobody.name = "HOST";
    auto failure = read_command_error(line_.program(), nobody, child.error_text(),
                                      child.exit_code().value_or(1), by_hand({"true"}));
    if (!failure)
        failure = StartFailure{start_error::make("start",
                                                 line_.program() + " ended with exit code " +
                                                     std::to_string(child.exit_code().value_or(0)) +
                                                     ", and nobody called back",
                                                 "try: " + by_hand({"true"}))};
    call->fail(std::move(*failure));
}

}  // namespace

std::unique_ptr<Transport> make_callback_transport(const any_io_executor& executor, Reaper& reaper,
                                                   CommandTemplate line) {
    return std::make_unique<CallbackTransport>(executor, reaper, std::move(line));
}

}  // namespace launch
