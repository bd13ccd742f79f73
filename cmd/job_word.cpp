#include "cmd/job_word.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace launch {

bool is_job_file(const std::string& word) {
    struct stat info {};
    return word.ends_with(".toml") && stat(word.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
           access(word.c_str(), X_OK) != 0;
}

}  // namespace launch
