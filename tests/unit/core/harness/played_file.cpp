// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/played_file.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace launch {
namespace {

namespace fs = std::filesystem;

std::string numbers(size_t size) {
    std::string text;
    while (text.size() < size)
        text += std::to_string(text.size()) + "\n";
    text.resize(size);
    return text;
}

std::string make_folder_for_files() {
    std::string name = (fs::temp_directory_path() / "launch-played-XXXXXX").string();
    return mkdtemp(name.data());
}

}  // namespace

PlayedFile::PlayedFile(size_t size) : content_(numbers(size)), folder_(make_folder_for_files()) {
    std::ofstream(path(), std::ios::binary) << content_;
    fs::create_directory(folder_ + "/hosts");
}

PlayedFile::~PlayedFile() {
    fs::remove_all(folder_);
}

StageSpec PlayedFile::spec() const {
    return {{{path(), "data", content_.size(), 0600}}, false, "0123456789abcdef"};
}

void PlayedFile::remove() const {
    fs::remove(path());
}

size_t PlayedFile::copies() const {
    const fs::recursive_directory_iterator all(folder_ + "/hosts");
    return static_cast<size_t>(std::count_if(
        begin(all), end(all), [](const fs::directory_entry& at) { return at.is_regular_file(); }));
}

}  // namespace launch
