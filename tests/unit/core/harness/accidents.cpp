// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/accidents.hpp"

#include <array>

#include "core/link/patience.hpp"
#include "tests/unit/core/harness/after.hpp"
#include "tests/unit/core/harness/simulated_run.hpp"

namespace launch {

void Accidents::note(const char* what, size_t at) {
    const std::string event = std::string(what) + " " + std::to_string(at);
    if (event_log_ != nullptr) event_log_->add(event);
    log_ += ms_text(Clock::now()) + ": " + event + "; ";
}

bool Accidents::happens() {
    const uint32_t number = count_++;
    return !steps_ || steps_->contains(number);
}

void Accidents::later(uint32_t within_ms, std::function<void()> what) {
    after(network_.tasks, network_.executor, milliseconds{draw_(within_ms)},
          [this, what = std::move(what)] {
              if (happens()) what();
          });
}

/// Null: chance has chosen one that is broken.
Cable* Accidents::some_cable(const char* what) {
    const auto& cables = network_.cables();
    if (cables.empty()) return nullptr;
    const size_t at = draw_(cables.size());
    if (cables[at]->open_ends() < 2 || cables[at]->is_broken()) return nullptr;
    note(what, at);
    return cables[at].get();
}

void Accidents::cut() {
    Cable* const cable = some_cable("cut");
    if (cable == nullptr) return;
    has_only_killed_ = false;
    is_harmless_ = is_harmless_ && ++cuts_ == 1 && all_up();
    cable->cut();
}

void Accidents::may_cost_hosts() {
    is_harmless_ = false;
    has_only_killed_ = false;
}

void Accidents::break_later() {
    constexpr auto types = std::to_array(
        {FrameType::notice, FrameType::output, FrameType::modex, FrameType::ping, FrameType::credit,
         FrameType::job, FrameType::attach, FrameType::attached, FrameType::exits,
         FrameType::terminate, FrameType::input, FrameType::ack, FrameType::nodes_up});
    Cable* const cable = some_cable("break");
    if (cable == nullptr) return;
    may_cost_hosts();
    const auto from = draw_(2) == 0 ? Cable::Side::a : Cable::Side::b;
    const auto at = draw_(2) == 0 ? Break::At::middle : Break::At::end;
    cable->break_at(from, {at, types[draw_(types.size())], static_cast<int>(draw_(3))});
}

void Accidents::hold() {
    if (Cable* const cable = some_cable("hold")) hold(*cable);
}

void Accidents::hold(Cable& cable) {
    may_cost_hosts();
    cable.hold(true);
    held_.push_back(cable.shared_from_this());
}

void Accidents::freeze(NodeIndex node) {
    const Process* const process = network_.running(node);
    if (process == nullptr) return;
    note("freeze", node);
    network_.out_of_reach.insert(node);
    for (const auto& [cable, side] : process->cables)
        hold(*cable);
}

void Accidents::let_go() {
    network_.out_of_reach.clear();
    for (const auto& cable : std::exchange(held_, {}))
        cable->hold(false);
}

void Accidents::kill(NodeIndex node) {
    Process* const process = network_.running(node);
    if (process == nullptr) return;
    note("kill", node);
    is_harmless_ = false;
    has_only_killed_ = has_only_killed_ && all_up();
    killed_.insert(node);
    network_.kill(*process);
}

void Accidents::strike(NodeIndex node) {
    were_brief_ = false;
    switch (draw_(8)) {
        case 0:
        case 1: return cut();
        case 2:
        case 3: return break_later();
        case 4: hold(); break;
        case 5: freeze(draw_(8) == 0 ? 0 : node); break;
        case 6: return kill(node);
        default: return let_go();
    }
    let_go_after(milliseconds{draw_(3000)});
}

void Accidents::let_go_after(milliseconds time) {
    after(network_.tasks, network_.executor, time, [this] { let_go(); });
}

void Accidents::strike_briefly(NodeIndex node) {
    if (draw_(2) == 0) return all_up() ? cut() : void();
    if (Clock::now() < rests_until_) return;
    constexpr milliseconds longest{1000};
    rests_until_ = Clock::now() + longest + patience::come_back;
    draw_(3) == 0 ? hold() : freeze(node);
    let_go_after(milliseconds{draw_(longest.count())});
}

void Accidents::strand(NodeIndex node) {
    were_brief_ = false;
    const auto has_it = [&](NodeIndex other) {
        const Process* const process = network_.running(other);
        return other != node && process != nullptr && process->is_child(node);
    };
    freeze(node);
    for (NodeIndex other = 1; other < node; ++other)
        if (has_it(other)) kill(other);
    let_go_after(patience::come_back + milliseconds{draw_(4000)});
}

void Accidents::end() {
    aims_left_ = 0;
    let_go();
    for (const auto& cable : network_.cables())
        cable->mend();
}

}  // namespace launch
