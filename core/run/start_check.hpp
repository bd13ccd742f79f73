#pragma once

#include <vector>

#include "core/job/placement.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// Which of the job's programs cannot start on this host, of those that have ranks among `runs`;
/// of all, where the job's ranks are not placed yet. A look at files, before anything is started.
/// Where the job's own folder is missing nothing else is looked at: ranks may start at home.
std::vector<UnreadyMessage::Program> check_programs(const JobMessage& job,
                                                    const std::vector<RankRun>& runs);

/// Ranks of the program start in the job's folder, which a host may lack.
bool lacks_job_folder(const std::vector<Program>& programs, const UnreadyMessage::Program& unready);

}  // namespace launch
