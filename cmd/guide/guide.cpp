#include "cmd/guide/guide.hpp"

#include <algorithm>

#include "cmd/guide/directives.hpp"
#include "cmd/guide/man.hpp"
#include "cmd/guide/pages.hpp"
#include "cmd/guide/read_document.hpp"
#include "cmd/guide/terminal.hpp"
#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"

namespace launch::guide {
namespace {

constexpr std::string_view manual_name = "launch";

Result<Known> known_here() {
    Known known{all_options(), {}};
    for (const auto& page : topics()) {
        auto document = read_document(page.text);
        if (!document) return document.error();
        known.topics.push_back(
            {Text{{Style::code, std::string(page.name)}}, Text{{Style::plain, document->summary}}});
    }
    return known;
}

Result<Document> complete(std::string_view text) {
    auto known = known_here();
    if (!known) return known.error();
    auto document = read_document(text);
    if (!document) return document.error();
    return expand(*std::move(document), *known);
}

Error unknown_topic(std::string_view name) {
    auto error =
        usage_error("no help about " + shown(name) + did_you_mean(nearest(name, topic_names())));
    error.hint = "see launch help topics";
    return error;
}

Result<Document> page_of(std::string_view name) {
    if (name == manual_name) return complete(manual_page());
    const auto pages = topics();
    const auto page = std::find_if(pages.begin(), pages.end(),
                                   [&](const Page& each) { return each.name == name; });
    if (page == pages.end()) return unknown_topic(name);
    return complete(page->text);
}

/// All other pages; a topic's page names launch(1) alone, where they stand.
std::vector<std::string> see_also(std::string_view name) {
    if (name != manual_name) return {"launch(1)"};
    std::vector<std::string> pages;
    for (const auto topic : topic_names())
        pages.push_back("launch-" + std::string(topic) + "(7)");
    return pages;
}

}  // namespace

std::vector<std::string_view> topic_names() {
    std::vector<std::string_view> names;
    for (const auto& page : topics())
        names.push_back(page.name);
    return names;
}

Result<std::string> topic_text(std::string_view name, bool colour) {
    const auto document = page_of(name);
    if (!document) return document.error();
    return terminal_text(*document, colour);
}

Result<std::string> manual_of(std::string_view name) {
    const auto document = page_of(name);
    if (!document) return document.error();
    return man_text(*document, {name == manual_name ? "1" : "7", see_also(name)});
}

Result<std::string> screen_text(bool colour) {
    const auto document = complete(screen_page());
    if (!document) return document.error();
    return terminal_text(*document, colour);
}

}  // namespace launch::guide
