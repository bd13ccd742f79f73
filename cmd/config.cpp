// SPDX-License-Identifier: MIT
#include "cmd/config.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/job_word.hpp"
#include "cmd/jobfile/gather.hpp"
#include "cmd/jobfile/write_job_file.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/render/json.hpp"
#include "cmd/render/rendered.hpp"
#include "cmd/request/job_request.hpp"
#include "cmd/request/surroundings.hpp"

namespace launch {
namespace {

/// Raised if a key of the JSON is removed or changes its meaning.
constexpr uint64_t config_version = 1;

/// As values of Layer are numbered.
constexpr auto layer_names = std::to_array<std::string_view>(
    {"built-in", "site file", "user file", "environment", "job file", "command line"});
static_assert(layer_names.size() == static_cast<size_t>(Layer::command_line) + 1);

std::string_view name_of(Layer layer) {
    return layer_names.at(static_cast<size_t>(layer));
}

/// One option, or what one place says of it, as it is set for the job or for one of its programs.
struct Shown {
    const OptionRow& row;
    std::vector<std::string> texts;
    Origin origin;
    size_t program;  ///< from 1; 0: of the job, or of any program
};

/// Adds one for each place that the texts come from.
void add_places(const OptionRow& row, std::vector<std::string> texts,
                std::span<const Origin> origins, size_t program, std::vector<Shown>& all) {
    if (origins.size() < 2) {
        all.push_back({row, std::move(texts), origins.empty() ? Origin{} : origins[0], program});
        return;
    }
    for (size_t i = 0; i < texts.size();) {
        Shown one{row, {}, origins[i], program};
        while (i < texts.size() && origins[i] == one.origin)
            one.texts.push_back(std::move(texts[i++]));
        all.push_back(std::move(one));
    }
}

void add_options(OptionTable table, Scope scope, const View& view, const Origins& origins,
                 size_t program, std::vector<Shown>& all) {
    for (const auto* row : table) {
        if (row->scope != scope) continue;
        // Options of a program are listed once, set or not, where there is no job file with
        // programs of its own. Otherwise only those that somebody set, so that a job of ten
        // programs does not list all of them ten times; likewise a key that the job has as well
        // (env), whose line for the job says already that it is not set.
        const bool if_set = program > 0 || find_key(row->key, Scope::job, table) != nullptr;
        if (scope == Scope::program && if_set && !origins.has(row->key)) continue;
        add_places(*row, texts_of(*row, view), origins.all_of(row->key), program, all);
    }
}

std::vector<Shown> shown_settings(const Settings& settings, OptionTable table) {
    std::vector<Shown> all;
    const ProgramSettings none;
    add_options(table, Scope::job, {settings, none}, settings.origins, 0, all);
    // Without a job file the program only stands for any.
    const bool named = !settings.job_file.empty();
    for (size_t i = 0; i < settings.programs.size(); ++i) {
        const auto& program = settings.programs[i];
        const size_t number = named ? i + 1 : 0;
        add_options(table, Scope::program, {settings, program}, program.origins, number, all);
    }
    return all;
}

std::string value_text(const Shown& shown) {
    if (!shown.texts.empty()) return toml_value(shown.row, shown.texts);
    return "(" + std::string(shown.row.if_unset) + ")";
}

/// Returns the place where a user would change the value.
std::string origin_text(const Origin& origin) {
    if (origin.layer == Layer::built_in) return "built-in";
    if (origin.line > 0) return origin.file + ":" + std::to_string(origin.line);
    return origin.name;
}

Json setting_json(const Shown& shown) {
    Json json = {{"key", shown.row.key}, {"value", nullptr}};
    if (shown.texts.empty())
        json["if_unset"] = shown.row.if_unset;
    else if (shown.row.value.repeats)
        json["value"] = shown.texts;
    else if (shown.row.is_flag())
        json["value"] = shown.texts[0] == "true";
    else
        json["value"] = shown.texts[0];
    json["layer"] = name_of(shown.origin.layer);
    if (shown.origin.line > 0) {
        json["file"] = shown.origin.file;
        json["line"] = shown.origin.line;
    }
    if (shown.program > 0) json["program"] = shown.program;
    return json;
}

/// The settings as JSON: cmd/render/schemas/config.json.
std::string config_json(const Settings& settings) {
    return json_text(
        {{"version", config_version},
         {"settings", json_list(shown_settings(settings, all_options()), setting_json)}});
}

}  // namespace

std::string config_text(const Settings& settings, OptionTable table) {
    constexpr size_t column = 40;
    std::string text;
    for (const Shown& shown : shown_settings(settings, table)) {
        std::string line = std::string(shown.row.key) + " = " + value_text(shown);
        line.resize(std::max(line.size() + 2, column), ' ');
        line += "# " + origin_text(shown.origin);
        if (shown.program > 0) line += ", program " + std::to_string(shown.program);
        text += line + "\n";
    }
    return text;
}

int start_config(const std::vector<std::string>& words) {
    const auto around = look_around();
    if (!around) return fail(around.error());
    const WordRules rules{.table = config_options(),
                          .is_job_file = is_job_file,
                          .programs = Programs::none,
                          .page = "config"};
    const auto gathered = gather_settings(words, rules, usual_places(around->env, around->wdir));
    if (!gathered.mistakes.empty()) return fail(gathered.mistakes);
    const auto& settings = gathered.settings;
    if (settings.init) return show(commented_config());
    if (settings.schema) return show(job_file_schema());
    const auto possible = check_settings(settings);
    if (!possible) return fail(with_page(possible.error(), "config"));
    tell_notes(gathered.notes);
    return show(
        rendered(settings.view.format, {{Format::text, [&] { return config_text(settings); }},
                                        {Format::json, [&] { return config_json(settings); }}}));
}

}  // namespace launch
