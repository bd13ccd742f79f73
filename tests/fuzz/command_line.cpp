// SPDX-License-Identifier: MIT
// What users type: from words to a job and its plan, in made-up surroundings.
#include <algorithm>
#include <cstdint>
#include <span>
#include <sstream>

#include "cmd/options/read_source.hpp"
#include "cmd/options/scan.hpp"
#include "cmd/options/transport_names.hpp"
#include "cmd/options/values.hpp"
#include "cmd/request/job_request.hpp"
#include "core/job/plan.hpp"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"
#include "topologies/registry.hpp"

namespace launch {
namespace {

using fuzz::require;

constexpr size_t most_bytes = 2048;
/// Above it hosts are only counted.
constexpr size_t most_hosts = 1000;
/// Four million hosts may be asked for with a few words.
constexpr size_t most_memory = size_t{3} << 30;

Surroundings surroundings() {
    return {.env = {"HOME=/root", "PATH=/bin", "FOO=foo", "PMI_RANK=3"},
            .wdir = "/here",
            .launch_path = "/opt/launch",
            .job_id = "job",
            .cpus = 6};
}

std::vector<std::string> words_of(std::string_view bytes) {
    std::vector<std::string> words;
    std::istringstream lines{std::string(bytes)};
    for (std::string word; std::getline(lines, word);)
        words.push_back(word);
    return words;
}

void check_error(const Error& error) {
    require(error.kind == ErrorKind::usage || error.kind == ErrorKind::not_found, "the user's");
    require(!error.cause.empty(), "a reason");
    require(describe(error).find('\n') == std::string::npos, "one line");
}

/// In the form that leaves nothing to guess.
std::vector<std::string> print(const std::vector<Segment>& segments) {
    std::vector<std::string> words;
    for (const Segment& segment : segments) {
        if (!words.empty()) words.emplace_back(":");
        for (const Given& given : segment.options)
            words.push_back(given.option->is_flag() ? given.origin.name
                                                    : given.origin.name + "=" + given.value);
        if (segment.program.empty()) continue;
        words.emplace_back("--");
        words.insert(words.end(), segment.program.begin(), segment.program.end());
    }
    return words;
}

bool same(const Segment& a, const Segment& b) {
    return a.program == b.program &&
           std::equal(a.options.begin(), a.options.end(), b.options.begin(), b.options.end(),
                      [](const Given& x, const Given& y) {
                          return x.option == y.option && x.value == y.value;
                      });
}

void scan(const std::vector<std::string>& words) {
    auto scanned = scan_all(words);
    if (!scanned.mistakes.empty()) return check_error(scanned.mistakes.take());
    const auto& segments = scanned.segments;
    const auto again = scan_all(print(segments));
    require(
        again.mistakes.empty() && std::equal(segments.begin(), segments.end(),
                                             again.segments.begin(), again.segments.end(), same),
        "the words that were printed");
}

/// Files that users name are this machine's.
bool reads_files(const Settings& line) {
    const auto names_files = [](const ProgramSettings& program) {
        return std::any_of(program.hostfiles.begin(), program.hostfiles.end(),
                           [](const auto& path) { return path != "-"; });
    };
    return !line.staged.empty() || line.stage_program ||
           std::any_of(line.programs.begin(), line.programs.end(), names_files);
}

void check_spec(const Settings& line, const JobSpec& spec) {
    require(!spec.programs.empty() && spec.programs.size() == line.programs.size(), "programs");
    for (const auto& program : spec.programs)
        require(!program.argv.empty(), "a program");
    size_t ignored = 0;
    require(find_choice(spec.transport.name, transport_names(), ignored).empty(),
            "a known transport");
    require(spec.hosts.size() <= 4'000'000, "hosts");
}

void plan(JobSpec spec) {
    if (spec.hosts.size() > most_hosts) return;
    const auto make = [](const std::string& name, uint32_t degree, NodeIndex nodes,
                         std::string* reason) {
        return make_topology(name, degree, nodes, reason);
    };
    const auto plan = make_plan(std::move(spec), make);
    if (!plan) return check_error(plan.error());
    uint64_t ranks = 0;
    for (const auto& program : plan->spec.programs)
        ranks += program.ranks;
    require(ranks == plan->placement.ranks(), "every rank is placed");
    uint64_t placed = 0;
    for (size_t i = 0; i < plan->placement.nodes(); ++i)
        for (const RankRun& run : plan->placement.node(i))
            placed += run.count;
    require(placed == ranks, "once");
    require(plan->topology != nullptr && !plan->hosts.empty(), "a tree");
}

}  // namespace

/// Words are lines.
void fuzz::command_line(std::string_view bytes) {
    if (bytes.size() > most_bytes) return;
    const auto words = words_of(bytes);
    AllocationLimit limit(most_memory);
    scan(words);
    auto read = read_words(words);
    if (!read.mistakes.empty()) return check_error(read.mistakes.take());
    const auto line = resolve(std::span(&read.source, 1));
    if (line.help || line.version || reads_files(line)) return;
    std::istringstream input("a:2\nb slots=4\nnode[1-3]\n");
    auto request = make_request(line, surroundings(), input);
    if (!request) return check_error(request.error());
    check_spec(line, request->spec);
    plan(std::move(request->spec));
    limit.check();
}

}  // namespace launch
