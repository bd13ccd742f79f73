// SPDX-License-Identifier: MIT
#include "cmd/jobfile/write_job_file.hpp"

#include <algorithm>
#include <cstdio>

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

}  // namespace launch
