// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <iterator>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/render/rendered.hpp"
#include "cmd/report/chart.hpp"
#include "cmd/report/report.hpp"
#include "core/base/fd.hpp"
#include "core/base/file_text.hpp"

namespace launch {
namespace {

std::string folder_of(const std::string& path) {
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

Error failed(const std::string& path, int error, ErrorKind kind) {
    Error failure = os_error("write the report " + path, error);
    failure.kind = kind;
    return failure;
}

/// A rename would put a file in the place of a device or a pipe.
bool is_written_in_place(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text.remove_prefix(static_cast<size_t>(n));
    }
    return true;
}

Result<std::string> text_of(const std::string& path) {
    if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
    FileText file = read_file(path);
    if (file.error == 0) return std::move(file.text);
    Error error = os_error("read " + path, file.error);
    error.kind = ErrorKind::usage;
    return error;
}

/// Returns the width of the terminal, or one that fits a page.
size_t text_width() {
    constexpr size_t usual = 100;
    winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : usual;
}

}  // namespace

Status check_report_file(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
        return failed(path, EISDIR, ErrorKind::usage);
    const std::string where = is_written_in_place(path) ? path : folder_of(path);
    if (access(where.c_str(), W_OK) != 0) return failed(path, errno, ErrorKind::usage);
    return Ok{};
}

Status write_report_file(const std::string& path, const std::string& text) {
    const bool in_place = is_written_in_place(path);
    const std::string target = in_place ? path : path + ".new-" + std::to_string(getpid());
    const int flags = O_WRONLY | O_CLOEXEC | (in_place ? 0 : O_CREAT | O_EXCL);
    UniqueFd file(open(target.c_str(), flags, 0666));
    if (!file) return failed(path, errno, ErrorKind::output);
    const bool written = write_all(file.get(), text);
    int error = errno;
    if (in_place) return written ? Status(Ok{}) : failed(path, error, ErrorKind::output);
    if (written && rename(target.c_str(), path.c_str()) == 0) return Ok{};
    if (written) error = errno;
    unlink(target.c_str());
    return failed(path, error, ErrorKind::output);
}

int draw_report(const Asked& asked) {
    const std::string& path = asked.words.front();
    const auto text = text_of(path);
    if (!text) return fail(text.error());
    auto report = read_report(*text);
    if (!report) {
        report.error().operation = std::string("read ") + (path == "-" ? "standard input" : path);
        return fail(report.error());
    }
    return show(rendered(asked.settings.view.format,
                         {{Format::text, [&] { return report_text(*report, text_width()); }},
                          {Format::svg, [&] { return report_svg(*report); }},
                          {Format::html, [&] { return report_html(*report); }}}));
}

}  // namespace launch
