// SPDX-License-Identifier: MIT
#include "core/debug/debugged_rank.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

#include "core/base/clock.hpp"
#include "core/base/environment.hpp"
#include "core/base/number_text.hpp"
#include "core/base/seconds.hpp"
#include "core/debug/debug_words.hpp"
#include "core/debug/debugger.hpp"
#include "core/job/exit_status.hpp"
#include "core/process/given_descriptors.hpp"
#include "core/process/process_group.hpp"
#include "core/process/pty.hpp"
#include "core/process/spawn.hpp"
#include "core/process/why_not_started.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

/// A debugger may have much to read before its first prompt.
constexpr milliseconds first_prompt_limit{60'000};
/// So long a debugger whose orders are over may take to end its program and itself, or to let go of
/// a program that is to run on.
constexpr milliseconds leave_limit{2'000};
constexpr milliseconds detach_limit{30'000};
constexpr const char* end_key = "\x04";  ///< of a terminal
constexpr size_t piece_of_output = 8U << 10;
constexpr size_t most_in_a_pipe = 64U << 10;
constexpr size_t longest_line = 16U << 10;
constexpr int not_found = 127;
constexpr int signal_base = 128;

void send_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        text.remove_prefix(static_cast<size_t>(n));
    }
}

void tell(DebugRecord::Kind kind, std::string text = {}) {
    send_all(STDOUT_FILENO, DebugRecord{kind, std::move(text)}.encode());
}

/// Nothing: the end, or a fault.
std::optional<std::string> read_some(int fd) {
    std::array<char, piece_of_output> room;
    for (;;) {
        const ssize_t n = read(fd, room.data(), room.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return std::nullopt;
        return std::string(room.data(), static_cast<size_t>(n));
    }
}

bool is_readable(int fd) {
    pollfd entry{fd, POLLIN, 0};
    return fd >= 0 && poll(&entry, 1, 0) == 1;
}

/// A stream of the program.
struct ProgramStream {
    DebugRecord::Kind kind;
    FdPair pipe;  ///< read end, write end
};

/// A terminal that shows only what is written to it, as it is: a debugger's answers.
void make_plain(int terminal) {
    termios modes{};
    if (tcgetattr(terminal, &modes) != 0) return;
    modes.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    modes.c_oflag &= ~static_cast<tcflag_t>(OPOST);
    tcsetattr(terminal, TCSANOW, &modes);
}

/// The standard streams of a debugger.
struct Connection {
    UniqueFd commands;
    UniqueFd answers;
    UniqueFd its_input;
    UniqueFd its_output;
};

Connection connect_by_pipes() {
    auto to = make_pipe();
    auto from = make_pipe();
    return {std::move(to.second), std::move(from.first), std::move(to.first),
            std::move(from.second)};
}

Connection connect_by_terminal() {
    constexpr WindowSize wide{24, 1000};
    auto [ours, its] = make_pty(wide);
    make_plain(its.get());
    UniqueFd commands(fcntl(ours.get(), F_DUPFD_CLOEXEC, 0));
    UniqueFd its_output(fcntl(its.get(), F_DUPFD_CLOEXEC, 0));
    return {std::move(commands), std::move(ours), std::move(its), std::move(its_output)};
}

class DebuggedRank {
  public:
    DebuggedRank(const std::string& debugger, uint32_t rank, std::vector<std::string> program)
        : debugger_(debugger), rank_(rank), program_(std::move(program)) {}

    int run();

  private:
    enum class Stage : uint8_t {
        starts,   ///< no prompt has come yet
        prompts,  ///< the debugger waits for a command
        answers,  ///< it has one
        leaves,   ///< its orders are over
    };

    bool is_possible();
    bool start();
    void watch_signals();
    void take_signals();
    void look(int timeout_ms);
    int timeout() const;
    void carry_program();
    void answer(std::string_view line);
    void carry_answers();
    void take_orders();
    void obey(const DebugOrder& order);
    void leave();
    void look_for_end();
    int end();

    Debugger debugger_;
    uint32_t rank_;
    std::vector<std::string> program_;
    /// Such as the rank's connection to a PMI server. Before any other is opened.
    std::vector<int> given_ = given_descriptors();
    std::array<ProgramStream, 2> streams_{
        {{DebugRecord::Kind::out, {}}, {DebugRecord::Kind::err, {}}}};
    UniqueFd commands_;
    UniqueFd answers_;
    UniqueFd signals_;
    pid_t pid_ = -1;
    Stage stage_ = Stage::starts;
    std::optional<Clock::time_point> deadline_ = Clock::now() + first_prompt_limit;
    LineSplitter orders_;
    std::string typed_;  ///< the last command, until it is answered
    LineSplitter lines_;
    std::optional<int> wait_status_;  ///< the debugger has ended
};

/// False: the reason has been sent.
bool DebuggedRank::is_possible() {
    const ProgramPlace place{{}, env_value(own_environment(), "PATH"), {}};
    const auto obstacle = debugger_.find_obstacle(program_, place);
    if (!obstacle) return true;
    const auto& [status, detail] = *obstacle;
    tell(DebugRecord::Kind::fault,
         program_.front() + ": " +
             (detail.empty() ? to_string(status) : not_started_text(status.stage, detail)));
    return false;
}

bool DebuggedRank::start() {
    for (auto& stream : streams_)
        stream.pipe = make_pipe();
    const bool by_terminal = debugger_.wants_terminal();
    Connection made = by_terminal ? connect_by_terminal() : connect_by_pipes();
    SpawnRequest request;
    request.inherit = given_;
    for (auto& stream : streams_)
        request.inherit.push_back(stream.pipe.second.get());
    request.argv =
        debugger_.words(program_, {streams_[0].pipe.second.get(), streams_[1].pipe.second.get()});
    request.env = own_environment();
    if (by_terminal) set_env(request.env, "TERM", "dumb");
    request.own_terminal = by_terminal;
    request.stdin_fd = made.its_input.get();
    request.stdout_fd = made.its_output.get();
    request.stderr_fd = made.its_output.get();
    const SpawnResult spawned = spawn_process(request);
    pid_ = spawned.pid;
    commands_ = std::move(made.commands);
    answers_ = std::move(made.answers);
    for (auto& stream : streams_)
        stream.pipe.second.reset();
    if (pid_ > 0) {
        watch_signals();
        return true;
    }
    tell(DebugRecord::Kind::fault,
         debugger_.name() + ": " + why_not_started(request, spawned).detail);
    return false;
}

/// Signals are read from a descriptor. The debugger has them as they were before.
void DebuggedRank::watch_signals() {
    sigset_t watched;
    sigemptyset(&watched);
    for (const int number : {SIGCHLD, SIGTERM, SIGHUP, SIGINT, SIGQUIT})
        sigaddset(&watched, number);
    sigprocmask(SIG_BLOCK, &watched, nullptr);
    signals_ = UniqueFd(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
    look_for_end();  // it may have ended before that
}

int DebuggedRank::timeout() const {
    if (!deadline_) return -1;
    const auto left = std::chrono::ceil<milliseconds>(*deadline_ - Clock::now()).count();
    return static_cast<int>(std::max<long>(left, 0));
}

/// Sends the output of the program. Call it before the answers of the debugger are sent, which are
/// about the program after it has written that.
void DebuggedRank::carry_program() {
    for (auto& stream : streams_) {
        size_t carried = 0;  // a program may write without end
        while (carried < most_in_a_pipe && is_readable(stream.pipe.first.get())) {
            auto bytes = read_some(stream.pipe.first.get());
            if (!bytes) {
                stream.pipe.first.reset();
                break;
            }
            carried += bytes->size();
            tell(stream.kind, *std::move(bytes));
        }
    }
}

/// A debugger at a terminal may repeat what was typed.
void DebuggedRank::answer(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (debugger_.wants_terminal() && line == typed_) return;
    typed_.clear();
    tell(DebugRecord::Kind::answer, std::string(line));
}

void DebuggedRank::carry_answers() {
    const auto bytes = read_some(answers_.get());
    carry_program();
    if (!bytes) return answers_.reset();
    lines_.feed(*bytes, [this](std::string_view line) { answer(line); });
    if (lines_.rest().size() > longest_line) tell(DebugRecord::Kind::answer, lines_.take_rest());
    if (!debugger_.is_prompt(lines_.rest())) return;
    lines_.take_rest();
    if (stage_ == Stage::leaves) return;
    stage_ = Stage::prompts;
    deadline_.reset();
    tell(DebugRecord::Kind::prompt);
}

void DebuggedRank::take_orders() {
    const auto bytes = read_some(STDIN_FILENO);
    if (!bytes) return leave();
    orders_.feed(*bytes, [this](std::string_view line) {
        const auto order = DebugOrder::decode(line);
        if (order && order->is_for(rank_)) obey(*order);
    });
}

void DebuggedRank::obey(const DebugOrder& order) {
    if (order.kind == DebugOrder::Kind::interrupt) {
        if (stage_ == Stage::answers) kill(pid_, SIGINT);
        return;
    }
    stage_ = Stage::answers;
    typed_ = order.text;
    send_all(commands_.get(), typed_ + "\n");
}

/// A debugger that waits for its program has to be interrupted before it sees that no command comes
/// any more.
void DebuggedRank::leave() {
    if (stage_ == Stage::leaves) return;
    if (stage_ == Stage::answers) kill(pid_, SIGINT);
    if (debugger_.wants_terminal()) send_all(commands_.get(), end_key);
    commands_.reset();
    stage_ = Stage::leaves;
    deadline_ = Clock::now() + (is_attached(program_) ? detach_limit : leave_limit);
}

void DebuggedRank::take_signals() {
    signalfd_siginfo signal{};
    while (read(signals_.get(), &signal, sizeof signal) == sizeof signal)
        if (signal.ssi_signo != SIGCHLD) leave();
    look_for_end();
}

void DebuggedRank::look_for_end() {
    int status = 0;
    if (!wait_status_ && waitpid(pid_, &status, WNOHANG) == pid_) wait_status_ = status;
}

void DebuggedRank::look(int timeout_ms) {
    const int orders = stage_ == Stage::leaves ? -1 : STDIN_FILENO;
    std::array<pollfd, 5> entries{{{signals_.get(), POLLIN, 0},
                                   {orders, POLLIN, 0},
                                   {answers_.get(), POLLIN, 0},
                                   {streams_[0].pipe.first.get(), POLLIN, 0},
                                   {streams_[1].pipe.first.get(), POLLIN, 0}}};
    if (poll(entries.data(), entries.size(), timeout_ms) < 0) return;
    if (entries[1].revents != 0) take_orders();
    if (entries[2].revents != 0) carry_answers();
    if (entries[3].revents != 0 || entries[4].revents != 0) carry_program();
    if (entries[0].revents != 0) take_signals();
}

/// Sends the last output of the debugger, and why it has ended. Returns the exit code.
int DebuggedRank::end() {
    while (is_readable(answers_.get()))
        carry_answers();
    carry_program();
    if (!lines_.rest().empty()) tell(DebugRecord::Kind::answer, lines_.take_rest());
    const ExitStatus status = ExitStatus::from_wait(*wait_status_);
    if (stage_ == Stage::leaves || status.success()) return 0;
    tell(DebugRecord::Kind::fault, debugger_.name() + " ended with " + to_string(status));
    return status.kind == ExitStatus::Kind::exited ? status.value : signal_base + status.value;
}

int DebuggedRank::run() {
    signal(SIGPIPE, SIG_IGN);
    if (!is_possible()) return not_found;
    if (!start()) return 1;
    ProcessGroup group(pid_);
    while (!wait_status_) {
        look(timeout());
        if (wait_status_ || !deadline_ || Clock::now() < *deadline_) continue;
        group.kill_all();
        if (stage_ == Stage::leaves) return 0;
        tell(DebugRecord::Kind::fault,
             debugger_.name() + " has printed no prompt within " + in_seconds(first_prompt_limit));
        return 1;
    }
    return end();
}

}  // namespace

int run_debugged_rank(const std::vector<std::string>& words) {
    const auto rank = words.size() > 2 ? parse_number<uint32_t>(words[1]) : std::nullopt;
    if (!rank) return not_found;
    DebuggedRank debugged(words[0], *rank, {words.begin() + 2, words.end()});
    return debugged.run();
}

}  // namespace launch
