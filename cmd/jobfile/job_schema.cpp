// SPDX-License-Identifier: MIT
#include "cmd/jobfile/job_schema.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace launch {
namespace {

using Schema = nlohmann::ordered_json;

Schema list_of_strings() {
    return {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 1}};
}

Schema string_or_list() {
    return {{"anyOf", Schema::array({Schema{{"type", "string"}}, list_of_strings()})}};
}

/// Lists the words of a choice as examples, not as an enumeration, because some words go on after a
/// colon and some stand for a number.
Schema choice_schema(const OptionRow& option) {
    Schema schema{{"type", Schema::array({"string", "integer"})}};
    for (const auto& word : option.value.words())
        schema["examples"].push_back(word.shown());
    return schema;
}

Schema number_schema(const OptionRow& option) {
    Settings ignored;
    ProgramSettings program;
    const bool may_be_none = option.value.read("0", {ignored, program}).empty();
    return {{"type", "integer"}, {"minimum", may_be_none ? 0 : 1}};
}

/// As read_job_file() takes the kind.
Schema value_schema(const OptionRow& option) {
    switch (option.value.kind) {
        case Kind::flag: return {{"type", "boolean"}};
        case Kind::number: return number_schema(option);
        case Kind::time: return {{"type", Schema::array({"string", "number"})}};
        case Kind::choice: return choice_schema(option);
        case Kind::pair:
            return {{"type", "object"},
                    {"additionalProperties",
                     {{"type", Schema::array({"string", "number", "boolean"})}}}};
        case Kind::hosts:
        case Kind::list: return string_or_list();
        case Kind::text:
        case Kind::path: break;
    }
    return option.value.repeats ? string_or_list() : Schema{{"type", "string"}};
}

Schema described_schema(const OptionRow& option) {
    Schema schema = value_schema(option);
    schema["description"] = option.help;
    return schema;
}

Schema command_schema() {
    Schema schema = string_or_list();
    schema["description"] = "the program and its arguments";
    return schema;
}

/// Returns the keys of a table: a program has its own options and its command, the top all options.
Schema keys_schema(OptionTable table, bool is_top) {
    Schema keys = Schema::object();
    keys["command"] = command_schema();
    for (const auto scope : {Scope::job, Scope::program})
        for (const auto* option : table)
            if (option->scope == scope && (is_top || scope == Scope::program) &&
                !keys.contains(option->key))
                keys[std::string(option->key)] = described_schema(*option);
    return keys;
}

Schema table_schema(Schema keys) {
    return {{"type", "object"}, {"properties", std::move(keys)}, {"additionalProperties", false}};
}

}  // namespace

std::string job_file_schema(OptionTable table) {
    Schema program = table_schema(keys_schema(table, false));
    program["required"] = Schema::array({"command"});
    Schema keys = keys_schema(table, true);
    keys["program"] = {{"type", "array"},
                       {"description", "the programs of the job, each with its own options"},
                       {"items", std::move(program)}};
    Schema schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                  {"title", "a job file of launch"}};
    schema.update(table_schema(std::move(keys)));
    return schema.dump(2) + "\n";
}

}  // namespace launch
