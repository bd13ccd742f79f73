// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cmd/options/table.hpp"
#include "cmd/options/values.hpp"

namespace launch {

/// Ties a row of the table to the field that its value is kept in. Each function takes the way to
/// the field as pointers to members, from Settings or ProgramSettings on: a row names its field
/// once, for reading and writing.

using Texts = std::vector<std::string>;
using ChoiceWords = std::vector<ChoiceWord>;

template <class T, class Class>
Class class_of(T Class::*);

template <class Class>
auto& root_of(const auto& from) {
    if constexpr (std::is_same_v<Class, Settings>)
        return from.job;
    else
        return from.program;
}

/// The field that a way of members leads to.
template <auto first, auto... rest, class From>
auto& field_of(const From& from) {
    auto& top = root_of<decltype(class_of(first))>(from).*first;
    return (top.*....*rest);
}

template <auto... way>
using FieldAt = std::remove_cvref_t<decltype(field_of<way...>(std::declval<const Target&>()))>;

/// A field that is one value, or one that may be absent.
template <class T>
struct Plain {
    using Type = T;
};
template <class T>
struct Plain<std::optional<T>> {
    using Type = T;
};

inline Texts unless_empty(std::string text) {
    return text.empty() ? Texts{} : Texts{std::move(text)};
}

/// A value that a pair of functions of values.hpp reads and writes. An absent optional writes
/// nothing.
template <auto read_text, auto write_text, auto... way>
constexpr Value value_with(Kind kind, ChoiceWords (*words)() = nullptr) {
    return {
        .kind = kind,
        .read =
            [](std::string_view text, const Target& target) {
                typename Plain<FieldAt<way...>>::Type read{};
                auto objection = read_text(text, read);
                if (objection.empty()) field_of<way...>(target) = read;
                return objection;
            },
        .write =
            [](const View& view) {
                using Field = FieldAt<way...>;
                const auto& field = field_of<way...>(view);
                if constexpr (std::is_same_v<Field, typename Plain<Field>::Type>)
                    return unless_empty(write_text(field));
                else
                    return field ? unless_empty(write_text(*field)) : Texts{};
            },
        .words = words,
    };
}

template <auto... way>
constexpr Value flag() {
    return value_with<read_flag, write_flag, way...>(Kind::flag);
}

/// A flag that chooses one value of a field; others of its family choose the others.
template <auto chosen, auto... way>
constexpr Value choosing() {
    return {
        .kind = Kind::flag,
        .chooses = true,
        .read =
            [](std::string_view text, const Target& target) {
                bool is_chosen = false;
                auto objection = read_flag(text, is_chosen);
                if (is_chosen) field_of<way...>(target) = chosen;
                return objection;
            },
        .write =
            [](const View& view) {
                return unless_empty(write_flag(field_of<way...>(view) == chosen));
            },
    };
}

/// From `least`; 0 in the field: not set.
template <uint32_t least>
std::string read_number_from(std::string_view text, uint32_t& number) {
    uint64_t read = 0;
    auto objection = read_number(text, least, INT32_MAX, read);
    number = static_cast<uint32_t>(read);
    return objection;
}

inline std::string write_set_number(uint32_t number) {
    return number == 0 ? "" : std::to_string(number);
}

template <auto... way>
constexpr Value number() {
    return value_with<read_number_from<1>, write_set_number, way...>(Kind::number);
}

/// 0 takes back what a weaker layer says.
template <auto... way>
constexpr Value number_or_none() {
    return value_with<read_number_from<0>, write_set_number, way...>(Kind::number);
}

template <auto... way>
constexpr Value time() {
    return value_with<read_duration, write_duration, way...>(Kind::time);
}

template <auto... way>
constexpr Value time_above_zero() {
    return value_with<read_duration_above_zero, write_duration, way...>(Kind::time);
}

template <const auto& names, class Choice>
std::string read_name(std::string_view text, Choice& choice) {
    return read_choice(text, names, choice);
}

template <const auto& names, class Choice>
std::string write_name(Choice choice) {
    return std::string(names.at(static_cast<size_t>(choice)));
}

/// Names, each with the line of help at its place.
template <const auto& names, const auto& helps>
ChoiceWords described() {
    static_assert(names.size() == helps.size());
    ChoiceWords words;
    for (size_t i = 0; i < names.size(); ++i)
        words.push_back({std::string(names[i]), std::string(helps[i])});
    return words;
}

/// An enumeration whose values are the places of their names.
template <const auto& names, const auto& helps, auto... way>
constexpr Value choice() {
    using Choice = typename Plain<FieldAt<way...>>::Type;
    return value_with<read_name<names, Choice>, write_name<names, Choice>, way...>(
        Kind::choice, described<names, helps>);
}

/// An option whose value is one of an array of formats.
template <const auto& may_be, auto... way>
constexpr Value format_among() {
    constexpr auto read = [](std::string_view text, Format& format) {
        return read_format(text, may_be, format);
    };
    return value_with<read, write_format, way...>(Kind::choice,
                                                  [] { return format_words(may_be); });
}

inline constexpr auto text_and_json = std::to_array<Format>({Format::text, Format::json});

/// Text as it is, if `check` has no objection to it.
template <auto check, auto... way>
constexpr Value checked(Kind kind, ChoiceWords (*words)() = nullptr) {
    return {
        .kind = kind,
        .read =
            [](std::string_view text, const Target& target) {
                auto objection = check(text);
                if (objection.empty()) field_of<way...>(target) = text;
                return objection;
            },
        .write = [](const View& view) { return unless_empty(field_of<way...>(view)); },
        .words = words,
    };
}

inline std::string no_objection(std::string_view /*text*/) {
    return {};
}

/// Any text: only its use can tell whether it is right.
template <auto... way>
constexpr Value text(Kind kind = Kind::text, ChoiceWords (*words)() = nullptr) {
    return checked<no_objection, way...>(kind, words);
}

/// Each time it is given adds one.
template <auto... way>
constexpr Value texts(Kind kind, ChoiceWords (*words)() = nullptr) {
    return {
        .kind = kind,
        .repeats = true,
        .read =
            [](std::string_view text, const Target& target) {
                field_of<way...>(target).emplace_back(text);
                return std::string();
            },
        .write = [](const View& view) { return Texts(field_of<way...>(view)); },
        .words = words,
    };
}

/// The variables to inherit: each time it is given adds the names between its commas.
template <auto inherit>
constexpr Value listed_variables() {
    return {
        .kind = Kind::list,
        .repeats = true,
        .read =
            [](std::string_view text, const Target& target) {
                auto names = split_commas(text);
                auto& field = field_of<inherit>(target);
                field.what = Inherit::What::listed;
                for (auto& name : names)
                    field.names.push_back(std::move(name));
                return std::string(names.empty() ? "no variable is named" : "");
            },
        .write =
            [](const View& view) {
                const auto& field = field_of<inherit>(view);
                return field.what == Inherit::What::listed ? field.names : Texts{};
            },
    };
}

}  // namespace launch
