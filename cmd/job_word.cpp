#include "cmd/job_word.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file_text.hpp"
#include "core/process/program_search.hpp"

namespace launch {
namespace {

bool is_program_in_path(const std::string& word) {
    const char* path = std::getenv("PATH");
    const auto files = program_candidates(word, path != nullptr ? path : "");
    return std::any_of(files.begin(), files.end(),
                       [](const std::string& file) { return access(file.c_str(), X_OK) == 0; });
}

}  // namespace

bool is_job_file(const std::string& word) {
    if (!word.ends_with(".toml")) return false;
    struct stat info {};
    if (stat(word.c_str(), &info) == 0)
        return S_ISREG(info.st_mode) && access(word.c_str(), X_OK) != 0;
    return is_absent(errno) && !is_program_in_path(word);
}

}  // namespace launch
