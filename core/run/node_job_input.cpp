// SPDX-License-Identifier: MIT
// Standard input: who reads it here and below, and what they are given.

#include <algorithm>

#include "core/run/node_job.hpp"
#include "core/wire/input_messages.hpp"

namespace launch {

void NodeJob::give_input(std::string_view bytes) {
    take_input({passed_.had(), bytes});
}

/// False: it misses what comes before it, which is nowhere any more.
bool NodeJob::take_input(InputPiece piece) {
    const auto taken = passed_.take(piece);
    if (!taken) return false;
    if (!taken->fresh) return true;
    ranks_.give_input(taken->piece.bytes);
    for (const NodeIndex child : tree_.child_indices())
        if (input_.reads(InputMerge::child_key(child))) send_input(child, taken->piece);
    passed_.forget(input_.needed_from());
    return true;
}

void NodeJob::send_input(NodeIndex child, const InputPiece& piece) {
    tree_.send_input(child, of_job(piece.encode()));
}

/// Takes a grant of a child. The first one says how much input the child has; it gets the rest of
/// the input that is here. False: this node no longer has some of that rest, or the child asks for
/// more than input_window bytes ahead.
bool NodeJob::input_granted(NodeIndex child, const InputGrant& grant) {
    if (grant.granted > grant.had && grant.granted - grant.had > input_window) return false;
    const bool waited = input_.granted(InputMerge::child_key(child), grant);
    if (waited) {
        const auto missed = passed_.from(grant.had);
        if (!missed) return false;
        for (const InputPiece& piece : *missed)
            send_input(child, piece);
    }
    passed_.forget(input_.needed_from());
    return true;
}

void NodeJob::children_are_known() {
    children_known_ = true;
    ask_for_input();
}

/// Or says that nobody reads after all; but not where the parent knows that from the placement.
void NodeJob::ask_for_input() {
    const bool readers_are_known = children_known_ && placed();
    if (readers_are_known && gate_.is_open() && reads_input(placed_ranks_)) input_.open();
}

}  // namespace launch
