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
    const auto words =
        option.value.words == nullptr ? std::vector<ChoiceWord>{} : option.value.words();
    const bool is_word = std::any_of(words.begin(), words.end(),
                                     [&](const ChoiceWord& word) { return word.text == text; });
    return is_word ? text : absolute(text, folder);
}

}  // namespace launch
