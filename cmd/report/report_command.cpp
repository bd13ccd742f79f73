#include "cmd/report/report_command.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <iterator>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

#include "cmd/options/usage_error.hpp"
#include "cmd/plain_words.hpp"
#include "cmd/report/chart.hpp"
#include "cmd/run.hpp"
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

/// Of the terminal; where there is none, what fits a page.
size_t text_width() {
    constexpr size_t usual = 100;
    winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : usual;
}

}  // namespace

int start_report(const std::vector<std::string>& words) {
    std::string format = "text";
    CLI::App app;
    app.set_help_flag();
    app.add_option("--format", format);
    const auto names = read_plain_words(app, "report", words);
    if (!names) return fail(names.error());
    if (format != "text" && format != "svg" && format != "html")
        return fail(usage_error("--format " + format + ": text, svg or html"));
    if (names->size() != 1)
        return fail(usage_error("report: give the one file that launch --report FILE wrote"));
    const std::string& path = names->front();
    const auto text = text_of(path);
    if (!text) return fail(text.error());
    auto report = read_report(*text);
    if (!report) {
        report.error().operation = std::string("read ") + (path == "-" ? "standard input" : path);
        return fail(report.error());
    }
    if (format == "svg") return show(report_svg(*report));
    return show(format == "html" ? report_html(*report) : report_text(*report, text_width()));
}

}  // namespace launch
