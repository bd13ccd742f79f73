// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

#include "cmd/jobfile/read_job_file.hpp"
#include "cmd/jobfile/write_job_file.hpp"

namespace launch {
namespace {

using Json = nlohmann::ordered_json;

Json schema() {
    return Json::parse(job_file_schema());
}

/// Checks the part of JSON Schema that the schema uses.
bool is_of_type(const std::string& type, const Json& value) {
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "boolean") return value.is_boolean();
    if (type == "array") return value.is_array();
    if (type == "object") return value.is_object();
    ADD_FAILURE() << "unknown type " << type;
    return false;
}

bool is_valid(const Json& schema, const Json& value);

bool has_type(const Json& types, const Json& value) {
    if (types.is_string()) return is_of_type(types, value);
    return std::any_of(types.begin(), types.end(),
                       [&](const Json& type) { return is_of_type(type, value); });
}

bool has_valid_keys(const Json& schema, const Json& value) {
    for (const auto& name : schema.value("required", Json::array()))
        if (!value.contains(name.get<std::string>())) return false;
    const Json known = schema.value("properties", Json::object());
    const Json other = schema.value("additionalProperties", Json(true));
    for (const auto& [key, each] : value.items()) {
        const Json& its = known.contains(key) ? known[key] : other;
        if (its.is_boolean() ? !its.get<bool>() : !is_valid(its, each)) return false;
    }
    return true;
}

bool is_valid(const Json& schema, const Json& value) {
    if (schema.contains("type") && !has_type(schema["type"], value)) return false;
    if (schema.contains("anyOf") &&
        std::none_of(schema["anyOf"].begin(), schema["anyOf"].end(),
                     [&](const Json& each) { return is_valid(each, value); }))
        return false;
    if (schema.contains("minimum") && value.is_number() && value < schema["minimum"]) return false;
    if (value.is_object()) return has_valid_keys(schema, value);
    if (!value.is_array()) return true;
    if (value.size() < schema.value("minItems", size_t{0})) return false;
    return !schema.contains("items") ||
           std::all_of(value.begin(), value.end(),
                       [&](const Json& each) { return is_valid(schema["items"], each); });
}

/// Writes a JSON value as TOML.
std::string toml_of(const Json& value) {
    if (!value.is_object()) return value.dump();
    std::string text;
    for (const auto& [key, each] : value.items())
        text += (text.empty() ? "" : ", ") + key + " = " + toml_of(each);
    return "{ " + text + " }";
}

bool is_read_as_its_type(const OptionRow& option, const Json& value) {
    const auto text = std::string(option.key) + " = " + toml_of(value) + "\n";
    const auto file = read_job_file(text, {"job.toml", "/", Layer::job_file});
    for (const auto& mistake : file.mistakes)
        if (mistake.cause.find(", not a ") != std::string::npos ||
            mistake.cause.find(", not an ") != std::string::npos ||
            mistake.cause.find(", not true") != std::string::npos ||
            mistake.cause.find("an empty list") != std::string::npos)
            return false;
    return true;
}

/// For each option and each type of value: the schema says what read_job_file() does.
TEST(JobSchema, TakesTheTypesThatJobFilesTake) {
    const Json values = Json::parse(R"(["text", 5, 1.5, true, ["a", "b"], [1], [], {"A": "b"}])");
    const Json keys = schema()["properties"];
    for (const auto* option : all_options()) {
        const std::string key(option->key);
        if (option->scope == Scope::invocation) continue;
        ASSERT_TRUE(keys.contains(key)) << key;
        const bool is_twice = find_key(key, Scope::job) != nullptr && option->scope != Scope::job;
        for (const auto& value : values)
            EXPECT_TRUE(is_twice ||
                        is_valid(keys[key], value) == is_read_as_its_type(*option, value))
                << key << " = " << value;
    }
}

TEST(JobSchema, AProgramHasItsOwnOptionsAlone) {
    const Json program = schema()["properties"]["program"]["items"]["properties"];
    for (const auto* option : all_options())
        EXPECT_EQ(program.contains(std::string(option->key)),
                  find_key(option->key, Scope::program) != nullptr)
            << option->key;
    EXPECT_FALSE(schema()["properties"].contains("dry-run"));
}

TEST(JobSchema, TakesAJobAndRefusesWhatIsNone) {
    struct {
        const char* job;
        bool is_valid;
    } rows[] = {
        {R"({"label": true, "timeout": "1m", "kill-grace": 2, "env": {"COLOUR": "blue"},
             "program": [{"command": "sh -c true", "ranks": 1},
                         {"command": ["sh", "-c"], "ranks": 3, "env": {"COLOUR": "green"}}]})",
         true},
        {R"({"command": "hostname", "ranks": 2, "hosts": ["n[1-4]", "n5"]})", true},
        {R"({"program": [{"ranks": 1}]})", false},
        {R"({"program": [{"command": "x", "label": true}]})", false},
        {R"({"labl": true})", false},
        {R"({"label": "yes"})", false},
        {R"({"command": []})", false},
        {R"({"command": "x", "ranks": 0})", false},
    };
    for (const auto& row : rows)
        EXPECT_EQ(is_valid(schema(), Json::parse(row.job)), row.is_valid) << row.job;
    EXPECT_EQ(schema()["$schema"], "https://json-schema.org/draft/2020-12/schema");
}

}  // namespace
}  // namespace launch
