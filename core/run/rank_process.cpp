// SPDX-License-Identifier: MIT
#include "core/run/rank_process.hpp"

#include <algorithm>
#include <csignal>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "core/io/read_limit.hpp"
#include "core/process/descendants.hpp"
#include "core/process/input_demand.hpp"
#include "core/process/process_stat.hpp"
#include "core/process/window_size.hpp"
#include "core/run/phase_times.hpp"
#include "core/wire/frame.hpp"

namespace launch {
namespace {

constexpr size_t read_at_once = 32u << 10;
/// How much input a rank may have on its way: bounds what relays hold, fills a long link.
constexpr milliseconds daemon_patience{200};
constexpr milliseconds group_check{50};
/// ^D, at the beginning of a line, is the end of the input from a terminal.
constexpr const char* end_of_file_key = "\x04";

/// Whether a process still has the other end of a pipe.
bool has_writers(asio::posix::stream_descriptor& pipe) {
    if (!pipe.is_open()) return false;
    pollfd entry{pipe.native_handle(), 0, 0};
    return poll(&entry, 1, 0) == 0;  // else POLLHUP, which need not be asked for
}

/// As ^C, ^\ and ^Z do: to whoever is in the foreground there. False: no such signal.
bool interrupt_terminal(asio::posix::stream_descriptor& terminal, int signal) {
    const bool has_key = signal == SIGINT || signal == SIGQUIT || signal == SIGTSTP;
    return has_key && terminal.is_open() && ioctl(terminal.native_handle(), TIOCSIG, signal) == 0;
}

}  // namespace

RankProcess::RankProcess(const RankSurroundings& around, Settings settings)
    : Rank(std::move(settings)),
      reaper_(around.reaper),
      upstream_(around.output),
      demand_(around.input),
      input_(around.executor),
      output_{OutputPipe(around.executor), Stream::out, settings_.out, 0},
      errors_{OutputPipe(around.executor), Stream::err, settings_.err, 0},
      changed_(around.executor),
      tasks_(around.executor) {}

std::shared_ptr<RankStart> RankProcess::begin_start(SpawnRequest request) {
    const ProcessStart::Settings settings{settings_.terminal, settings_.input};
    start_ = std::make_shared<ProcessStart>(settings, std::move(request));
    return start_;
}

void RankProcess::take_streams(ProcessStart::Outcome& made) {
    output_.pipe.assign(made.output.release());
    if (made.errors) errors_.pipe.assign(made.errors.release());
    if (made.input) input_.assign(made.input.release());
    input_pipe_ = made.input_pipe;
}

std::optional<NotStarted> RankProcess::started(bool& used_fallback) {
    const auto start = start_;
    ProcessStart::Outcome& made = start->outcome;
    if (made.failure) return std::move(made.failure);
    start_ = nullptr;
    take_streams(made);
    used_fallback = made.spawned.used_fallback;
    pid_ = made.spawned.pid;
    started_at_ = made.began;
    group_ = ProcessGroup(pid_);
    auto exited = [this](int status) {
        group_.leader_reaped();
        exit_ = Exit{status, Clock::now(), reaper_.used()};
        changed_.notify();
    };
    watch_ = reaper_.watch(pid_, exited, [this](int signal) { stopped(signal); });
    if (settings_.terminal != start->terminal()) resize(*settings_.terminal);
    for (const int number : std::exchange(early_signals_, {}))
        signal(number);
    return std::nullopt;
}

void RankProcess::never_started() {
    start_ = nullptr;
    stage_ = Stage::ended;
    refuse_input();
}

/// Handles a rank that was stopped. A rank's process group is in the background of the terminal
/// from which launch was started. A rank that reads from the terminal, or changes it, is stopped by
/// the kernel and would wait forever. Any other stop is intended.
void RankProcess::stopped(int signal) {
    const bool told = wants_terminal_;
    wants_terminal_ = signal == SIGTTIN || signal == SIGTTOU;
    if (wants_terminal_ && !told) settings_.wants_terminal(signal);
}

void RankProcess::resize(WindowSize size) {
    if (!settings_.terminal) return;
    settings_.terminal = size;
    if (output_.pipe.is_open()) set_window_size(output_.pipe.native_handle(), size);
}

void RankProcess::signal(int number) {
    if (start_) {
        if (!start_->signal(number)) early_signals_.push_back(number);
        return;
    }
    // A shell at a terminal has its jobs in groups of their own, and outlives SIGTERM.
    if (settings_.terminal && interrupt_terminal(output_.pipe, number)) return;
    group_.signal(number);
    if (settings_.terminal && number == SIGTERM) group_.signal(SIGHUP);
    // It would wait for the terminal and never see it.
    const bool to_end =
        number == SIGINT || number == SIGQUIT || number == SIGTERM || number == SIGHUP;
    if (wants_terminal_ && to_end) group_.signal(SIGCONT);
}

awaitable<ExitStatus> RankProcess::run() {
    tasks_.spawn(carry(output_));
    tasks_.spawn(carry(errors_));
    if (input_.is_open()) {
        tasks_.spawn(feed_input());
        if (settings_.input == InputSource::eager) {
            demand_.wanted(settings_.rank, input_window);
        } else {
            tasks_.spawn(watch_demand());
        }
    }
    while (!exit_ && stage_ != Stage::given_up)
        co_await changed_.wait();
    refuse_input();
    if (exit_) co_await wait_for_streams();
    stage_ = Stage::ended;
    changed_.notify();
    co_await tasks_.join();
    if (!exit_) co_return ExitStatus{ExitStatus::Kind::stuck, pid_};
    co_return ExitStatus::from_wait(exit_->wait_status);
}

std::optional<RankState> RankProcess::usage() const {
    if (pid() < 0) return std::nullopt;
    RankState sum{.rank = settings_.rank, .pid = static_cast<uint32_t>(pid())};
    for (const pid_t each : with_descendants(pid())) {
        const uint64_t main_ms = main_thread_stat(each).cpu_ms;
        const ProcessStat stat = stat_of(each);
        if (each == pid()) sum.state = stat.state;
        sum.cpu_ms += stat.cpu_ms;
        sum.thread_cpu_ms += stat.cpu_ms - std::min(main_ms, stat.cpu_ms);
        sum.resident_kib += stat.resident_kib;
    }
    return sum;
}

RankCost RankProcess::cost(Clock::time_point begin) const {
    const Exit exit = exit_.value_or(Exit{0, Clock::now(), {}});
    return {settings_.rank,
            static_cast<uint32_t>(pid_),
            PhaseTimes::between(begin, started_at_),
            PhaseTimes::between(begin, exit.at),
            exit.used.cpu_us,
            exit.used.peak_kib,
            output_.carried,
            errors_.carried};
}

DeadProcess RankProcess::dead() const {
    const int status = exit_ ? exit_->wait_status : 0;
    return {settings_.rank, pid_, WTERMSIG(status), WCOREDUMP(status) != 0, {}, {}};
}

void RankProcess::give_up() {
    if (stage_ == Stage::runs) stage_ = Stage::given_up;
    changed_.notify();
}

bool RankProcess::streams_held() {
    return has_writers(output_.pipe) || has_writers(errors_.pipe);
}

/// True when no process can write to the streams any more; what is in them may wait for a slow
/// reader for as long as that takes. Waits for `limit` at most, and only for a moment when no
/// process of the rank's group is left: a daemon that went its own way may hold the streams as
/// long as it likes.
awaitable<bool> RankProcess::streams_free_within(milliseconds limit) {
    const auto begin = Clock::now();
    auto last_seen = begin;
    while (streams_held()) {
        const auto now = Clock::now();
        if (group_.alive()) last_seen = now;
        if (now - begin >= limit || now - last_seen >= daemon_patience) break;
        co_await changed_.wait_until(now + group_check);
    }
    co_return !streams_held();
}

/// A process that the rank left behind may be writing something that matters, so it gets the
/// time that a rank gets to end; then it is ended too.
awaitable<void> RankProcess::wait_for_streams() {
    for (const int step : {0, SIGTERM, SIGKILL}) {
        if (step != 0) signal(step);
        const auto limit = step == SIGKILL ? daemon_patience : settings_.kill_grace;
        const bool free = co_await streams_free_within(limit);
        if (free) co_return;
        left_processes_ = true;
        if (!group_.alive()) break;
    }
    output_.cut();
    errors_.cut();
}

void RankProcess::abandon_streams() {
    std::error_code ignored;
    output_.pipe.close(ignored);
    errors_.pipe.close(ignored);
    refuse_input();
}

awaitable<bool> RankProcess::send(const Outlet& from, std::string_view text) {
    while (!text.empty()) {
        OutputMessage message{settings_.rank, from.stream, cut_at_line(text, max_data)};
        text.remove_prefix(message.bytes.size());
        const bool taken = co_await upstream_.write(from.channel, message);
        if (!taken) co_return false;
    }
    co_return true;
}

/// A question is shown before its answer, and a bar while it grows.
awaitable<bool> RankProcess::carry_part(const Outlet& from, LineAssembler& lines) {
    std::string text;
    lines.show_part(text);
    co_return co_await send(from, text);
}

awaitable<void> RankProcess::carry(Outlet& from) {
    ReadLimit limit(from.pipe);
    LineAssembler lines(from.channel.label, settings_.whole_lines);
    std::string buffer(4096, '\0');
    std::string text;
    bool taken = true;
    while (taken && from.rest != size_t{0}) {
        const bool was_cut = from.rest.has_value();
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        auto room = asio::buffer(buffer);
        if (from.channel.prompts && lines.has_part()) limit.begin(settings_.part_rests);
        const size_t n = co_await from.pipe.async_read_some(room, token);
        const bool rested = limit.end() && from.pipe.is_open();
        if (rested && ec == asio::error::operation_aborted) {
            taken = co_await carry_part(from, lines);
            continue;
        }
        if (ec) break;
        from.took(n, was_cut);
        from.carried += n;
        if (looks_.wrote()) changed_.notify();
        text.clear();
        lines.feed({buffer.data(), n}, text);
        if (n == buffer.size()) buffer.resize(read_at_once);
        taken = co_await send(from, text);
    }
    text.clear();
    lines.finish(text);
    if (taken) co_await send(from, text);
    std::error_code ignored;
    from.pipe.close(ignored);
    changed_.notify();
}

void RankProcess::give_input(std::string bytes) {
    if (input_refused_ || !(input_.is_open() || start_)) return;
    pending_input_.push_back(std::move(bytes));
    changed_.notify();
}

void RankProcess::refuse_input() {
    std::error_code ignored;
    input_.close(ignored);
    changed_.notify();
    if (takes_input() && !std::exchange(input_refused_, true)) demand_.refused(settings_.rank);
}

/// Asks for input when the rank first reads; from then on the pipe's own fill is the demand.
awaitable<void> RankProcess::watch_demand() {
    while (!exit_ && !input_refused_) {
        if (input_demand(pid_, input_pipe_) == Demand::wanted) {
            demand_.wanted(settings_.rank, input_window);
            co_return;
        }
        co_await changed_.wait_until(Clock::now() + looks_.next());
    }
}

awaitable<void> RankProcess::feed_input() {
    while (!input_refused_) {
        if (pending_input_.empty()) {
            co_await changed_.wait();
            continue;
        }
        std::string bytes = std::move(pending_input_.front());
        pending_input_.pop_front();
        const bool is_end = bytes.empty();
        if (is_end && settings_.terminal) bytes = end_of_file_key;
        if (bytes.empty()) break;
        std::span<const char> rest(bytes);
        while (!rest.empty() && !input_refused_) {
            std::error_code ec;
            auto token = asio::redirect_error(asio::use_awaitable, ec);
            auto data = asio::buffer(rest.data(), rest.size());
            const size_t n = co_await input_.async_write_some(data, token);
            if (ec) {
                refuse_input();
                co_return;
            }
            rest = rest.subspan(n);
        }
        if (is_end) break;
        demand_.wanted(settings_.rank, bytes.size());
    }
    std::error_code ignored;
    input_.close(ignored);
}

}  // namespace launch
