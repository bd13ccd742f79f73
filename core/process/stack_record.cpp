// SPDX-License-Identifier: MIT
#include "core/process/stack_record.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <optional>

#include "core/base/environment.hpp"
#include "core/base/number_text.hpp"
#include "core/process/command_output.hpp"
#include "core/process/descendants.hpp"
#include "core/process/process_stat.hpp"
#include "core/process/unwind.hpp"

namespace launch {
namespace {

constexpr std::chrono::milliseconds py_spy_limit{1000};

/// Nothing: py-spy is not there, or cannot read this process.
std::optional<std::vector<std::string>> python_frames(pid_t process) {
    const auto text = command_output({"py-spy", "dump", "--pid", std::to_string(process)},
                                     own_environment(), py_spy_limit);
    if (!text) return std::nullopt;
    auto frames = frames_of_py_spy(*text);
    if (frames.empty()) return std::nullopt;
    return frames;
}

/// A process in state D or t cannot be stopped for reading its stack: an attempt would hang.
std::string why_unreadable(pid_t process, char state) {
    if (state == 'D') return why_not_ended(process);
    return state == 't' ? "held by a debugger" : std::string();
}

Stack stack_of(pid_t process, char state) {
    Stack stack;
    stack.program = process_name(process);
    stack.note = why_unreadable(process, state);
    if (!stack.note.empty()) return stack;
    if (state == 'T') stack.note = "stopped";
    if (stack.program.starts_with("python")) {
        if (auto frames = python_frames(process)) {
            stack.frames = *std::move(frames);
            return stack;
        }
    }
    auto frames = frames_of(process);
    if (frames)
        stack.frames = *std::move(frames);
    else
        stack.note += (stack.note.empty() ? "" : ", ") + ("no stack: " + frames.error().cause);
    return stack;
}

void write_stack(const RankProcessId& of) {
    const char state = stat_of(of.process).state;
    StackGroups one;
    if (!has_ended(state)) one.add(stack_of(of.process, state), {of.rank});
    write_stack_record(one);
}

std::optional<RankProcessId> read_word(std::string_view word) {
    const auto colon = word.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const auto rank = parse_number<uint32_t>(word.substr(0, colon));
    const auto process = parse_number<pid_t>(word.substr(colon + 1));
    if (!rank || !process) return std::nullopt;
    return RankProcessId{*rank, *process};
}

}  // namespace

std::string process_name(pid_t process) {
    std::ifstream in("/proc/" + std::to_string(process) + "/comm");
    std::string name;
    std::getline(in, name);
    return name;
}

std::vector<std::string> stacks_command(const std::vector<RankProcessId>& processes) {
    std::vector<std::string> words{"/proc/self/exe", stacks_word};
    for (const auto& [rank, process] : processes)
        words.push_back(std::to_string(rank) + ":" + std::to_string(process));
    return words;
}

void write_stack_record(const StackGroups& stacks) {
    Encoder record;
    stacks.encode(record);
    const std::string bytes = Encoder().text(record.take()).take();
    std::fwrite(bytes.data(), 1, bytes.size(), stdout);
    std::fflush(stdout);
}

int write_stacks(const std::vector<std::string>& words) {
    for (const auto& word : words)
        if (const auto process = read_word(word)) write_stack(*process);
    return 0;
}

std::vector<StackGroups> read_stack_records(std::string_view bytes) {
    std::vector<StackGroups> records;
    Decoder all(bytes);
    for (auto record = all.text(); all.ok() && !record.empty(); record = all.text()) {
        Decoder in(record);
        auto one = StackGroups::decode(in);
        records.push_back(in.done() ? std::move(one) : StackGroups());
    }
    return records;
}

ReadStacks read_stacks(std::string_view bytes) {
    auto records = read_stack_records(bytes);
    ReadStacks read{{}, records.size()};
    for (auto& one : records)
        read.stacks.merge(std::move(one));
    return read;
}

/// A thread's line is followed by its frames, the innermost first, each indented:
///
///     Thread 4711 (idle): "MainThread"
///         recv (socket.py:12)
std::vector<std::string> frames_of_py_spy(std::string_view text) {
    std::vector<std::string> frames;
    bool is_main = false;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const auto begin = line.find_first_not_of(' ');
        if (begin == std::string_view::npos) continue;
        if (begin == 0) {
            is_main = line.starts_with("Thread ") && line.ends_with("\"MainThread\"");
        } else if (is_main) {
            const auto name = line.substr(begin);
            frames.emplace_back(name.substr(0, name.find(" (")));
        }
    }
    std::reverse(frames.begin(), frames.end());
    return frames;
}

}  // namespace launch
