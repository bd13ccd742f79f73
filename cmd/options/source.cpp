// SPDX-License-Identifier: MIT
#include "cmd/options/source.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

/// The texts of one layer for one thing, the job or a program.
using LayerOfOne = std::vector<const Given*>;

/// Two rows say the same thing.
bool same_family(const OptionRow& one, const OptionRow& other) {
    return &one == &other || (!one.family.empty() && one.family == other.family);
}

/// Whether a stronger layer has a word on what this row says.
bool replaced(const OptionRow& row, std::span<const LayerOfOne> stronger) {
    return std::any_of(stronger.begin(), stronger.end(), [&](const LayerOfOne& layer) {
        return std::any_of(layer.begin(), layer.end(),
                           [&](const Given* given) { return same_family(*given->option, row); });
    });
}

/// The variable that ranks get by this; none where it is another setting.
std::optional<std::string> rank_variable(const Given& given) {
    const auto prefix = given.option->variable_prefix;
    if (!prefix) return std::nullopt;
    return std::string(*prefix) + given.value.substr(0, given.value.find('='));
}

/// The layers without what a stronger one replaces.
std::vector<LayerOfOne> those_that_count(std::span<const LayerOfOne> layers) {
    std::vector<LayerOfOne> kept(layers.size());
    std::set<std::string> set_above;  // variables of ranks, by stronger layers
    for (size_t i = layers.size(); i-- > 0;) {
        std::set<std::string> set_here;
        for (const auto* given : layers[i]) {
            const auto variable = rank_variable(*given);
            if (variable) set_here.insert(*variable);
            const bool gone = variable ? set_above.count(*variable) > 0
                                       : replaced(*given->option, layers.subspan(i + 1));
            if (!gone) kept[i].push_back(given);
        }
        set_above.merge(set_here);
    }
    return kept;
}

enum class Whose : uint8_t { the_job, programs };

bool is_for(Whose whose, const Given& given) {
    return (given.option->scope == Scope::program) == (whose == Whose::programs);
}

void apply(std::span<const LayerOfOne> layers, Whose whose, const Target& target,
           Origins& origins) {
    for (const auto& layer : those_that_count(layers)) {
        for (const auto* given : layer) {
            if (!is_for(whose, *given)) continue;
            given->option->value.read(given->value, target);
            if (given->option->variable_prefix)
                origins.add(given->option->key, given->origin);
            else
                origins.note(given->option->key, given->origin);
        }
    }
}

LayerOfOne all_of(const std::vector<Given>& all) {
    LayerOfOne layer;
    for (const auto& given : all)
        layer.push_back(&given);
    return layer;
}

/// The texts of one source for the job.
LayerOfOne of_the_job(const Source& source) {
    LayerOfOne layer = all_of(source.given);
    std::erase_if(layer, [](const Given* given) { return !is_for(Whose::the_job, *given); });
    return layer;
}

constexpr std::string_view hosts_family = "hosts";

bool names_hosts(const GivenProgram& program) {
    return std::any_of(program.given.begin(), program.given.end(),
                       [](const Given& given) { return given.option->family == hosts_family; });
}

/// Which sources' hosts for all programs count for one of them.
enum class CommonHosts : uint8_t {
    of_none,
    of_all,
    from_its_own,  ///< and from stronger ones
};

/// Where programs name hosts, a weaker source's are nobody's: hosts that only one program names are
/// those of all. Where none does, the first program takes the common ones, for all by that rule.
CommonHosts common_hosts_of(const GivenProgram& program, const std::vector<GivenProgram>& all) {
    if (std::any_of(all.begin(), all.end(), names_hosts)) return CommonHosts::from_its_own;
    return &program == &all.front() ? CommonHosts::of_all : CommonHosts::of_none;
}

/// The layers for one program: those for all programs, and its own above those that its own source
/// has for all. They include those of the job, because a variable of the job replaces a weaker one
/// of the program.
std::vector<LayerOfOne> layers_of(std::span<const Source> sources, const Source& its_source,
                                  const GivenProgram& program, CommonHosts hosts) {
    std::vector<LayerOfOne> layers;
    for (const auto& source : sources) {
        layers.push_back(all_of(source.given));
        const bool weaker = &source < &its_source;
        if (hosts == CommonHosts::of_none || (hosts == CommonHosts::from_its_own && weaker))
            std::erase_if(layers.back(),
                          [](const Given* given) { return given->option->family == hosts_family; });
        if (&source == &its_source) layers.push_back(all_of(program.given));
    }
    return layers;
}

