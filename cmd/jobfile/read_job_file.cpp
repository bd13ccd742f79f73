// SPDX-License-Identifier: MIT
#include "cmd/jobfile/read_job_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#define TOML_EXCEPTIONS 0
// Before it reports that a table's name begins with no letter, toml++ 3.0 asserts that it does, or
// in an optimized build assumes it: a mistake in a file must be reported in every build.
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>

#include "cmd/jobfile/split_command.hpp"
#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/options/values.hpp"
#include "core/base/list_text.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

constexpr std::string_view program_key = "program";
constexpr std::string_view command_key = "command";

std::string kind_name(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table: return "a table";
        case toml::node_type::array: return "a list";
        case toml::node_type::string: return "a string";
        case toml::node_type::integer: return "an integer";
        case toml::node_type::floating_point: return "a number with a point";
        case toml::node_type::boolean: return "true or false";
        default: return "a date or time";
    }
}

/// A single value as the command line would have it; none where it is no such.
std::optional<std::string> text_of(const toml::node& node) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
    if (const auto* number = node.as_floating_point()) {
        // As a plain number: no exponent, no digit lost.
        std::array<char, 400> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number->get(),
                                       std::chars_format::fixed);
        return std::string(digits.data(), end.ptr);
    }
    return std::nullopt;
}

/// The parser repeats what it met, the end of a line too; a message is one line.
std::string on_one_line(std::string_view words) {
    std::string line;
    for (const char c : words)
        line += c == '\n' ? "\\n" : c == '\r' ? "\\r" : std::string(1, c);
    return line;
}

bool fits(const OptionRow& option, const toml::node& node) {
    switch (option.value.kind) {
        case Kind::flag: return node.is_boolean();
        case Kind::number: return node.is_integer();
        case Kind::time: return node.is_string() || node.is_number();
        case Kind::pair: return node.is_table();
        case Kind::hosts:
        case Kind::list: return node.is_string() || node.is_array();
        case Kind::choice: return node.is_string() || node.is_integer();
        default: return node.is_string() || (option.value.repeats && node.is_array());
    }
}

/// The entries of a table in the order in which they stand in the file: the last of several that
/// say the same counts, and variables are set in their order. The parser sorts them by key.
std::vector<std::pair<const toml::key*, const toml::node*>> in_order_of_file(
    const toml::table& table) {
    std::vector<std::pair<const toml::key*, const toml::node*>> entries;
    for (const auto& [key, node] : table)
        entries.emplace_back(&key, &node);
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return a.first->source().begin < b.first->source().begin;
    });
    return entries;
}

class Reader {
  public:
    Reader(const FilePlace& place, OptionTable table) : place_(place), table_(table) {}

