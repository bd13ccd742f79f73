// SPDX-License-Identifier: MIT
#include "core/debug/debug_console.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/base/list_text.hpp"
#include "core/job/fold_ranks.hpp"
#include "core/job/rank_list.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

/// Before a person is asked again though a rank runs.
constexpr milliseconds answers_within{1000};
/// Ranks that ran come to the same place at almost the same time, and are shown together.
constexpr milliseconds late_answers_settle{200};

constexpr std::string_view hex_digits = "0123456789abcdef";

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view trimmed(std::string_view line) {
    constexpr std::string_view blanks = " \t\r";
    const auto begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return line.substr(begin, line.find_last_not_of(blanks) - begin + 1);
}

/// The list after `z`; nothing: the line is none of ours.
std::optional<std::string_view> choice_in(std::string_view line) {
    if (line == "z") return "all";
    if (!line.starts_with("z ")) return std::nullopt;
    return trimmed(line.substr(2));
}

size_t count_of(std::string_view digits, std::string_view text) {
    return std::min(text.find_first_not_of(digits), text.size());
}

/// A word before an ID, and the digits of such an ID.
struct IdWord {
    std::string_view word;
    std::string_view digits;
};

constexpr std::string_view decimal_digits = "0123456789";
constexpr IdWord id_words[] = {
    {"process ", decimal_digits}, {"Process ", decimal_digits}, {"LWP ", decimal_digits},
    {"/proc/", decimal_digits},   {"Thread 0x", hex_digits},    {"=0x", hex_digits},
    {" at 0x", hex_digits},
};

/// The programs of several ranks are at the same place at different addresses: those of functions,
/// and of their arguments in the lines of a backtrace.
bool begins_with_place(std::string_view text, bool in_backtrace) {
    if (!text.starts_with("0x")) return false;
    return in_backtrace ||
           text.substr(2 + count_of(hex_digits, text.substr(2))).starts_with(" in ");
}

/// The word at the beginning of the text, if an ID follows it.
const IdWord* word_before_id(std::string_view text, bool in_backtrace) {
    static constexpr IdWord place{"0x", hex_digits};
    if (begins_with_place(text, in_backtrace)) return &place;
    for (const IdWord& each : id_words)
        if (text.starts_with(each.word) && count_of(each.digits, text.substr(each.word.size())) > 0)
            return &each;
    return nullptr;
}

std::string line_without_ids(std::string_view line) {
    const bool in_backtrace = line.starts_with('#');
    std::string out;
    while (!line.empty()) {
        const IdWord* word = word_before_id(line, in_backtrace);
        const size_t kept = word == nullptr ? 1 : word->word.size();
        out += line.substr(0, kept);
        line.remove_prefix(kept);
        if (word == nullptr) continue;
        const auto id = line.substr(0, count_of(word->digits, line));
        out += id == "0" ? "0" : "*";  // a null pointer is no address
        line.remove_prefix(id.size());
    }
    return out;
}

}  // namespace

std::string without_ids(std::string_view answer) {
    std::string out;
    LineSplitter lines;
    lines.feed(answer, [&](std::string_view line) { out += line_without_ids(line) + "\n"; });
    return out + line_without_ids(lines.rest());
}

DebugConsole::DebugConsole(Settings settings)
    : settings_(std::move(settings)), ranks_(settings_.ranks) {}

void DebugConsole::place(uint32_t ranks) {
    settings_.ranks = ranks;
    ranks_ = std::vector<Rank>(ranks);
}

std::vector<uint32_t> DebugConsole::chosen(State state) const {
    std::vector<uint32_t> found;
    for (uint32_t rank = 0; rank < ranks_.size(); ++rank)
        if (ranks_[rank].is_chosen && ranks_[rank].state == state) found.push_back(rank);
    return found;
}

void DebugConsole::show(Text text) {
    unshown_ += text.text.size();
    output_.push_back(std::move(text));
}

void DebugConsole::say(std::string_view line) {
    show({false, std::string(line) + "\n"});
}

void DebugConsole::print(uint32_t rank, LineSplitter& lines, std::string_view bytes,
                         bool is_error) {
    const std::string label = std::to_string(rank) + ": ";
    lines.feed(bytes, [&](std::string_view line) {
        show({is_error, label + std::string(line) + "\n"});
    });
}

void DebugConsole::take(uint32_t rank, const DebugRecord& record, Time now) {
    Rank& from = ranks_[rank];
    switch (record.kind) {
        case DebugRecord::Kind::out: return print(rank, from.out, record.text, false);
        case DebugRecord::Kind::err: return print(rank, from.err, record.text, true);
        case DebugRecord::Kind::prompt:
            from.state = State::prompts;
            from.is_awaited = false;
            break;
        case DebugRecord::Kind::answer:
            if (stage_ == Stage::over) return;  // of how it ends its program
            [[fallthrough]];
        case DebugRecord::Kind::fault:
            if (!trimmed(record.text).empty()) from.answer += record.text + "\n";
            break;
    }
    if (stage_ == Stage::asks && !from.answer.empty() && !shows_at_)
        shows_at_ = now + late_answers_settle;
    settle();
}

void DebugConsole::ended(uint32_t rank) {
    Rank& gone = ranks_[rank];
    if (gone.state == State::ended) return;
    print(rank, gone.out, gone.out.rest().empty() ? "" : "\n", false);
    print(rank, gone.err, gone.err.rest().empty() ? "" : "\n", true);
    gone.state = State::ended;
    gone.is_awaited = false;
    settle();
}

