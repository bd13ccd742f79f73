// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "cmd/options/read_source.hpp"
#include "cmd/request/job_request.hpp"
#include "cmd/wiring.hpp"

namespace launch {

/// Words between single spaces; "''" is the empty one.
inline std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    std::istringstream in(text);
    for (std::string word; in >> word;)
        words.push_back(word == "''" ? "" : word);
    return words;
}

inline Result<Source> read_command_line(const std::vector<std::string>& words,
                                        const WordRules& rules = {}) {
    auto line = read_words(words, rules);
    if (!line.mistakes.empty()) return line.mistakes.take();
    return std::move(line.source);
}

/// The settings of the words alone, without any other source.
inline Result<Settings> parse_command_line(const std::vector<std::string>& words) {
    const auto source = read_command_line(words);
    if (!source) return source.error();
    return resolve(std::span(&*source, 1));
}

inline Surroundings test_surroundings() {
    return {.env = {"HOME=/root", "PATH=/bin", "FOO=foo", "LAUNCH_RANK=3", "PMI_RANK=3",
                    "PMIX_MCA_gds=hash", "OMPI_COMM_WORLD_SIZE=9", "OMPI_MCA_btl=tcp"},
            .wdir = "/here",
            .host = "head",
            .launch_path = "/opt/launch",
            .job_id = "job",
            .cpus = 6};
}

/// What main() makes of words, up to the job's spec.
inline Result<JobRequest> request_of(const std::vector<std::string>& words,
                                     const std::string& input = {}) {
    const auto line = parse_command_line(words);
    if (!line) return line.error();
    std::istringstream in(input);
    return make_request(*line, test_surroundings(), in);
}

/// What main() would run.
inline Plan plan_of(const std::string& text) {
    auto request = request_of(words_of(text));
    EXPECT_TRUE(request) << describe(request.error());
    auto plan = make_plan(std::move(request->spec), topology_factory());
    EXPECT_TRUE(plan) << describe(plan.error());
    return *std::move(plan);
}

}  // namespace launch
