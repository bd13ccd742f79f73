#include "cmd/help.hpp"

#include <CLI/CLI.hpp>
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

Result<Wanted> read_words(std::vector<std::string> words) {
    Wanted wanted;
    bool help = false;
    CLI::App app;
    app.set_help_flag();
    app.add_flag("-h,--help", help);  // of help itself there is no other
    app.add_option("TOPIC", wanted.topic);
    app.add_flag("--man", wanted.as_man_page);
    const auto others = read_plain_words(app, "help", std::move(words));
    if (!others) return others.error();
    if (!others->empty()) return topics_error("help takes one topic");
    if (wanted.as_man_page && wanted.topic.empty())
        return topics_error("help --man takes a topic, or launch");
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
