#include "cmd/help.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cmd/guide/guide.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/plain_words.hpp"
#include "core/relay/relay.hpp"

namespace launch {
namespace {

struct Wanted {
    std::string topic;
    bool as_man_page = false;
};

Error topics_error(std::string cause) {
    auto error = usage_error(std::move(cause));
    error.hint = "see launch help topics";
    return error;
}

/// Of help itself these are options; any other is one that is asked for.
bool is_option_of_help(const std::string& word) {
    return word == "-h" || word == "--help" || word == "--man";
}

Result<Wanted> read_words(std::vector<std::string> words) {
    Wanted wanted;
    bool help = false;
    std::vector<std::string> names;
    CLI::App app;
    app.set_help_flag();
    app.add_flag("-h,--help", help);  // of help itself there is no other
    app.add_flag("--man", wanted.as_man_page);
    const auto first_name = std::stable_partition(words.begin(), words.end(), is_option_of_help);
    names.assign(first_name, words.end());
    words.erase(first_name, words.end());
    const auto read = read_plain_words(app, "help", std::move(words));
    if (!read) return read.error();
    if (names.size() > 1) return topics_error("help takes one topic, command or option");
    if (!names.empty()) wanted.topic = names.front();
    if (wanted.as_man_page && wanted.topic.empty())
        return topics_error("help --man takes a topic, a command or launch");
    return wanted;
}

}  // namespace

Result<std::string> help_page(std::vector<std::string> words, bool colour) {
    const auto wanted = read_words(std::move(words));
    if (!wanted) return wanted.error();
    if (wanted->as_man_page) return guide::manual_of(wanted->topic);
    if (wanted->topic.empty()) return guide::screen_text(colour);
    return guide::topic_text(wanted->topic, colour);
}

std::string version_text() {
    return "launch " LAUNCH_VERSION " (build " + own_build_id() + ")\n";
}

}  // namespace launch
