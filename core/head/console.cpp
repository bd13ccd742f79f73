// SPDX-License-Identifier: MIT
#include "core/head/console.hpp"

#include <algorithm>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/foreground.hpp"
#include "core/base/terminal_text.hpp"

namespace launch {
namespace {

/// A redrawn line must not wrap: only its last row would be erased.
size_t terminal_width() {
    constexpr size_t usual = 80;
    winsize size{};
    const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : usual;
}

std::string fitted(std::string line, size_t width) {
    constexpr size_t least = 8;
    const size_t room = std::max(width, least) - 1;
    if (line.size() <= room) return line;
    line.resize(room - 3);
    return line + "...";
}

}  // namespace

Console::Console(Screen screen, bool quiet, bool progress)
    : screen_(std::move(screen)), quiet_(quiet), show_progress_(progress) {}

/// In the background the line is not the last one any more: the shell has gone on to another,
/// where a user may be typing.
std::string Console::erase_progress() {
    const bool drawn = std::exchange(progress_drawn_, false);
    return drawn && !is_in_background(STDERR_FILENO) ? "\r\033[K" : "";
}

awaitable<bool> Console::output(const OutputMessage& message, uint32_t space) {
    if (!message.bytes.empty()) line_is_open_ = message.bytes.back() != '\n';
    if (progress_drawn_) errors().write_now(erase_progress());
    std::string text(message.bytes);
    const bool prompts = message.stream == Stream::err ? prompts_err_ : prompts_out_;
    if (prompts && !raw_for_) text.insert(0, open_line_.before(space, message.rank, message.bytes));
    if (raw_for_ != message.rank) text = as_shown(std::move(text));
    if (message.stream == Stream::err) {
        // Standard error that nobody reads does not end a job.
        co_await errors().write(std::move(text));
        co_return screen_.out->error() == 0;
    }
    co_return co_await screen_.out->write(std::move(text));
}

void Console::say(std::string_view line) {
    if (muted_) return;
    said_at_ = Clock::now();
    // Much of what is said comes from hosts, such as a word of a file there.
    const auto before = screen_.err ? std::string_view() : open_line_.before_line();
    errors().write_now(as_shown(erase_progress()
                                    .append(before)
                                    .append("launch: ")
                                    .append(terminal_text(line))
                                    .append("\n")));
}

void Console::set_raw(std::optional<uint32_t> rank) {
    if (rank) progress({});
    raw_for_ = rank;
}

/// A raw terminal leaves the column where it is at the end of a line.
std::string Console::as_shown(std::string text) const {
    if (!raw_for_) return text;
    std::string shown;
    for (const char c : text)
        shown.append(c == '\n' ? "\r" : "").push_back(c);
    return shown;
}

void Console::note(std::string_view line) {
    if (!quiet_) say(line);
}

void Console::hint(std::string_view line) {
    if (show_progress_) say(line);
}

void Console::progress(const std::string& line) {
    if (!show_progress_ || raw_for_) return;
    std::string text = erase_progress();
    if (!line.empty() && !is_in_background(STDERR_FILENO)) {
        text.append(fitted(terminal_text("launch: " + line), terminal_width()));
        progress_drawn_ = true;
    }
    errors().write_now(text);
}

bool Console::is_calm() const {
    if (line_is_open_) return false;
    struct stat status {};
    return fstat(STDOUT_FILENO, &status) == 0 && !S_ISFIFO(status.st_mode) &&
           !S_ISSOCK(status.st_mode);
}

awaitable<void> Console::drain() {
    co_await screen_.out->drain();
    if (screen_.err) co_await screen_.err->drain();
}

void Console::give_up() {
    screen_.out->give_up();
    if (screen_.err) screen_.err->give_up();
}

}  // namespace launch
