// SPDX-License-Identifier: MIT
#include "core/run/start_check.hpp"

#include <cerrno>

#include "core/base/environment.hpp"
#include "core/base/seconds.hpp"
#include "core/job/program_index.hpp"

namespace launch {
namespace {

std::vector<bool> programs_of(const JobMessage& job, const std::vector<RankRun>& runs) {
    std::vector<bool> used(job.programs.size(), job.ranks == 0);
    for_each_rank(runs, [&](uint32_t rank) {
        const size_t index = program_index(job.programs, rank);
        if (index < used.size()) used[index] = true;
    });
    return used;
}

}  // namespace

StartCheck::StartCheck(const JobMessage& job, const std::vector<RankRun>& runs)
    : found_(job.programs.size()) {
    const auto used = programs_of(job, runs);
    const std::string job_path = env_value(job.env, "PATH");  // not of those that are a host's own
    for (uint32_t index = 0; index < used.size(); ++index) {
        if (!used[index]) continue;
        const Program& program = job.programs[index];
        const std::string own_path = env_value(program.env, "PATH");
        looks_.push_back({index,
                          program.staged.has_value(),
                          {program.argv.front(), own_path.empty() ? job_path : own_path,
                           program.wdir.empty() ? job.wdir : program.wdir},
                          program.argv});
    }
    if (!job.policies.debugger.empty()) debugger_.emplace(job.policies.debugger);
}

ProgramLook StartCheck::look_at(const Look& look, const LookingAt& looking_at) const {
    if (debugger_) return {debugger_->find_obstacle(look.argv, look.place, looking_at), {}};
    return look_at_program(look.place, looking_at);
}

void StartCheck::run() {
    for (const Look& look : looks_) {
        const auto looking_at = [&](const std::string& path) {
            const std::lock_guard lock(mutex_);
            program_ = look.program;
            path_ = path;
        };
        auto [obstacle, file] = look_at(look, looking_at);
        // Ranks may start in another folder than this one.
        if (file.starts_with('/') && !look.staged) found_[look.program] = std::move(file);
        const bool comes_later =
            look.staged && obstacle && obstacle->status.stage != ExitStatus::Stage::chdir;
        if (obstacle && !comes_later) unready_.push_back({look.program, *std::move(obstacle)});
    }
}

/// Never said to be the folder: that a host lacks the job's is another matter.
UnreadyMessage::Program StartCheck::unanswered(milliseconds time) const {
    const std::lock_guard lock(mutex_);
    NotStarted why;
    why.status = {ExitStatus::Kind::not_started, ETIMEDOUT, ExitStatus::Stage::exec};
    why.detail = "the file system gave no answer about " + path_ + " within " + in_seconds(time) +
                 " (is a file server down?)";
    return {program_, std::move(why)};
}

bool lacks_job_folder(const std::vector<Program>& programs,
                      const UnreadyMessage::Program& unready) {
    return unready.why.status.stage == ExitStatus::Stage::chdir &&
           unready.index < programs.size() && programs[unready.index].wdir.empty();
}

}  // namespace launch
