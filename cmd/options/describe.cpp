// SPDX-License-Identifier: MIT
#include "cmd/options/describe.hpp"

#include "cmd/options/table.hpp"

namespace launch {

std::string value_in_words(const OptionRow& option) {
    switch (option.value.kind) {
        case Kind::flag: return "true or false";
        case Kind::number: return "a whole number";
        case Kind::time: return "a time such as \"10s\" or a number of seconds";
        case Kind::pair: return "a table such as { NAME = \"VALUE\" }";
        case Kind::list:
        case Kind::hosts: return "a string or a list of strings";
        default: return option.value.repeats ? "a string or a list of strings" : "a string";
    }
}

std::vector<std::string> default_texts(const OptionRow& option) {
    const Settings settings;
    const ProgramSettings program;
    return texts_of(option, {settings, program});
}

std::vector<std::string> example_texts(const OptionRow& option) {
    auto texts = default_texts(option);
    if (texts.empty()) texts = {option.is_flag() ? "true" : std::string(option.example)};
    return texts;
}

}  // namespace launch
