// SPDX-License-Identifier: MIT
#include "cmd/options/absolute.hpp"

#include <algorithm>

namespace launch {

std::string absolute(const std::string& path, const std::string& folder) {
    if (path.starts_with('/') || folder.empty()) return path;
    return (folder == "/" ? folder : folder + "/") + path;
}

std::string absolute_value(const OptionRow& option, const std::string& text,
                           const std::string& folder) {
    if (option.value.kind != Kind::path || text.empty()) return text;
    if (option.completes == Completes::place_and_folder) {
        const auto folder_at = text.rfind(':') + 1;  // npos + 1 is 0
        return text.substr(0, folder_at) + absolute(text.substr(folder_at), folder);
    }
    const auto words =
        option.value.words == nullptr ? std::vector<ChoiceWord>{} : option.value.words();
    const bool is_word = std::any_of(words.begin(), words.end(),
                                     [&](const ChoiceWord& word) { return word.text == text; });
    return is_word ? text : absolute(text, folder);
}

}  // namespace launch