/// Shows all lines that have come since the last time. Answers of several ranks that differ only in
/// IDs are shown once, with their ranks.
void DebugConsole::show_answers() {
    struct Group {
        std::vector<uint32_t> ranks;
        std::string answer;
    };
    shows_at_.reset();
    std::map<std::string, size_t> places;
    std::vector<Group> groups;
    for (uint32_t rank = 0; rank < ranks_.size(); ++rank) {
        if (ranks_[rank].answer.empty()) continue;
        std::string answer = std::exchange(ranks_[rank].answer, {});
        std::string same = without_ids(answer);
        const auto [at, is_new] = places.try_emplace(same, groups.size());
        if (is_new) groups.push_back({{}, std::move(answer)});
        Group& group = groups[at->second];
        if (!is_new && group.answer != answer) group.answer = std::move(same);
        group.ranks.push_back(rank);
    }
    for (const Group& group : groups) {
        const std::string label = "[" + fold_numbers(group.ranks) + "] ";
        LineSplitter().feed(group.answer,
                            [&](std::string_view line) { say(label + std::string(line)); });
    }
}

/// Shows what has been waited for, once it is there.
void DebugConsole::settle() {
    const bool any_left = std::any_of(ranks_.begin(), ranks_.end(),
                                      [](const Rank& rank) { return rank.state != State::ended; });
    if (any_left && stage_ != Stage::waits) return;
    const bool is_awaited =
        std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.is_awaited; });
    if (is_awaited) return;
    show_answers();
    waits_until_.reset();
    if (stage_ == Stage::waits) stage_ = Stage::asks;
    if (!any_left) stage_ = Stage::over;
}

void DebugConsole::look(Time now) {
    if (shows_at_ && now >= *shows_at_) show_answers();
    if (stage_ != Stage::waits || !waits_until_ || now < *waits_until_) return;
    for (Rank& rank : ranks_)
        rank.is_awaited = false;
    settle();
}

std::optional<DebugConsole::Time> DebugConsole::due() const {
    if (waits_until_ && shows_at_) return std::min(*waits_until_, *shows_at_);
    return waits_until_ ? waits_until_ : shows_at_;
}

/// The console waits for the answers of these ranks: for a moment only, if there is a user.
void DebugConsole::order(DebugOrder::Kind kind, const std::vector<uint32_t>& ranks,
                         std::string_view text, Time now) {
    if (ranks.empty()) return;
    orders_ += DebugOrder{kind, fold_numbers(ranks), std::string(text)}.encode();
    for (const uint32_t rank : ranks) {
        ranks_[rank].state = State::runs;
        ranks_[rank].is_awaited = true;
    }
    stage_ = Stage::waits;
    shows_at_.reset();
    if (settings_.has_user) waits_until_ = now + answers_within;
}

void DebugConsole::choose(std::string_view list) {
    const auto runs = list == "all" ? std::vector<RankRun>{{0, settings_.ranks, 1}}
                                    : read_ranks(list).value_or(std::vector<RankRun>());
    if (runs.empty())
        return say("z: no list of ranks such as 0-3,7, and not all: " + std::string(list));
    std::vector<uint32_t> all(settings_.ranks);
    std::iota(all.begin(), all.end(), 0U);
    if (const auto beyond = first_beyond(runs, settings_.ranks))
        return say("z: no rank " + std::to_string(*beyond) + "; the job has " + fold_ranks(all));
    for (uint32_t rank = 0; rank < ranks_.size(); ++rank)
        ranks_[rank].is_chosen = has_rank(runs, rank);
}

void DebugConsole::typed(std::string_view line, Time now) {
    if (stage_ != Stage::asks) return;
    if (!settings_.has_user) say(*prompt() + std::string(line));
    if (shows_at_) show_answers();
    const std::string_view word = trimmed(line);
    if (is_one_of(word, {"q", "quit", "exit"})) return input_is_over();
    if (const auto list = choice_in(word)) return choose(*list);
    if (!word.empty()) last_line_ = line;
    if (last_line_.empty()) return;
    const auto running = chosen(State::runs);
    if (!running.empty())
        say("not sent to " + fold_ranks(running) + ", whose program runs; ^C stops it");
    order(DebugOrder::Kind::type, chosen(State::prompts), last_line_, now);
}

void DebugConsole::input_is_over() {
    stage_ = Stage::over;
}

bool DebugConsole::interrupt(Time now) {
    const bool awaits_debuggers = stage_ == Stage::waits && settings_.has_user && !waits_until_;
    if (stage_ == Stage::over || awaits_debuggers) return false;
    order(DebugOrder::Kind::interrupt, chosen(State::runs), {}, now);
    return true;
}

std::optional<std::string> DebugConsole::prompt() const {
    if (stage_ != Stage::asks) return std::nullopt;
    const auto ready = chosen(State::prompts);
    const auto running = chosen(State::runs);
    const auto gone = chosen(State::ended);
    std::vector<std::string> parts;
    if (!ready.empty()) parts.push_back(fold_numbers(ready));
    if (!running.empty())
        parts.push_back(fold_numbers(running) + (running.size() == 1 ? " runs" : " run"));
    if (!gone.empty()) parts.push_back(fold_numbers(gone) + " ended");
    return "(" + settings_.debugger + " " + joined(parts, ", ") + ") ";
}

std::string DebugConsole::waited_for() const {
    if (stage_ != Stage::waits) return {};
    std::vector<uint32_t> awaited;
    for (uint32_t rank = 0; rank < ranks_.size(); ++rank)
        if (ranks_[rank].is_awaited) awaited.push_back(rank);
    if (awaited.empty()) return {};
    return "waiting for " + settings_.debugger + " of " + short_fold(awaited);
}

}  // namespace launch
