// SPDX-License-Identifier: MIT
#include "cmd/jobfile/gather.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include "cmd/jobfile/read_job_file.hpp"
#include "cmd/options/read_source.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/options/values.hpp"
#include "core/base/environment.hpp"
#include "core/base/file_text.hpp"
#include "core/base/shell_word.hpp"

namespace launch {
namespace {

namespace fs = std::filesystem;

constexpr const char* site_config = "/etc/launch/config.toml";
constexpr const char* config_below = "/launch/config.toml";

/// Absolute, as ranks may start elsewhere.
std::string folder_of(const std::string& path, const std::string& wdir) {
    const std::string whole = absolute(path, wdir);
    const auto slash = whole.rfind('/');
    return slash == std::string::npos ? "" : whole.substr(0, std::max<size_t>(slash, 1));
}

/// Empty where none is given.
struct JobFileWord {
    std::string path;
    bool may_be_program = false;  ///< the word alone made it a job file
};

JobFileWord job_file_of(const Source& command_line, Programs programs) {
    JobFileWord word;
    for (const auto& given : command_line.given)
        if (given.option->names_job_file())
            word = {given.value, programs == Programs::needed && given.origin.name == given.value};
    return word;
}

bool asks_about_launch(const Source& command_line) {
    return std::any_of(command_line.given.begin(), command_line.given.end(),
                       [](const Given& given) { return given.option->asks_about_launch(); });
}

/// The names of job files in a folder, without their ends; none where it cannot be read.
std::vector<std::string> stems_in(const fs::path& folder, const fs::path& end) {
    std::vector<std::string> stems;
    std::error_code failure;
    fs::directory_iterator entry(folder.empty() ? "." : folder, failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
        std::error_code unseen;  // of a link to nothing, which is no file
        if (entry->path().extension() == end && entry->is_regular_file(unseen))
            stems.push_back(entry->path().stem());
    }
    return stems;
}

/// Beside the path, written as it is; empty if none is near.
std::string nearest_beside(const fs::path& path) {
    const auto stems = stems_in(path.parent_path(), path.extension());
    const std::vector<std::string_view> known(stems.begin(), stems.end());
    const auto near = nearest(path.stem().string(), known);
    if (near.empty()) return {};
    const fs::path name = std::string(near) + path.extension().string();
    return shown_path(path.parent_path() / name);
}

/// The error for a job file that does not exist: names the one in its folder that was probably
/// meant. `may_be_program`: says how a program of that name is run.
Error missing_job_file(const std::string& path, bool may_be_program) {
    auto error = usage_error("there is no job file " + shown_path(path) +
                             did_you_mean(nearest_beside(path)));
    error.hint = may_be_program ? "to run a program of that name: launch -- " + shell_word(path)
                                : "see launch help job-files";
    return error;
}

class Gatherer {
  public:
    Gatherer(OptionTable table, std::string wdir) : table_(table), wdir_(std::move(wdir)) {}

    void add(Result<Source> source) {
        if (!source) return refuse(std::move(source.error()));
        sources_.push_back(*std::move(source));
    }

    /// The one file that must be there.
    void add_job_file(const JobFileWord& word) {
        job_word_ = word;
        add_file(word.path, Layer::job_file);
    }

    void add_file(const std::string& path, Layer layer) {
        if (path.empty()) return;
        const bool must_be_there = layer == Layer::job_file;
        const auto [text, reason] = read_file(path);
        if (is_absent(reason)) {
            if (must_be_there) refuse(missing_job_file(path, job_word_.may_be_program));
            return;
        }
        // It may be another user's, whose HOME su has left.
        if (reason == EACCES && !must_be_there) return pass_over(path, reason);
        if (reason != 0) return refuse(unreadable("read", path, reason));
        auto file = read_job_file(text, {path, folder_of(path, wdir_), layer}, table_);
        gathered_.mistakes.add(file.mistakes);
        sources_.push_back(std::move(file.source));
    }

    void pass_over(const std::string& path, int reason) {
        gathered_.notes.push_back(describe(unreadable("read", path, reason)) +
                                  "; its settings are left out");
    }

    void note(const std::vector<std::string>& notes) {
        gathered_.notes.insert(gathered_.notes.end(), notes.begin(), notes.end());
    }

    void refuse(Error error) { gathered_.mistakes.add(std::move(error)); }
    void refuse(const Mistakes& mistakes) { gathered_.mistakes.add(mistakes); }

    /// The settings of all layers together.
    Gathered take() {
        if (gathered_.mistakes.empty()) gathered_.settings = resolve(sources_);
        return std::move(gathered_);
    }

  private:
    OptionTable table_;
    std::string wdir_;
    JobFileWord job_word_;
    std::vector<Source> sources_;
    Gathered gathered_;
};

}  // namespace

SettingsPlaces usual_places(std::vector<std::string> env, std::string wdir) {
    SettingsPlaces places{
        .site_file = site_config, .user_file = {}, .env = std::move(env), .wdir = std::move(wdir)};
    const auto folder = env_value(places.env, "XDG_CONFIG_HOME");
    const auto home = env_value(places.env, "HOME");
    if (folder.starts_with('/'))  // else the specification has it ignored
        places.user_file = folder + config_below;
    else if (!home.empty())
        places.user_file = home + "/.config" + config_below;
    return places;
}

Gathered gather_settings(const std::vector<std::string>& words, const WordRules& rules,
                         const SettingsPlaces& places, OptionTable table) {
    Gatherer gatherer(table, places.wdir);
    auto rules_here = rules;
    rules_here.job_file_fault = [](const std::string& path) -> std::optional<Error> {
        if (access(path.c_str(), F_OK) == 0) return std::nullopt;
        return missing_job_file(path, true);
    };
    auto [command_line, mistakes, notes] = read_words(words, rules_here);
    gatherer.refuse(mistakes);
    gatherer.note(notes);
    if (mistakes.empty() && asks_about_launch(command_line)) {
        gatherer.add(std::move(command_line));
        return gatherer.take();
    }
    gatherer.add_file(places.site_file, Layer::site_file);
    gatherer.add_file(places.user_file, Layer::user_file);
    gatherer.add(read_environment(places.env, table));
    const auto job_file = job_file_of(command_line, rules.programs);
    gatherer.add_job_file(job_file);
    // Options alone hold for whatever program would be run.
    if (rules.programs == Programs::none && job_file.path.empty())
        command_line.programs.emplace_back();
    gatherer.add(std::move(command_line));
    auto gathered = gatherer.take();
    if (gathered.mistakes.empty() && gathered.settings.programs.empty() &&
        gathered.settings.attach.empty())
        gathered.mistakes.add(
            usage_error(shown_path(job_file.path) +
                        ": no program to run: write command = \"...\" in a [[program]]"));
    return gathered;
}

}  // namespace launch
