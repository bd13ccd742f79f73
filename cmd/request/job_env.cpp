// SPDX-License-Identifier: MIT
#include "cmd/request/job_env.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <pwd.h>
#include <string_view>

#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/options/values.hpp"
#include "core/base/environment.hpp"
#include "core/base/mistakes.hpp"
#include "core/job/enclosing_job.hpp"
#include "core/job/rank_env.hpp"
#include "core/process/program_search.hpp"

namespace launch {
namespace {

std::string_view name_of(std::string_view entry) {
    return entry.substr(0, entry.find('='));
}

void set(std::vector<std::string>& env, std::string entry) {
    const auto same = [&](const auto& other) { return name_of(other) == name_of(entry); };
    std::erase_if(env, same);
    env.push_back(std::move(entry));
}

bool may_name_variable(std::string_view name) {
    const auto fits = [](char c) {
        return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
    };
    return std::all_of(name.begin(), name.end(), fits) &&
           std::isdigit(static_cast<unsigned char>(name.front())) == 0;
}

/// The possible meanings of the word after -x: a variable that is set here, or, for users of other
/// launchers, a host to leave out.
struct ExportNames {
    const std::vector<std::string>& env;
    const std::vector<Host>& hosts;
};

/// Checks a word after -x that is not set here: a possible name of a variable is only noted.
Status check_unset(const std::string& option, const std::string& name,
                   const std::vector<Host>& hosts, std::vector<std::string>& notes) {
    const bool is_host = std::any_of(hosts.begin(), hosts.end(),
                                     [&](const Host& host) { return host.name == name; });
    if (!is_host && may_name_variable(name)) {
        notes.push_back(option + " " + shown(name) + ": not set here, nothing is exported");
        return Ok{};
    }
    auto error = usage_error(option + " " + shown(name) +
                             (is_host ? ": this is a host, and " + option + " exports variables"
                                      : ": not a valid variable name"));
    error.hint = "to leave hosts out: --exclude " + shown(name);
    return error;
}

Status export_here(const std::string& option, const std::string& entry, const ExportNames& known,
                   std::vector<std::string>& variables, std::vector<std::string>& notes) {
    if (entry.find('=') != std::string::npos) {
        set(variables, entry);
        return Ok{};
    }
    const auto found = std::find_if(known.env.begin(), known.env.end(),
                                    [&](const auto& other) { return name_of(other) == entry; });
    if (found == known.env.end()) return check_unset(option, entry, known.hosts, notes);
    set(variables, *found);
    return Ok{};
}

/// Checks that at most one of several options is given for the job or for one program.
Status check_one_given(const auto& one, std::initializer_list<std::string_view> keys) {
    std::string other;
    for (const auto key : keys) {
        if (!one.origins.has(key)) continue;
        if (!other.empty())
            return usage_error(other + " and " + spelled(one, key) + " exclude one another");
        other = spelled(one, key);
    }
    return Ok{};
}

/// The part of an environment that ranks get.
std::vector<std::string> inherited(const std::vector<std::string>& env, const Inherit& asked) {
    if (asked.what == Inherit::What::unset || asked.what == Inherit::What::all) return env;
    if (asked.what == Inherit::What::none) return {};
    std::vector<std::string> kept;
    for (const auto& entry : env) {
        const auto& names = asked.names;
        if (std::find(names.begin(), names.end(), name_of(entry)) != names.end())
            kept.push_back(entry);
    }
    return kept;
}

/// The variables of one program: --mca, -genv, then -x (looked up in `known` if it has no value),
/// then -env. resolve() has dropped those that a stronger layer sets by another option. An -x of a
/// variable that is not set adds to `notes`; of a word that cannot be a variable, it is an error.
Result<std::vector<std::string>> set_variables(const Settings& line, const ProgramSettings& program,
                                               const ExportNames& known,
                                               std::vector<std::string>& notes) {
    std::vector<std::string> variables;
    for (const auto& entry : line.mca)
        set(variables, std::string(mca_variable_prefix) + entry);
    for (const auto& entry : line.env)
        set(variables, entry);
    Mistakes mistakes;
    for (size_t i = 0; i < program.exported.size(); ++i)
        mistakes.check(export_here(spelled(program, "export", i), program.exported[i], known,
                                   variables, notes));
    for (const auto& entry : program.env)
        set(variables, entry);
    if (!mistakes.empty()) return mistakes.take();
    return variables;
}

/// -l names the user to ssh and its kin: here it takes no value, and the name is the program.
std::string login_note(const ProgramSettings& program, const std::vector<std::string>& env) {
    if (program.last_option != "-l") return {};
    const std::string& name = program.argv[0];
    if (is_in_path(name, env_value(env, "PATH"))) return {};
    if (getpwnam(name.c_str()) == nullptr) return {};  // last, as a directory service may be slow
    return "-l puts the rank before every line, so " + shown(name) +
           " is the program; to log in as that user: -hosts " + shown(name) + "@HOST";
}

/// Not all that mpirun understands by it: parameters of its own (plm, ras) say nothing here.
/// Neither do those that -genv, -x or -env sets to something else.
std::string mca_note(const Settings& line, const std::vector<Program>& programs) {
    std::string variables;
    for (const auto& entry : last_of_each(line.mca)) {
        const std::string variable = std::string(mca_variable_prefix) + entry;
        const bool given = std::any_of(programs.begin(), programs.end(), [&](const auto& program) {
            return std::find(program.env.begin(), program.env.end(), variable) != program.env.end();
        });
        if (given) variables += " " + variable;
    }
    return variables.empty() ? "" : spelled(line, "mca") + ": ranks get" + variables;
}

}  // namespace

Status check_inherit(const Settings& line) {
    Mistakes mistakes;
    mistakes.check(check_one_given(line, {"genvall", "genvnone", "genvlist"}));
    for (const auto& program : line.programs)
        mistakes.check(check_one_given(program, {"envall", "envnone", "envlist"}));
    return mistakes.take_status();
}

Status complete_programs(const Settings& line, const Surroundings& around, JobRequest& made) {
    Mistakes mistakes;
    for (const auto& args : line.programs) {
        Program program{.argv = args.argv, .ranks = args.ranks, .env = {}, .wdir = {}};
        if (!args.wdir.empty()) program.wdir = absolute(args.wdir, around.wdir);
        auto env = set_variables(line, args, {around.env, made.spec.hosts}, made.notes);
        if (mistakes.check(env)) program.env = *std::move(env);
        made.spec.programs.push_back(std::move(program));
    }
    return mistakes.take_status();
}

void complete_env(const Settings& line, const Surroundings& around, JobSpec& spec) {
    auto env = around.env;
    scrub_identity(env);
    auto of_job = inherited(env, line.inherit);
    const auto has_own = [](const ProgramSettings& program) {
        return program.inherit.what != Inherit::What::unset;
    };
    if (std::none_of(line.programs.begin(), line.programs.end(), has_own)) {
        spec.env = std::move(of_job);
        return;
    }
    for (size_t i = 0; i < spec.programs.size(); ++i) {
        const auto& program = line.programs[i];
        auto own = has_own(program) ? inherited(env, program.inherit) : of_job;
        // A host keeps its own HOME and the like, which set variables would override.
        auto all = spec.hosts.empty() ? std::move(own) : merge_host_env(own, {});
        all.insert(all.end(), spec.programs[i].env.begin(), spec.programs[i].env.end());
        spec.programs[i].env = std::move(all);
    }
}

/// Neither do those that -genv, -x or -env sets to something else.
std::vector<std::string> program_notes(const Settings& line, const Surroundings& around,
                                       const std::vector<Program>& programs) {
    std::vector<std::string> notes{mca_note(line, programs)};
    for (const auto& program : line.programs)
        notes.push_back(login_note(program, around.env));
    return notes;
}

}  // namespace launch
