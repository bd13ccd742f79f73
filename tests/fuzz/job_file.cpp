// SPDX-License-Identifier: MIT
// A job file, or one of configuration, as its first byte says; and the same text as a command.
#include <span>

#include "cmd/jobfile/read_job_file.hpp"
#include "cmd/jobfile/split_command.hpp"
#include "cmd/jobfile/write_job_file.hpp"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::require;

/// Each value is held by its text, its kind and where it stands, some of them several times.
constexpr size_t most_memory = 64u << 20;
constexpr const char* name = "job.toml";
constexpr const char* folder = "/here";

void check_mistake(const Error& mistake) {
    require(mistake.kind == ErrorKind::usage && !mistake.cause.empty(), "the user's, and why");
    require(mistake.cause.find(name) != std::string::npos, "where it stands");
    require(describe(mistake).find('\n') == std::string::npos, "one line");
}

Settings settings_of(const Source& source) {
    return resolve(std::span(&source, 1));
}

void files(Layer layer, std::string_view text) {
    const JobFile file = read_job_file(text, {name, folder, layer});
    for (const Error& mistake : file.mistakes)
        check_mistake(mistake);
    if (!file.mistakes.empty()) return;
    const std::string written = write_job_file(settings_of(file.source), folder);
    const JobFile again = read_job_file(written, {name, folder, Layer::job_file});
    require(again.mistakes.empty(), "what was written can be read");
    require(write_job_file(settings_of(again.source), folder) == written, "and says the same");
}

/// In single quotes, as a shell reads it.
std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "' ";
}

void commands(std::string_view text) {
    const auto words = split_command(text);
    if (!words) return require(words.error().kind == ErrorKind::usage, "the user's");
    size_t length = 0;
    std::string command;
    for (const auto& word : *words) {
        length += word.size();
        command += quoted(word);
    }
    require(length <= text.size(), "nothing is made up");
    const auto again = split_command(command);
    require(again && *again == *words, "the words that were quoted");
}

}  // namespace

void fuzz::job_file(std::string_view bytes) {
    if (bytes.empty()) return;
    const bool configuration = (bytes.front() & 1) != 0;
    bytes.remove_prefix(1);
    commands(bytes);
    AllocationLimit limit(most_memory);
    files(configuration ? Layer::user_file : Layer::job_file, bytes);
    limit.check();
}

}  // namespace launch
