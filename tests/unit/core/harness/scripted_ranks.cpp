// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/scripted_ranks.hpp"

#include "modex/server/modex_service.hpp"

namespace launch {

ScriptedRanks::ScriptedRanks(Network& network) {
    network.make_rank = [this](Process& process, const RankSurroundings& around,
                               Rank::Settings settings) {
        return make_scripted_rank(around, std::move(settings), *this,
                                  {process.node, [&process] { return process.lives(); },
                                   process.network.cores_of(process.node)});
    };
    const auto by_process = std::make_shared<std::map<std::pair<NodeIndex, int>, ModexFactory>>();
    network.make_modex = [this, by_process](Process& process, any_io_executor executor,
                                            const JobMessage& job, ModexHost& host) {
        ModexFactory& make = (*by_process)[{process.node, process.number}];
        if (!make) make = modex_service_factory(pmix.library());
        return make(std::move(executor), job, host);
    };
}

}  // namespace launch