/// "this setting can only be replaced, by -genvall or -genvlist".
std::string only_replaced(const OptionRow& option) {
    std::string others;
    for (const auto* row : all_options())
        if (row != &option && same_family(*row, option)) append_part(others, " or ", row->name());
    return "this setting can only be replaced, by " + others;
}

/// As a clause; empty: nothing is wrong.
std::string clause_against(const OptionRow& option, const std::string& value) {
    Settings ignored;
    ProgramSettings program;
    if (option.variable_prefix && value.starts_with('=')) return "the name is empty";
    if (option.is_pair() && value.find('=') == std::string::npos) return "not NAME=VALUE";
    if (option.is_flag() && value == "false" && !option.can_be_taken_back())
        return only_replaced(option);
    auto clause = option.value.read(value, {ignored, program});
    return clause.empty() && value.empty() ? "the value is empty" : clause;
}

/// The effective word of all sources for this row; null: no source has one.
const Given* last_word_on(const OptionRow& row, std::span<const Source> sources) {
    for (auto source = sources.rbegin(); source != sources.rend(); ++source) {
        const auto& all = source->given;
        const auto found = std::find_if(all.rbegin(), all.rend(),
                                        [&](const Given& given) { return given.option == &row; });
        if (found != all.rend()) return &*found;
    }
    return nullptr;
}

/// The sources, and before each that sets an option such as --independent one more, which says what
/// that option implies (OptionRow::implies), as if its user had written it there. A source's own
/// words on the same rows are stronger; those of weaker sources are weaker. An option that is taken
/// back, by the same source or a stronger one, implies nothing.
std::vector<Source> with_what_is_implied(std::span<const Source> sources) {
    std::vector<Source> made;
    for (const auto& source : sources) {
        Source implied;
        for (const auto& given : source.given) {
            const auto& row = *given.option;
            const bool counts = given.value == "true" && last_word_on(row, sources) == &given;
            if (!counts) continue;
            auto origin = given.origin;
            origin.implied = true;
            for (const auto& [key, value] : row.implies)
                implied.given.push_back({find_key(key, Scope::job), std::string(value), origin});
        }
        if (!implied.given.empty()) made.push_back(std::move(implied));
        made.push_back(source);
    }
    return made;
}

}  // namespace

std::optional<Error> objection_to(const Given& given) {
    const auto objection = clause_against(*given.option, given.value);
    if (objection.empty()) return std::nullopt;
    return wrong_value(given, objection);
}

Error wrong_value(const Given& given, const std::string& objection) {
    const auto& origin = given.origin;
    if (origin.line > 0)
        return usage_error(place_of(origin) + ": " + origin.name + " = " + shown(given.value) +
                           ": " + objection);
    // A flag's value is not what its user wrote.
    if (origin.layer == Layer::command_line && given.option->is_flag())
        return usage_error(origin.name + ": " + objection);
    const char* between = origin.layer == Layer::environment ? "=" : " ";
    return usage_error(origin.name + between + shown(given.value) + ": " + objection);
}

Settings resolve(std::span<const Source> given_sources) {
    const auto sources = with_what_is_implied(given_sources);
    Settings settings;
    ProgramSettings none;
    std::vector<LayerOfOne> layers;
    for (const auto& source : sources)
        layers.push_back(of_the_job(source));
    apply(layers, Whose::the_job, {settings, none}, settings.origins);

    const auto strongest = std::find_if(sources.rbegin(), sources.rend(), [](const Source& source) {
        return !source.programs.empty();
    });
    if (strongest == sources.rend()) return settings;
    const auto& given = strongest->programs;
    for (const auto& program : given) {
        const auto hosts = common_hosts_of(program, given);
        auto& made = settings.programs.emplace_back();
        made.argv = program.argv;
        apply(layers_of(sources, *strongest, program, hosts), Whose::programs, {settings, made},
              made.origins);
        made.last_option = program.last_option;
    }
    return settings;
}

}  // namespace launch
