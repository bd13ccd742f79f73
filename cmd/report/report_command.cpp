// SPDX-License-Identifier: MIT
#include <iostream>
#include <iterator>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/render/rendered.hpp"
#include "cmd/report/chart.hpp"
#include "core/base/file_text.hpp"

namespace launch {
namespace {

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
