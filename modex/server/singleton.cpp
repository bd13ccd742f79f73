// SPDX-License-Identifier: MIT
#include "modex/server/singleton.hpp"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <sys/socket.h>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/async/timer.hpp"
#include "modex/pmi/pmi_front.hpp"
#include "modex/pmi1/limits.hpp"
#include "modex/pmi1/singinit.hpp"
#include "modex/server/local_service.hpp"
#include "modex/server/loopback.hpp"

namespace launch {
namespace {

/// The program waits for us: it has nothing else to do until we are connected.
constexpr milliseconds greeting_limit{5000};

Error failure(std::string cause) {
    Error error;
    error.operation = "serve a program that was started by hand";
    error.cause = std::move(cause);
    return error;
}

JobMessage job_of_one(const std::string& job_id, const std::string& log) {
    JobMessage job;
    job.job_id = job_id;
    job.ranks = 1;
    job.nodes = 1;
    job.universe_size = 1;
    job.process_mapping = "(vector,(0,1,1))";
    job.log = log;
    return job;
}

class Singleton : private ModexHost {
  public:
    Singleton(any_io_executor executor, JobMessage job)
        : executor_(executor), job_(std::move(job)), socket_(executor), deadline_(executor) {}

    awaitable<void> serve(uint16_t port);
    Status outcome() const { return error_ ? Status(*error_) : Status(Ok{}); }

  private:
    awaitable<Status> greet(uint16_t port);
    awaitable<Status> connect(uint16_t port);
    awaitable<Result<std::string>> read_line();
    Status send(const std::string& line);

    void modex_up(std::string) override {}
    void modex_down(NodeIndex, std::string) override {}
    void modex_down(NodeIndex, MessageSource) override {}
    void modex_peer(uint32_t, std::string) override {}
    void modex_wants_peers() override {}
    void modex_fault(const FaultMessage& fault) override;
    void modex_folder(const std::string&) override {}
    void modex_notice(const std::string&) override {}
    void modex_trace(uint32_t, std::string line) override;
    void modex_spawn(SpawnMessage wanted) override;

    any_io_executor executor_;
    JobMessage job_;
    asio::posix::stream_descriptor socket_;
    Timer deadline_;
    std::string unread_;
    std::optional<Error> error_;
    LocalService* local_ = nullptr;  ///< while it serves
};

awaitable<void> Singleton::serve(uint16_t port) {
    deadline_.expires_after(greeting_limit);
    deadline_.async_wait([this](std::error_code ec) {
        if (!ec) socket_.close(ec);
    });
    const Status greeted = co_await greet(port);
    const bool in_time = deadline_.cancel() > 0;
    if (!in_time) error_ = failure("the program has not answered in time");
    if (in_time && !greeted) error_ = greeted.error();
    if (error_) co_return;
    LocalService local(executor_, job_, static_cast<ModexHost&>(*this));
    local_ = &local;
    local.start(1, {0}, true);
    const RankFacts facts{0, 1, 0, job_.universe_size, job_.job_id, job_.process_mapping, {}};
    local.adopt_session(0, UniqueFd(socket_.release()), unread_,
                        make_pmi_front(facts, PmiOffer::pmi1));
    co_await local.attend_session(0);
    co_await local.close();
    local_ = nullptr;
}

awaitable<Status> Singleton::greet(uint16_t port) {
    Status connected = co_await connect(port);
    if (!connected) co_return connected;
    Status asked = send(format_singinit());
    if (!asked) co_return asked;
    const auto line = co_await read_line();
    if (!line) co_return line.error();
    const auto request = parse_singinit(*line);
    if (!request) co_return request.error();
    const bool version_ok = request->version.major == pmi1_version.major;
    co_return send(format_singinit_info(version_ok, false, job_.job_id));
}

awaitable<Status> Singleton::connect(uint16_t port) {
    auto socket = connect_to_loopback(port);
    if (!socket) co_return std::move(socket.error());
    socket_.assign(socket->release());
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    co_await socket_.async_wait(asio::posix::stream_descriptor::wait_write, token);
    const int error = ec ? ec.value() : connect_error(socket_.native_handle());
    if (error != 0) co_return os_error("connect to 127.0.0.1:" + std::to_string(port), error);
    co_return Ok{};
}

/// Without its end; what follows stays in unread_.
awaitable<Result<std::string>> Singleton::read_line() {
    size_t end = 0;
    while ((end = unread_.find('\n')) == std::string::npos) {
        if (unread_.size() > pmi1_client_line)
            co_return failure("the program sent a line that is too long");
        char bytes[512];
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        auto room = asio::buffer(bytes);
        const size_t n = co_await socket_.async_read_some(room, token);
        if (ec)
            co_return failure("the program closed the connection before its request was complete");
        unread_.append(bytes, n);
    }
    std::string line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    co_return line;
}

/// One line, which a fresh connection always has room for.
Status Singleton::send(const std::string& line) {
    const ssize_t n = ::send(socket_.native_handle(), line.data(), line.size(), MSG_NOSIGNAL);
    if (n == static_cast<ssize_t>(line.size())) return Ok{};
    return os_error("answer a program that was started by hand", errno);
}

void Singleton::modex_fault(const FaultMessage& fault) {
    // An abort it has announced by itself.
    if (fault.kind != FaultMessage::Kind::protocol) return;
    error_ = failure(fault.text);
    error_->kind = ErrorKind::protocol;
    error_->hint = fault.hint;
}

void Singleton::modex_trace(uint32_t, std::string line) {
    line += '\n';
    [[maybe_unused]] const ssize_t told = write(STDERR_FILENO, line.data(), line.size());
}

/// There is no launcher that runs: nobody could start them.
void Singleton::modex_spawn(SpawnMessage wanted) {
    local_->spawned({0, wanted.ticket, {}, 0, {}, "not_supported"});
}

/// Other readers and writers of the program's open files must not have to wait for this process.
void leave_descriptors() {
    close_range(STDERR_FILENO + 1, ~0U, 0);
    const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    dup2(null.get(), STDIN_FILENO);
    dup2(null.get(), STDOUT_FILENO);
}

}  // namespace

Status serve_singleton(const std::vector<std::string>& words, const std::string& job_id,
                       const std::string& log) {
    const auto arguments = parse_pmi_args(words);
    if (!arguments) return arguments.error();
    leave_descriptors();
    // Signals of a terminal are for the program, which may continue.
    for (const int number : {SIGINT, SIGQUIT, SIGHUP})
        signal(number, SIG_IGN);
    asio::io_context io(1);
    Singleton singleton(io.get_executor(), job_of_one(job_id, log));
    run_to_end(io, singleton.serve(arguments->port));
    return singleton.outcome();
}

}  // namespace launch
