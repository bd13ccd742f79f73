// SPDX-License-Identifier: MIT
#include "cmd/job_word.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/environment.hpp"
#include "core/base/file_text.hpp"
#include "core/base/list_text.hpp"
#include "core/process/program_search.hpp"

namespace launch {
namespace {

bool is_program_in_path(const std::string& word) {
    return is_in_path(word, env_value(own_environment(), "PATH"));
}

}  // namespace

bool is_run_by_launch(std::string_view first_bytes) {
    if (!first_bytes.starts_with("#!")) return false;
    std::string line(first_bytes.substr(2, first_bytes.find('\n') - 2));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\t' || c == '\r'; }, ' ');
    bool named = false;
    for_each_part(line, ' ', [&](std::string_view word) {
        named = named || word.substr(word.rfind('/') + 1) == "launch";
    });
    return named;
}

bool is_job_file(const std::string& word) {
    if (!word.ends_with(".toml")) return false;
    struct stat info {};
    if (stat(word.c_str(), &info) != 0) return is_absent(errno) && !is_program_in_path(word);
    if (!S_ISREG(info.st_mode)) return false;
    constexpr size_t kernel_reads = 256;
    return access(word.c_str(), X_OK) != 0 || is_run_by_launch(read_file(word, kernel_reads).text);
}

}  // namespace launch
