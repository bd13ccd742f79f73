// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cmd/command_functions.hpp"
#include "cmd/complete/complete.hpp"
#include "cmd/complete/host_names.hpp"
#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/guide/guide.hpp"
#include "cmd/job_word.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/request/surroundings.hpp"
#include "cmd/session/join.hpp"
#include "core/base/environment.hpp"
#include "core/base/list_text.hpp"
#include "embedded/completion_scripts.hpp"

namespace launch {
namespace {

Error unknown_shell(const Asked& asked) {
    std::vector<std::string_view> known;
    for (const auto& script : completion_scripts)
        known.push_back(script.name);
    const auto& shell = asked.words.front();
    auto error =
        asked.wrong("no completion for " + shown(shell) + did_you_mean(nearest(shell, known)));
    error.hint = "known: " + joined(known, ", ");
    return error;
}

std::string shell_line(const Completion& completion) {
    switch (completion.shell) {
        case ShellPart::files: return ":files";
        case ShellPart::folders: return ":folders";
        case ShellPart::command: return ":command " + std::to_string(completion.command_at);
        case ShellPart::nothing: break;
    }
    return ":nothing";
}

std::vector<std::string> names_of_variables(const std::vector<std::string>& env) {
    std::vector<std::string> names;
    names.reserve(env.size());
    for (const auto& entry : env)
        names.push_back(entry.substr(0, entry.find('=')));
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

int show_completion(const Asked& asked) {
    for (const auto& script : completion_scripts)
        if (asked.words.front() == script.name) return show(std::string(script.text));
    return fail(unknown_shell(asked));
}

int start_complete(const std::vector<std::string>& words) {
    const auto around = look_around();
    if (!around) return exit_code::internal;  // nobody to tell: a line is being typed
    const CompletionNames names{
        .hosts =
            [&](const auto& files) { return host_names(files, env_value(around->env, "HOME")); },
        .variables = [&] { return names_of_variables(around->env); },
        .topics = guide::topic_words,
        .sessions = [&] { return session_place(around->env).names(); },
        .is_job_file = is_job_file,
    };
    const auto completion = complete(words, names);
    std::string text;
    for (const auto& candidate : completion.candidates)
        text += candidate.text + "\t" + candidate.help + "\n";
    return show(text + shell_line(completion) + "\n");
}

}  // namespace launch
