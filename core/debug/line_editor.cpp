// SPDX-License-Identifier: MIT
#include "core/debug/line_editor.hpp"

#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include "core/base/fd.hpp"
#include "core/base/foreground.hpp"
#include "core/base/library.hpp"

namespace launch {
namespace {

LineEditor* shown_editor = nullptr;  // its library knows one, too

/// A description of its own: to make the shared one non-blocking would change it for others.
int open_terminal() {
    if (isatty(STDIN_FILENO) != 1 || is_in_background(STDIN_FILENO)) return -1;
    return open("/proc/self/fd/0", O_RDWR | O_NOCTTY | O_CLOEXEC);
}

}  // namespace

/// The interface that both libraries have, see "Alternate Interface" in the manual of readline.
struct LineEditor::Functions {
    explicit Functions(const char* file) : library(file) {
        const bool has_all =
            library.load(install, "rl_callback_handler_install") &&
            library.load(remove, "rl_callback_handler_remove") &&
            library.load(read_char, "rl_callback_read_char") &&
            library.load(insert, "rl_insert_text") && library.load(redisplay, "rl_redisplay") &&
            library.load(remember, "add_history") && library.load(text, "rl_line_buffer") &&
            library.load(in, "rl_instream") && library.load(out, "rl_outstream");
        if (!has_all) library.discard();
        if (!has_all) return;
        int* catches = nullptr;
        for (const char* name : {"rl_catch_signals", "rl_catch_sigwinch"})
            if (library.load(catches, name)) *catches = 0;  // signals are launch's
        library.load(clear, "rl_clear_visible_line");
        library.load(resize, "rl_resize_terminal");
        library.load(initialize, "rl_initialize");
        library.load(use_history, "using_history");
    }
    bool is_open() const { return library.is_open(); }

    Library library;
    void (*install)(const char* prompt, void (*handler)(char*)) = nullptr;
    void (*remove)() = nullptr;
    void (*read_char)() = nullptr;
    int (*insert)(const char* text) = nullptr;
    void (*redisplay)() = nullptr;
    int (*remember)(const char* line) = nullptr;
    char** text = nullptr;
    FILE** in = nullptr;
    FILE** out = nullptr;
    // Not in every version:
    int (*clear)() = nullptr;
    void (*resize)() = nullptr;
    int (*initialize)() = nullptr;
    void (*use_history)() = nullptr;
};

std::unique_ptr<LineEditor> LineEditor::open(any_io_executor executor, SavedTerminal& saved,
                                             Taker taker) {
    UniqueFd terminal(open_terminal());
    if (!terminal || shown_editor != nullptr) return nullptr;
    for (const char* file :
         {"libreadline.so.8", "libreadline.so.7", "libedit.so.2", "libedit.so.0"}) {
        auto functions = std::make_unique<Functions>(file);
        if (!functions->is_open()) continue;
        if (!saved.keep(STDIN_FILENO)) return nullptr;
        return std::unique_ptr<LineEditor>(new LineEditor(std::move(executor), saved,
                                                          std::move(taker), std::move(functions),
                                                          terminal.release()));
    }
    return nullptr;
}

LineEditor::LineEditor(any_io_executor executor, SavedTerminal& saved, Taker taker,
                       std::unique_ptr<Functions> functions, int terminal)
    : saved_(saved),
      taker_(std::move(taker)),
      call_(std::move(functions)),
      stream_(fdopen(fcntl(terminal, F_DUPFD_CLOEXEC, 0), "r+")),
      terminal_(executor, terminal),
      changed_(executor),
      tasks_(executor) {
    shown_editor = this;
    *call_->in = stream_;
    *call_->out = stream_;
    if (call_->use_history != nullptr) call_->use_history();
    tasks_.spawn(read_keys());
}

LineEditor::~LineEditor() {
    close();
    shown_editor = nullptr;
    if (stream_ != nullptr) fclose(stream_);
}

void LineEditor::line_is_complete(char* line) {
    if (shown_editor != nullptr) shown_editor->take(line);
    free(line);
}

void LineEditor::take(char* line) {
    call_->remove();
    shown_.clear();
    std::optional<std::string> typed;
    if (line != nullptr) typed = line;
    if (typed && !typed->empty()) call_->remember(line);
    taker_(std::move(typed));
}

void LineEditor::show(const std::string& prompt) {
    if (is_closed_ || prompt == shown_) return;
    hide();
    shown_ = prompt;
    if (call_->resize != nullptr) call_->resize();
    call_->install(shown_.c_str(), line_is_complete);
    if (!kept_.empty()) {
        call_->insert(kept_.c_str());
        call_->redisplay();
    }
    kept_.clear();
    changed_.notify();
}

void LineEditor::hide() {
    if (shown_.empty()) return;
    kept_ = *call_->text != nullptr ? *call_->text : "";
    if (call_->clear != nullptr)
        call_->clear();
    else
        fputs("\r\033[K", stream_);
    fflush(stream_);
    call_->remove();
    shown_.clear();
}

void LineEditor::drop() {
    if (shown_.empty()) return;
    call_->remove();
    fputs("\n", stream_);
    fflush(stream_);
    shown_.clear();
}

void LineEditor::close() {
    if (std::exchange(is_closed_, true)) return;
    hide();
    saved_.restore();
    std::error_code ignored;
    terminal_.close(ignored);
    changed_.notify();
}

awaitable<void> LineEditor::read_keys() {
    while (!is_closed_) {
        if (shown_.empty()) {
            co_await changed_.wait();
            continue;
        }
        std::error_code error;
        auto token = asio::redirect_error(asio::use_awaitable, error);
        co_await terminal_.async_wait(asio::posix::stream_descriptor::wait_read, token);
        if (is_closed_) co_return;
        if (error) co_return taker_(std::nullopt);
        if (!shown_.empty()) call_->read_char();
    }
}

}  // namespace launch
