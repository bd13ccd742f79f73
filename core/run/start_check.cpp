#include "core/run/start_check.hpp"

#include "core/base/environment.hpp"
#include "core/job/program_index.hpp"
#include "core/job/rank_env.hpp"
#include "core/process/why_not_started.hpp"

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

std::vector<UnreadyMessage::Program> check_programs(const JobMessage& job,
                                                    const std::vector<RankRun>& runs) {
    std::vector<UnreadyMessage::Program> unready;
    const auto used = programs_of(job, runs);
    const std::string job_path = env_value(merge_host_env(job.env, own_environment()), "PATH");
    for (uint32_t index = 0; index < used.size(); ++index) {
        if (!used[index]) continue;
        const Program& program = job.programs[index];
        const std::string own_path = env_value(program.env, "PATH");
        auto obstacle = find_obstacle({program.argv.front(), own_path.empty() ? job_path : own_path,
                                       program.wdir.empty() ? job.wdir : program.wdir});
        const bool comes_later =
            program.staged && obstacle && obstacle->status.stage != ExitStatus::Stage::chdir;
        if (obstacle && !comes_later) unready.push_back({index, *std::move(obstacle)});
    }
    return unready;
}

bool lacks_job_folder(const std::vector<Program>& programs,
                      const UnreadyMessage::Program& unready) {
    return unready.why.status.stage == ExitStatus::Stage::chdir &&
           unready.index < programs.size() && programs[unready.index].wdir.empty();
}

}  // namespace launch
