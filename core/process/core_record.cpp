// SPDX-License-Identifier: MIT
#include "core/process/core_record.hpp"

#include <cstdlib>
#include <optional>

#include "core/base/base_name.hpp"
#include "core/base/clock.hpp"
#include "core/base/number_text.hpp"
#include "core/job/exit_status.hpp"
#include "core/process/stack_record.hpp"
#include "core/process/unwind.hpp"

namespace launch {
namespace {

/// The words of a process: rank, process, signal, whether it dumped, program, folder.
constexpr size_t words_of_one = 6;

std::optional<DeadProcess> read_dead(const std::string* word) {
    const auto rank = parse_number<uint32_t>(word[0]);
    const auto process = parse_number<pid_t>(word[1]);
    const auto signal = parse_number<int>(word[2]);
    if (!rank || !process || !signal) return std::nullopt;
    return DeadProcess{*rank, *process, *signal, word[3] == "1", word[4], word[5]};
}

void add_note(Stack& stack, const std::string& note) {
    if (!note.empty()) stack.note += ", " + note;
}

Stack stack_without_frames(const DeadProcess& of) {
    return {std::string(base_name(of.program)), {}, death_note(of.signal)};
}

void write_one(const Stack& stack, uint32_t rank) {
    StackGroups one;
    one.add(stack, {rank});
    write_stack_record(one);
}

struct TakenCore {
    Stack stack;
    std::string path;  ///< empty: no file was found
};

TakenCore take_core(const CoreKeeping& keeping, const DeadProcess& of, CoreTime deadline) {
    TakenCore taken{stack_without_frames(of), {}};
    if (!of.dumped) {
        add_note(taken.stack, why_no_core(of));
        return taken;
    }
    KeptCore kept = keep_core(of, kept_core_path(keeping, of.rank), deadline);
    add_note(taken.stack, kept.problem);
    taken.path = std::move(kept.path);
    return taken;
}

void add_frames(TakenCore& taken) {
    auto read = frames_of_core(taken.path);
    if (read)
        taken.stack.frames = *std::move(read);
    else
        add_note(taken.stack, "no stack: " + read.error().cause);
}

}  // namespace

std::string death_note(int signal) {
    return "died of " + to_string(ExitStatus{ExitStatus::Kind::signalled, signal});
}

std::string kept_core_path(const CoreKeeping& keeping, uint32_t rank) {
    return keeping.folder + "/core." + std::to_string(rank) + "." + keeping.host;
}

std::vector<std::string> cores_command(const CoreKeeping& keeping,
                                       const std::vector<DeadProcess>& dead) {
    std::vector<std::string> words{"/proc/self/exe", cores_word, keeping.folder, keeping.host,
                                   std::to_string(keeping.limit.count())};
    for (const auto& of : dead)
        words.insert(words.end(),
                     {std::to_string(of.rank), std::to_string(of.process),
                      std::to_string(of.signal), of.dumped ? "1" : "0", of.program, of.folder});
    return words;
}

CoresAsked read_cores_words(const std::vector<std::string>& words) {
    CoresAsked asked;
    if (words.size() < 3) return asked;
    const auto limit = parse_number<int64_t>(words[2]);
    asked.keeping = {words[0], words[1], std::chrono::milliseconds(limit.value_or(0))};
    for (size_t i = 3; i + words_of_one <= words.size(); i += words_of_one) {
        auto dead = read_dead(&words[i]);
        if (!dead) break;
        asked.dead.push_back(*std::move(dead));
    }
    return asked;
}

StackGroups read_cores(std::string_view bytes, const std::vector<DeadProcess>& dead,
                       const std::string& why) {
    auto records = read_stack_records(bytes);
    StackGroups cores;
    for (size_t i = 0; i < dead.size(); ++i) {
        const size_t last = i + dead.size() < records.size() ? i + dead.size() : i;
        if (last < records.size()) {
            cores.merge(std::move(records[last]));
            continue;
        }
        Stack stack = stack_without_frames(dead[i]);
        add_note(stack, "no core: " + why);
        cores.add(std::move(stack), {dead[i].rank});
    }
    return cores;
}

int write_cores(const std::vector<std::string>& words) {
    unsetenv("DEBUGINFOD_URLS");  // libdw would ask servers for programs
    const CoresAsked asked = read_cores_words(words);
    const auto deadline = Clock::now() + asked.keeping.limit;
    std::vector<TakenCore> cores;
    for (const auto& of : asked.dead) {
        cores.push_back(take_core(asked.keeping, of, deadline));
        Stack stack = cores.back().stack;
        if (!cores.back().path.empty()) add_note(stack, "no stack: not read in time");
        write_one(stack, of.rank);
    }
    for (size_t i = 0; i < cores.size(); ++i) {
        if (!cores[i].path.empty()) add_frames(cores[i]);
        write_one(cores[i].stack, asked.dead[i].rank);
    }
    return 0;
}

}  // namespace launch
