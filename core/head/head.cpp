// SPDX-License-Identifier: MIT
#include "core/head/head.hpp"

#include <csignal>
#include <utility>

#include "core/async/run.hpp"
#include "core/head/job_run.hpp"
#include "core/head/own_ground.hpp"
#include "core/head/own_tree.hpp"

namespace launch {

JobOutcome run_job(Plan plan, const Factories& factories, const HeadOptions& options,
                   const Guard& guard) {
    signal(SIGPIPE, SIG_IGN);
    asio::io_context io(1);
    Reaper reaper(io.get_executor());
    JobRun* told = nullptr;
    auto note = [&told](const std::string& host, const std::string& text) {
        if (told != nullptr) told->note_transport(host, text);
    };
    auto transport = factories.transport(io.get_executor(), plan.spec.transport, reaper, note,
                                         guard.to_remove());
    if (!transport) return {transport.error(), std::nullopt, 0};
    HeadTree tree(io.get_executor(), plan, **transport, factories, guard, reaper);
    OwnTree own(tree);
    OwnGround ground(io.get_executor(), tree, plan, factories);
    JobRun run(io.get_executor(), plan, own, ground, own_user_side(io.get_executor()), factories,
               options, guard, reaper);
    told = &run;
    run_to_end(io, run.run());
    return run.outcome();
}

}  // namespace launch
