// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cmd/options/settings.hpp"
#include "core/bind/locality.hpp"
#include "core/factories.hpp"
#include "core/job/plan.hpp"
#include "modex/detect/pmi_needs.hpp"

namespace launch {

/// To which CPUs ranks will be bound, as far as this machine can tell: what is on other hosts is
/// bound as these are made.
struct PlannedBinding {
    struct Rank {
        uint32_t rank = 0;
        RankBinding bound;
        std::vector<std::string> env;  ///< NAME=VALUE, which GPUs it sees
    };
    std::vector<std::string> lines;  ///< empty: nobody asked, and nothing is bound here
    std::vector<Rank> ranks;         ///< empty: as above, or it is not known here
};

/// How the relay on a host is started, in one line (Transport::explain).
using StartCommand = std::function<std::string(const Host& host)>;

/// The texts that --explain prints and the plan does not have.
struct Explanation {
    StartCommand start;               ///< not asked on this machine alone
    std::vector<std::string> offers;  ///< for each program, which PMI its ranks are offered
    PlannedBinding binding;
};

/// Returns the output of --dry-run. Asks the transport how it would start hosts; contacts none.
Result<std::string> dry_run(const Plan& plan, const ViewSettings& view, const Factories& factories);

/// Returns warnings about a plan that are no errors: more ranks than slots on a given host list,
/// programs that cannot find each other.
std::vector<std::string> notes_of(const Plan& plan, FileAccess& files);

/// Says which PMI the ranks of a program are offered, and why.
std::string offer_text(PmiChoice choice, const PmiNeeds& needs);

/// Returns offer_text() of each program, by its file on this machine.
std::vector<std::string> offer_texts(const Plan& plan, FileAccess& files);

/// The plan as text: what it costs, then the tree, hosts and ranks folded unless view.full.
/// `explanation` is used where view.explain is set.
std::string plan_text(const Plan& plan, const ViewSettings& view, const Explanation& explanation);

/// The ranks of the hosts first..last in words: "rank 0", "ranks 1-28", "ranks 1-3, 11-13"; where
/// they make no short list, their number.
std::string ranks_of(const Placement& placement, size_t first, size_t last);

/// Raised if a key of plan_json() is removed or changes its meaning.
inline constexpr uint64_t plan_version = 1;

/// Returns the plan as JSON: schemas/plan.json.
std::string plan_json(const Plan& plan, const ViewSettings& view, const Explanation& explanation);

/// Draws the tree of the plan, the head at the left, with a box for each host and its ranks. Unless
/// view.full, alike hosts share a box in a large tree: of siblings with subtrees of one size the
/// first is drawn, and the others are one box with their names.
std::string plan_svg(const Plan& plan, const ViewSettings& view);
/// Returns the same tree in the language of Graphviz' dot.
std::string plan_dot(const Plan& plan, const ViewSettings& view);

}  // namespace launch
