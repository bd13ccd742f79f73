// SPDX-License-Identifier: MIT
#include "cmd/request/output.hpp"

#include <cerrno>
#include <filesystem>
#include <set>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/options/values.hpp"
#include "core/base/environment.hpp"
#include "core/base/mistakes.hpp"
#include "core/job/output_pattern.hpp"
#include "core/job/program_index.hpp"

namespace launch {
namespace {

constexpr const char* usual_label = "[%r] ";
constexpr const char* usual_names = "%R.%{stream}";

void complete_label(const Settings& line, const Surroundings& around, OutputChoice& output) {
    const OutputSettings& said = line.output;
    output.label = said.label_pattern;
    if (said.label && output.label.empty()) output.label = usual_label;
    const bool plain = said.color == ColorChoice::never ||
                       (said.color == ColorChoice::automatic &&
                        !env_value(around.env, "NO_COLOR").empty());  // see no-color.org
    if (plain) return;
    const bool always = said.color == ColorChoice::always;
    // Files have the same labels, and no colors.
    output.color_out = always || (around.streams.out_is_terminal && output.files.out.empty());
    output.color_err = always || (around.streams.err_is_terminal && output.files.err.empty());
}

/// A file, a pipe and what is compared get whole lines, whenever they were written.
void complete_prompts(const Settings& line, const Surroundings::Streams& streams,
                      OutputChoice& output) {
    if (output.gather != GatherChoice::none || line.detach) return;
    output.prompts_out = streams.out_is_terminal && output.files.out.empty();
    output.prompts_err = streams.err_is_terminal && output.files.err.empty();
}

std::string whole_path(const std::string& dir, const std::string& name, const std::string& wdir) {
    const std::string path = dir.empty() ? name : absolute(name, dir);
    return absolute(path, literal_pattern(wdir));
}

Status complete_files(const Settings& line, const std::string& wdir, OutputFilesChoice& files) {
    const OutputSettings& said = line.output;
    std::string out = said.outfile_pattern;
    std::string err = said.errfile_pattern;
    if (!said.dir.empty() && out.empty() && err.empty())
        out = err = said.pattern.empty() ? usual_names : said.pattern;
    if (!out.empty()) files.out = whole_path(said.dir, out, wdir);
    if (!err.empty()) files.err = whole_path(said.dir, err, wdir);
    files.there = said.there;
    files.copy = said.copy;
    files.replace = said.replace;
    if (files.any()) return Ok{};
    files = {};
    for (const auto* key : {"output-pattern", "output-there", "output-copy", "output-replace"}) {
        const bool given = line.origins.has(key) && !line.origins.is_for_every_job(key);
        if (given)
            return usage_error(spelled(line, key) + " needs files: --output-dir DIR, or " +
                               "-outfile-pattern PATTERN");
    }
    return Ok{};
}

Status complete_gather(const Settings& line, OutputChoice& output) {
    const OutputSettings& said = line.output;
    if (!said.gather && !said.diff) return Ok{};
    const std::string name = spelled(line, said.diff ? "diff" : "gather");
    if (output.files.any()) return usage_error(name + ": not with output that goes to files");
    if (said.pty) return usage_error(name + ": not with " + spelled(line, "pty"));
    output.gather = said.diff ? GatherChoice::diff : GatherChoice::blocks;
    if (line.view.format == Format::json && !line.dry_run) output.gather = GatherChoice::json;
    output.label.clear();  // what is the same would not be
    return Ok{};
}

Status complete_pty(const Settings& line, const Surroundings& around, JobSpec& spec) {
    OutputChoice& output = spec.policies.output;
    if (!line.output.pty) return Ok{};
    const std::string name = spelled(line, "pty");
    output.window = around.streams.window;
    if (!output.files.out.empty()) {
        output.pty = PtyChoice::each;
        return Ok{};
    }
    if (spec.policies.stdin_target.kind != StdinTarget::Kind::rank)
        return usage_error(name + " gives the terminal to one rank: name it with --stdin RANK");
    if (line.detach) return usage_error(name + ": not with " + spelled(line, "detach"));
    output.pty = PtyChoice::user;
    if (line.dry_run || (around.streams.in_is_terminal && around.streams.out_is_terminal))
        return Ok{};
    const char* which = around.streams.in_is_terminal ? "output" : "input";
    auto error = usage_error(name + ": standard " + which + " is not a terminal");
    error.hint = "with --output-dir DIR every rank has a terminal of its own, for its file";
    return error;
}

/// The console has all that goes to ranks, and all that comes from them.
Status complete_debugger(const Settings& line, JobSpec& spec) {
    Policies& policies = spec.policies;
    if (policies.debugger.empty()) return Ok{};
    for (const char* key : {"stdin", "pty", "gather", "diff", "label", "label-pattern",
                            "output-dir", "outfile", "errfile", "detach"})
        if (line.origins.has(key) && !line.origins.is_for_every_job(key))
            return usage_error(spelled(line, key) + ": not with a debugger");
    if (hosts_come_from_input(line))
        return usage_error("the hosts are read from standard input, so no debugger can read it");
    policies.stdin_target = {StdinTarget::Kind::all, 0};
    policies.keep_going = true;
    policies.output = {};
    return Ok{};
}

namespace fs = std::filesystem;

/// All names that the plan's ranks give to one pattern, each once.
std::set<std::string> paths_of(const Plan& plan, const std::string& text, const char* stream) {
    std::set<std::string> paths;
    OutputPattern pattern;
    if (text.empty() || !OutputPattern::read(text, pattern).empty()) return paths;
    OutputFields fields;
    fields.size = plan.placement.ranks();
    fields.job = plan.spec.job_id;
    fields.stream = stream;
    for (size_t host = 0; host < plan.hosts.size(); ++host) {
        fields.host = plan.hosts[host].name;
        fields.local_rank = 0;
        for_each_rank(plan.placement.node(host), [&](uint32_t rank) {
            fields.rank = rank;
            fields.program = static_cast<uint32_t>(program_index(plan.spec.programs, rank));
            paths.insert(pattern.fill(fields));
            ++fields.local_rank;
        });
        if (!plan.placement.node(host).empty()) ++fields.node;
    }
    return paths;
}

/// The first folder above that there is must let files be made in it.
Status check_folder(const std::string& path) {
    fs::path folder = fs::path(path).parent_path();
    std::error_code fault;
    while (!fs::exists(folder, fault) && folder.has_relative_path())
        folder = folder.parent_path();
    if (fs::is_directory(folder, fault)) {
        if (access(folder.c_str(), W_OK | X_OK) == 0) return Ok{};
        return usage_error("output cannot be written to " + shown_path(path) + ": " +
                           folder.string() + ": " + errno_text(errno));
    }
    return usage_error("output cannot be written to " + shown_path(path) + ": " + folder.string() +
                       " is not a folder");
}

}  // namespace

Status complete_output(const Settings& line, const Surroundings& around, JobSpec& spec) {
    OutputChoice& output = spec.policies.output;
    Mistakes mistakes;
    mistakes.check(complete_files(line, around.wdir, output.files));
    complete_label(line, around, output);
    mistakes.check(complete_gather(line, output));
    complete_prompts(line, around.streams, output);
    mistakes.check(complete_pty(line, around, spec));
    mistakes.check(complete_debugger(line, spec));
    return mistakes.take_status();
}

Status check_output_paths(const Plan& plan) {
    const OutputFilesChoice& files = plan.spec.policies.output.files;
    if (!files.any() || files.there) return Ok{};
    auto paths = paths_of(plan, files.out, "out");
    paths.merge(paths_of(plan, files.err, "err"));
    std::set<fs::path> folders;
    std::string first;
    size_t existing = 0;
    for (const auto& path : paths) {
        struct stat info {};
        const bool there = lstat(path.c_str(), &info) == 0;
        // A device, such as /dev/null, is not overwritten.
        if (there && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) continue;
        if (there && !(files.replace && S_ISREG(info.st_mode)) && existing++ == 0) first = path;
        if (!folders.insert(fs::path(path).parent_path()).second) continue;
        auto possible = check_folder(path);
        if (!possible) return possible;
    }
    if (existing == 0) return Ok{};
    const std::string more =
        existing > 1 ? ", and " + std::to_string(existing - 1) + " more output files" : "";
    auto error =
        usage_error(shown_path(first) + more + (existing > 1 ? " exist" : " exists") + " already");
    error.hint = "--output-replace writes over them, %j in the name makes a new one for each job";
    return error;
}

}  // namespace launch
