// SPDX-License-Identifier: MIT
#include "cmd/guide/directives.hpp"

#include <algorithm>
#include <iterator>

#include "cmd/command.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"

namespace launch::guide {
namespace {

using Blocks = std::vector<Block>;

Error fault(const Directive& directive, const std::string& cause) {
    return page_fault("@" + directive.name + ": " + cause);
}

std::string with_metavar(std::string names, const OptionRow& option) {
    const bool may_lack = !option.without_value.empty();
    if (!option.is_flag())
        names.append(may_lack ? " [" : " ").append(option.metavar).append(may_lack ? "]" : "");
    return names;
}

/// As most write it, and what it is called.
std::string two_names(const OptionRow& option) {
    const auto names = names_of(option);
    std::string two(names.front());
    const bool alike = without_dashes(names.front()) == without_dashes(names.back());
    if (!alike) two.append(", ").append(names.back());
    return with_metavar(two, option);
}

Result<Block> shown_block(const Directive& directive, OptionTable options) {
    const bool in_full = directive.name == "options";
    Entries entries;
    Table table;
    for (const auto* option : options) {
        const auto names = directive.name == "brief" ? two_names(*option) : all_names(*option);
        auto text = read_text(in_full && !option->manual.empty() ? option->manual : option->help);
        if (!text) return text.error();
        if (in_full)
            entries.list.push_back({names, *std::move(text)});
        else
            table.rows.push_back({Text{{Style::code, names}}, *std::move(text)});
    }
    return in_full ? Block(std::move(entries)) : Block(std::move(table));
}

/// All of them, by group.
Result<Blocks> every_option(const Directive& directive, const Known& known) {
    Blocks blocks;
    for (auto first = known.options.begin(); first != known.options.end();) {
        const auto group = (*first)->group;
        const auto last = std::find_if(first, known.options.end(), [&](const OptionRow* option) {
            return option->group != group;
        });
        auto block = shown_block(directive, {first, last});
        if (!block) return block.error();
        const bool is_only_one = first == known.options.begin() && last == known.options.end();
        if (!is_only_one) blocks.emplace_back(Heading{std::string(title_of(group)), true});
        blocks.push_back(*std::move(block));
        first = last;
    }
    return blocks;
}

bool is_named(const OptionRow& option, const std::string& word) {
    const auto names = names_of(option);
    return std::find(names.begin(), names.end(), word) != names.end();
}

Result<Blocks> some_options(const Directive& directive, const Known& known) {
    if (directive.words == std::vector<std::string>{"all"}) return every_option(directive, known);
    std::vector<const OptionRow*> options;
    for (const auto& word : directive.words) {
        const auto found =
            std::find_if(known.options.begin(), known.options.end(),
                         [&](const OptionRow* option) { return is_named(*option, word); });
        if (found == known.options.end()) return fault(directive, "there is no option " + word);
        options.push_back(*found);
    }
    auto block = shown_block(directive, options);
    if (!block) return block.error();
    return Blocks{*std::move(block)};
}

Block topic_block(const Known& known) {
    Text text;
    for (const auto& row : known.topics) {
        if (!text.empty()) text.push_back({Style::plain, ", "});
        text.insert(text.end(), row[0].begin(), row[0].end());
    }
    return Paragraph{std::move(text)};
}

Result<Blocks> usage(const Directive& directive) {
    const auto lines = synopsis_lines(directive.words.empty() ? "" : directive.words.front());
    if (lines.empty()) return fault(directive, "there is no such command");
    return Blocks{Verbatim{lines}};
}

Result<Blocks> meaning(const Directive& directive, const Known& known) {
    const auto& name = directive.name;
    if (name == "topics") return Blocks{topic_block(known)};
    if (name == "summaries") return Blocks{Table{std::nullopt, known.topics}};
    if (name == "usage") return usage(directive);
    if (name == "options" || name == "brief" || name == "list")
        return some_options(directive, known);
    return fault(directive, "there is no such directive");
}

}  // namespace

bool tells_of(const Document& document, const OptionRow& option) {
    return std::any_of(document.blocks.begin(), document.blocks.end(), [&](const Block& block) {
        const auto* directive = std::get_if<Directive>(&block);
        if (directive == nullptr || directive->name != "options") return false;
        return std::any_of(directive->words.begin(), directive->words.end(),
                           [&](const std::string& word) { return is_named(option, word); });
    });
}

std::string all_names(const OptionRow& option) {
    return with_metavar(joined(names_of(option), ", "), option);
}

Result<Document> expand(Document document, const Known& known) {
    Blocks blocks;
    for (auto& block : document.blocks) {
        const auto* directive = std::get_if<Directive>(&block);
        if (directive == nullptr) {
            blocks.push_back(std::move(block));
            continue;
        }
        auto others = meaning(*directive, known);
        if (!others) return others.error();
        std::move(others->begin(), others->end(), std::back_inserter(blocks));
    }
    document.blocks = std::move(blocks);
    return document;
}

}  // namespace launch::guide