    JobFile run(std::string_view text) {
        auto parsed = toml::parse(text, place_.name);
        if (parsed)
            read_file(parsed.table());
        else
            complain(parsed.error().source(), on_one_line(parsed.error().description()));
        std::stable_sort(mistakes_.begin(), mistakes_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (auto& mistake : mistakes_)
            file_.mistakes.add(std::move(mistake.second));
        return std::move(file_);
    }

  private:
    void complain(const toml::source_region& where, const std::string& cause) {
        const Origin origin = origin_of(where, "");
        add(origin, usage_error(place_of(origin) + ": " + cause));
    }

    void add(const Origin& origin, Error error) {
        error.hint = "see launch help job-files";
        mistakes_.emplace_back(std::pair{origin.line, origin.column}, std::move(error));
    }

    Origin origin_of(const toml::source_region& where, std::string_view key) const {
        return {.layer = place_.layer,
                .name = std::string(key),
                .file = place_.name,
                .line = where.begin.line,
                .column = where.begin.column};
    }

    void read_file(const toml::table& top) {
        for (const auto& [key, node] : in_order_of_file(top))
            read_top(*key, *node);
        if (place_.layer == Layer::job_file && top.contains(command_key) &&
            top.contains(program_key))
            complain(top.get(command_key)->source(),
                     "the key command belongs in a [[program]], because this file has some");
    }

    void read_top(const toml::key& key, const toml::node& node) {
        const std::string_view name = key.str();
        const bool has_programs = place_.layer == Layer::job_file;
        if (has_programs && name == program_key) return read_programs(node);
        if (has_programs && name == command_key)
            return file_.source.programs.push_back({.argv = read_command(node), .given = {}});
        const auto* option = find_key(name, Scope::job, table_);
        if (option == nullptr) option = find_key(name, Scope::program, table_);
        if (option == nullptr) return unknown(key, true);
        read_option(*option, key, node, file_.source.given);
    }

    void unknown(const toml::key& key, bool is_at_top) {
        const std::string_view name = key.str();
        const std::string what = "the key " + std::string(name);
        if (place_.layer != Layer::job_file && (name == program_key || name == command_key))
            return complain(key.source(), what + ": programs are for job files");
        if (find_key(name, Scope::invocation, table_) != nullptr)
            return complain(key.source(), what + ": that is for the command line only");
        if (find_key(name, Scope::job, table_) != nullptr)
            return complain(key.source(),
                            what + " is for the whole job: write it above the first [[program]]");
        std::vector<std::string_view> known;
        if (place_.layer == Layer::job_file) known = {program_key, command_key};
        const auto may = [&](const OptionRow* row) {
            return row != nullptr &&
                   (row->scope == Scope::program || (is_at_top && row->scope == Scope::job));
        };
        for (const auto* row : table_)
            if (may(row)) known.push_back(row->key);
        const auto* meant = find_bare(name, table_);
        complain(key.source(), "unknown key " + shown(name) +
                                   did_you_mean(may(meant) ? meant->key : nearest(name, known)));
    }

    void read_programs(const toml::node& node) {
        const auto* programs = node.as_array();
        if (programs == nullptr || !programs->is_array_of_tables())
            return complain(node.source(), "programs are written as tables [[program]]");
        for (const auto& program : *programs)
            read_program(*program.as_table());
    }

    void read_program(const toml::table& table) {
        GivenProgram program;
        for (const auto& [key, node] : in_order_of_file(table)) {
            if (key->str() == command_key) {
                program.argv = read_command(*node);
            } else if (const auto* option = find_key(key->str(), Scope::program, table_)) {
                read_option(*option, *key, *node, program.given);
            } else {
                unknown(*key, false);
            }
        }
        if (!table.contains(command_key))
            complain(table.source(), "this program has no command = \"...\"");
        file_.source.programs.push_back(std::move(program));
    }

    std::vector<std::string> read_command(const toml::node& node) {
        std::vector<std::string> words;
        if (const auto* text = node.as_string()) {
            auto split = split_command(text->get());
            if (!split) {
                complain(node.source(), "command: " + split.error().cause);
                return words;
            }
            words = *std::move(split);
        } else if (const auto* list = node.as_array()) {
            for (const auto* word : strings_of(*list, "command"))
                words.push_back(word->get());
        } else {
            complain(node.source(),
                     "command: a string or a list of strings, not " + kind_name(node));
            return words;
        }
        if (words.empty() || words[0].empty()) {
            complain(node.source(), "command: it names no program");
            return words;
        }
        // Without a slash it is looked up in PATH.
        if (words[0].find('/') != std::string::npos) words[0] = absolute(words[0], place_.folder);
        return words;
    }

    using Strings = std::vector<const toml::value<std::string>*>;

    Strings strings_of(const toml::array& list, std::string_view name) {
        Strings strings;
        for (const auto& each : list) {
            if (const auto* text = each.as_string())
                strings.push_back(text);
            else
                complain(each.source(),
                         std::string(name) + ": strings are listed here, not " + kind_name(each));
        }
        return strings;
    }

    void read_option(const OptionRow& option, const toml::key& key, const toml::node& node,
                     std::vector<Given>& given) {
        const std::string name(key.str());
        if (!fits(option, node))
            return complain(node.source(),
                            name + ": " + value_in_words(option) + ", not " + kind_name(node));
        if (const auto* table = node.as_table()) return read_pairs(option, *table, given);
        const Origin origin = origin_of(node.source(), key.str());
        if (const auto* list = node.as_array()) {
            if (list->empty())
                return complain(node.source(),
                                name + ": an empty list says nothing, leave the key out");
            return read_list(option, key, strings_of(*list, name), origin, given);
        }
        give(option, *text_of(node), origin, given);
    }

    /// Each element of a list is a value of its own where the option may be given several times.
    void read_list(const OptionRow& option, const toml::key& key, const Strings& list,
                   const Origin& whole, std::vector<Given>& given) {
        if (option.value.repeats) {
            for (const auto* one : list)
                give(option, one->get(), origin_of(one->source(), key.str()), given);
            return;
        }
        std::vector<std::string> words;
        for (const auto* one : list)
            words.push_back(one->get());
        give(option, joined(words, ","), whole, given);
    }

    void read_pairs(const OptionRow& option, const toml::table& table, std::vector<Given>& given) {
        for (const auto& [key, node] : in_order_of_file(table)) {
            const auto text = text_of(*node);
            if (!text)
                complain(node->source(), std::string(option.key) + "." + shown(key->str()) +
                                             ": a string, not " + kind_name(*node));
            else
                give(option, std::string(key->str()) + "=" + *text,
                     origin_of(node->source(), option.key), given);
        }
    }

    void give(const OptionRow& option, const std::string& text, const Origin& origin,
              std::vector<Given>& given) {
        Given one{&option, absolute_value(option, text, place_.folder), origin};
        if (auto objection = objection_to(one)) return add(origin, *std::move(objection));
        // A list of the command line is read later, where a hint can look at what files there are.
        if (option.value.kind == Kind::hosts)
            if (const auto hosts = parse_hosts(one.value); !hosts)
                return add(origin, wrong_value(one, hosts.error().cause));
        given.push_back(std::move(one));
    }

    FilePlace place_;
    OptionTable table_;
    JobFile file_;
    std::vector<std::pair<std::pair<uint32_t, uint32_t>, Error>> mistakes_;
};

}  // namespace

JobFile read_job_file(std::string_view text, const FilePlace& place, OptionTable table) {
    return Reader(place, table).run(text);
}

}  // namespace launch
