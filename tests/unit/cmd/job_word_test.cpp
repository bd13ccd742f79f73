// SPDX-License-Identifier: MIT
#include "cmd/job_word.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace launch {
namespace {

TEST(JobWord, first_line_that_names_launch_has_the_kernel_run_it) {
    struct {
        const char* text;
        bool by_launch;
    } rows[] = {
        {"#!/usr/bin/env launch\ncommand = 'app'\n", true},
        {"#! /opt/bin/launch", true},
        {"#!/usr/bin/env -S launch --job\n", true},
        {"#!/usr/bin/env launch\r\n", true},
        {"#!/bin/sh\nlaunch\n", false},
        {"#!/opt/launch/bin/app\n", false},
        {"#!/usr/bin/launcher\n", false},
        {"# launch\n", false},
        {"#!", false},
        {"", false},
    };
    for (const auto& row : rows)
        EXPECT_EQ(is_run_by_launch(row.text), row.by_launch) << row.text;
}

TEST(JobWord, file_that_launch_executes_is_a_job_file) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("job-word-" + std::to_string(getpid()));
    fs::create_directory(folder);
    struct {
        const char* name;
        const char* text;
        bool executable;
        bool is_job;
    } rows[] = {
        {"plain.toml", "command = 'app'\n", false, true},
        {"job.toml", "#!/usr/bin/env launch\ncommand = 'app'\n", true, true},
        {"program.toml", "#!/bin/sh\necho launch\n", true, false},
        {"empty.toml", "", true, false},
        {"job", "#!/usr/bin/env launch\n", true, false},
    };
    for (const auto& row : rows) {
        const fs::path file = folder / row.name;
        std::ofstream(file) << row.text;
        if (row.executable) fs::permissions(file, fs::perms(0755));
        EXPECT_EQ(is_job_file(file.string()), row.is_job) << row.name;
    }
    fs::remove_all(folder);
}

}  // namespace
}  // namespace launch
