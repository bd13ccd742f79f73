#include "cmd/help.hpp"

#include <string_view>

#include "cmd/options/table.hpp"
#include "core/relay/relay.hpp"

namespace launch {
namespace {

constexpr std::string_view usage =
    "launch [options] program [arguments] [: [options] program [arguments] ...]\n";

constexpr std::string_view examples =
    "  launch -n 4 hostname                            4 ranks on this machine\n"
    "  launch -f hosts ./app                           a rank on every host of the file\n"
    "  launch -n 900 -k 32 -f hosts ./app              along a tree, each node starts up to 32\n"
    "  launch --dry-run -n 900 -k 32 -f hosts ./app    show that tree, start nothing\n"
    "  launch -hosts 'node[001-064],gpu[1-4]:8' -ppn 2 -l uptime    2 ranks a host, lines "
    "labelled\n"
    "  launch -n 1 ./master : -n 63 ./worker           two programs in one job\n"
    "  launch --transport local -hosts 'n[1-64]' hostname    play 64 hosts on this machine\n";

constexpr std::string_view exit_codes =
    "  0 all ranks succeeded; else the code of the rank that failed first, 128+N if signal N\n"
    "  ended it; 2 bad usage, 69 host unreachable or lost, 70 internal fault, 73 file not\n"
    "  staged, 74 output not written, 76 a rank broke the rules of PMI, 124 --timeout, 126\n"
    "  program not executable or no folder -wdir, 127 program not found.\n";

constexpr std::string_view variables =
    "  Each rank finds LAUNCH_RANK, LAUNCH_SIZE, LAUNCH_LOCAL_RANK, LAUNCH_LOCAL_SIZE,\n"
    "  LAUNCH_NODE, LAUNCH_NODES, LAUNCH_HOST, LAUNCH_FIRST_HOST, LAUNCH_HOSTLIST and\n"
    "  LAUNCH_JOB_ID in its environment.\n";

class Page {
  public:
    explicit Page(bool colour) : colour_(colour) {}

    void section(std::string_view title, std::string_view body) {
        if (!text_.empty()) text_ += '\n';
        heading(title);
        text_ += body;
    }

    void option(const OptionRow& option) {
        std::string left = "  ";
        for (const auto name : names_of(option)) {
            if (left.size() > 2) left += ", ";
            left += name;
        }
        if (!option.is_flag()) left.append(" ").append(option.metavar);
        constexpr size_t column = 32;
        if (left.size() + 2 > column) {
            text_ += left + "\n";
            left.clear();
        }
        left.resize(column, ' ');
        text_ += left + std::string(option.help) + "\n";
    }

    std::string take() { return std::move(text_); }

  private:
    void heading(std::string_view title) {
        text_.append(colour_ ? "\033[1m" : "").append(title);
        text_.append(colour_ ? "\033[0m" : "").append("\n");
    }

    bool colour_;
    std::string text_;
};

}  // namespace

std::string help_text(bool colour) {
    Page page(colour);
    page.section("Usage", "  " + std::string(usage));
    page.section("Examples", examples);
    const OptionRow* before = nullptr;
    for (const auto* option : all_options()) {
        const bool is_first = before == nullptr || before->group != option->group;
        if (is_first) page.section(title_of(option->group), "");
        page.option(*option);
        before = option;
    }
    page.section("Exit code", exit_codes);
    page.section("Variables", variables);
    return page.take();
}

std::string version_text() {
    return "launch " LAUNCH_VERSION " (build " + own_build_id() + ")\n";
}

}  // namespace launch
