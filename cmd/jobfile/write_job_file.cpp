// SPDX-License-Identifier: MIT
#include "cmd/jobfile/write_job_file.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "cmd/options/source.hpp"
#include "cmd/options/table.hpp"
#include "cmd/options/values.hpp"

namespace launch {
namespace {

/// A basic string of TOML.
std::string quoted_text(std::string_view text) {
    std::string made = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            made.append("\\").append(1, c);
        } else if (code < 0x20 || code == 0x7f) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned>(code));
            made += escape;
        } else {
            made += c;
        }
    }
    return made + '"';
}

std::string quoted_list(const std::vector<std::string>& texts) {
    std::string made = "[";
    for (const auto& text : texts)
        made += (made.size() > 1 ? ", " : "") + quoted_text(text);
    return made + "]";
}

std::string inline_table(const std::vector<std::string>& pairs) {
    std::string made = "{ ";
    for (const auto& pair : pairs) {
        const auto equals = pair.find('=');
        made += (made.size() > 2 ? ", " : "") + quoted_text(pair.substr(0, equals)) + " = " +
                quoted_text(pair.substr(equals + 1));
    }
    return made + " }";
}

/// Without a slash it is looked up in PATH; else from where its ranks start.
std::vector<std::string> command_of(const ProgramSettings& program, const std::string& folder) {
    auto words = program.argv;
    if (!words.empty() && words[0].find('/') != std::string::npos)
        words[0] =
            absolute(words[0], program.wdir.empty() ? folder : absolute(program.wdir, folder));
    return words;
}

std::string rows(OptionTable table, Scope scope, const View& view, const Origins& origins,
                 const std::string& folder) {
    std::string text;
    for (const auto* row : table) {
        if (row->scope != scope || !origins.has(row->key)) continue;
        auto values = texts_of(*row, view);
        // A 0 that takes back what a weaker layer says must do so there, too.
        const bool is_number = row->value.kind == Kind::number;
        if (values.empty() && is_number && !objection_to({row, "0", {}})) values = {"0"};
        for (auto& value : values)
            value = absolute_value(*row, value, folder);
        if (!values.empty())
            text.append(row->key).append(" = ").append(toml_value(*row, values)).append("\n");
    }
    return text;
}

/// The lines of a comment, none longer than a screen is wide. Two signs tell them from the lines
/// that are to be taken in, which have one.
std::string comment(std::string_view text) {
    constexpr size_t width = 77;
    std::string made;
    while (text.size() > width) {
        const auto end = std::min(text.rfind(' ', width), text.size());
        made.append("## ").append(text.substr(0, end)).append("\n");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return made.append("## ").append(text).append("\n");
}

/// An option of the commented file: what it does, and a line that sets it.
std::string commented(const OptionRow& row) {
    std::string text = "\n" + comment(row.help);
    if (default_texts(row).empty())
        text += comment("Not set: " + std::string(row.if_unset) + ". An example:");
    return text + "# " + example_line(row) + "\n";
}

using Schema = nlohmann::ordered_json;

Schema list_of_strings() {
    return {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}};
}

Schema string_or_list() {
    return {{"anyOf", Schema::array({Schema{{"type", "string"}}, list_of_strings()})}};
}

/// Lists the words of a choice as examples, not as an enumeration, because some words go on after a
/// colon and some stand for a number.
Schema choice_schema(const OptionRow& option) {
    Schema schema{{"type", Schema::array({"string", "integer"})}};
    for (const auto& word : option.value.words())
        schema["examples"].push_back(word.shown());
    return schema;
}

Schema number_schema(const OptionRow& option) {
    Settings ignored;
    ProgramSettings program;
    const bool may_be_none = option.value.read("0", {ignored, program}).empty();
    return {{"type", "integer"}, {"minimum", may_be_none ? 0 : 1}};
}

/// As read_job_file() takes the kind.
Schema value_schema(const OptionRow& option) {
    switch (option.value.kind) {
        case Kind::flag: return {{"type", "boolean"}};
        case Kind::number: return number_schema(option);
        case Kind::time: return {{"type", Schema::array({"string", "number"})}};
        case Kind::choice: return choice_schema(option);
        case Kind::pair:
            return {{"type", "object"},
                    {"additionalProperties",
                     {{"type", Schema::array({"string", "number", "boolean"})}}}};
        case Kind::hosts:
        case Kind::list: return string_or_list();
        case Kind::text:
        case Kind::path: break;
    }
    return option.value.repeats ? string_or_list() : Schema{{"type", "string"}};
}

Schema described_schema(const OptionRow& option) {
    Schema schema = value_schema(option);
    schema["description"] = option.help;
    return schema;
}

Schema command_schema() {
    Schema schema = string_or_list();
    schema["description"] = "the program and its arguments";
    return schema;
}

/// Returns the keys of a table: a program has its own options and its command, the top all options.
Schema keys_schema(OptionTable table, bool is_top) {
    Schema keys = Schema::object();
    keys["command"] = command_schema();
    for (const auto scope : {Scope::job, Scope::program})
        for (const auto* option : table)
            if (option->scope == scope && (is_top || scope == Scope::program) &&
                !keys.contains(option->key))
                keys[std::string(option->key)] = described_schema(*option);
    return keys;
}

Schema table_schema(Schema keys) {
    return {{"type", "object"}, {"properties", std::move(keys)}, {"additionalProperties", false}};
}

}  // namespace

std::string toml_value(const OptionRow& option, const std::vector<std::string>& texts) {
    if (option.is_pair()) return inline_table(last_of_each(texts));
    if (option.value.repeats && texts.size() != 1) return quoted_list(texts);
    const bool bare = option.is_flag() || option.value.kind == Kind::number;
    return bare ? texts.at(0) : quoted_text(texts.at(0));
}

std::string example_line(const OptionRow& option) {
    return std::string(option.key) + " = " + toml_value(option, example_texts(option));
}

std::string write_job_file(const Settings& settings, const std::string& folder, OptionTable table) {
    const ProgramSettings none;
    std::string text = rows(table, Scope::job, {settings, none}, settings.origins, folder);
    for (const auto& program : settings.programs) {
        text += std::string(text.empty() ? "" : "\n") + "[[program]]\n";
        text += "command = " + quoted_list(command_of(program, folder)) + "\n";
        text += rows(table, Scope::program, {settings, program}, program.origins, folder);
    }
    return text;
}

std::string commented_config(OptionTable table) {
    std::string text = comment(
        "Defaults of launch for options that neither the command line nor a job file sets. "
        "A line with a single # is an option: remove the # to set it. The line shows the default, "
        "or an example if it says so. See launch help job-files.");
    const OptionRow* before = nullptr;
    for (const auto* row : table) {
        // At the top of a file a key of both scopes is that of the job.
        const auto* of_job = find_key(row->key, Scope::job, table);
        const bool is_here = of_job == nullptr || of_job == row;
        if (row->scope == Scope::invocation || !is_here) continue;
        if (before == nullptr || before->group != row->group)
            text += "\n" + comment("--- " + std::string(title_of(row->group)));
        before = row;
        text += commented(*row);
    }
    return text;
}

std::string job_file_schema(OptionTable table) {
    Schema program = table_schema(keys_schema(table, false));
    program["required"] = Schema::array({"command"});
    Schema keys = keys_schema(table, true);
    keys["program"] = {{"type", "array"},
                       {"description", "the programs of the job, each with its own options"},
                       {"items", std::move(program)}};
    Schema schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                  {"title", "a job file of launch"}};
    schema.update(table_schema(std::move(keys)));
    return schema.dump(2) + "\n";
}

}  // namespace launch
