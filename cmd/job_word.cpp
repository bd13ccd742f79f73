#include "cmd/job_word.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "cmd/options/scan.hpp"

namespace launch {

bool is_job_file(const std::string& word) {
    struct stat info {};
    return word.ends_with(".toml") && stat(word.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
           access(word.c_str(), X_OK) != 0;
}

std::vector<std::string> with_job_option(const std::vector<std::string>& words,
                                         const std::function<bool(const std::string&)>& is_job) {
    const auto segments = scan_words(words);
    if (!segments || segments->size() != 1) return words;
    const auto& program = segments->front().program;
    if (program.empty() || !is_job(program[0])) return words;
    const auto at = static_cast<std::ptrdiff_t>(words.size() - program.size());
    if (at > 0 && words[static_cast<size_t>(at) - 1] == "--") return words;
    auto made = words;
    made.insert(made.begin() + at, "--job");
    return made;
}

}  // namespace launch
