#include "cmd/options/source.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"

namespace launch {
namespace {

/// What one layer gives for one thing, the job or a program.
using LayerOfOne = std::vector<const Given*>;

/// Two rows say the same thing.
bool same_family(const OptionRow& one, const OptionRow& other) {
    return &one == &other || (!one.family.empty() && one.family == other.family);
}

/// Whether a stronger layer has a word on what this row says.
bool replaced(const OptionRow& row, std::span<const LayerOfOne> stronger) {
    if (row.is_pair()) return false;  // adds to the others
    return std::any_of(stronger.begin(), stronger.end(), [&](const LayerOfOne& layer) {
        return std::any_of(layer.begin(), layer.end(),
                           [&](const Given* given) { return same_family(*given->option, row); });
    });
}

void apply(std::span<const LayerOfOne> layers, const Target& target, Origins& origins) {
    for (size_t i = 0; i < layers.size(); ++i) {
        for (const auto* given : layers[i]) {
            if (replaced(*given->option, layers.subspan(i + 1))) continue;
            given->option->value.read(given->value, target);
            origins.note(given->option->key, given->origin);
        }
    }
}

enum class Whose : uint8_t { the_job, programs };

LayerOfOne given_for(Whose whose, const std::vector<Given>& all) {
    LayerOfOne chosen;
    for (const auto& given : all)
        if ((given.option->scope == Scope::program) == (whose == Whose::programs))
            chosen.push_back(&given);
    return chosen;
}

constexpr std::string_view hosts_family = "hosts";

bool names_hosts(const GivenProgram& program) {
    return std::any_of(program.given.begin(), program.given.end(),
                       [](const Given& given) { return given.option->family == hosts_family; });
}

/// The layers for one program: what holds for all of them, and its own above what its own source
/// says for all.
std::vector<LayerOfOne> layers_of(std::span<const Source> sources, const Source& its_source,
                                  const GivenProgram& program, bool takes_common_hosts) {
    std::vector<LayerOfOne> layers;
    for (const auto& source : sources) {
        layers.push_back(given_for(Whose::programs, source.given));
        if (!takes_common_hosts)
            std::erase_if(layers.back(),
                          [](const Given* given) { return given->option->family == hosts_family; });
        if (&source == &its_source) layers.push_back(given_for(Whose::programs, program.given));
    }
    return layers;
}

}  // namespace

std::optional<Error> objection_to(const Given& given) {
    Settings ignored;
    ProgramSettings program;
    auto objection = given.option->value.read(given.value, {ignored, program});
    if (given.option->is_pair() && given.value.find('=') == std::string::npos)
        objection = "not NAME=VALUE";
    if (objection.empty()) return std::nullopt;
    const auto& origin = given.origin;
    if (origin.line > 0)
        return usage_error(place_of(origin) + ": " + origin.name + " = " + shown(given.value) +
                           ": " + objection);
    const char* between = origin.layer == Layer::environment ? "=" : " ";
    return usage_error(origin.name + between + shown(given.value) + ": " + objection);
}

Settings resolve(std::span<const Source> sources) {
    Settings settings;
    ProgramSettings none;
    std::vector<LayerOfOne> layers;
    for (const auto& source : sources)
        layers.push_back(given_for(Whose::the_job, source.given));
    apply(layers, {settings, none}, settings.origins);

    const auto strongest = std::find_if(sources.rbegin(), sources.rend(), [](const Source& source) {
        return !source.programs.empty();
    });
    if (strongest == sources.rend()) return settings;
    const auto& given = strongest->programs;
    // Common hosts go to every program if one of them names its own; else the first takes them, as
    // hosts that only one program names are those of all.
    const bool own_hosts = std::any_of(given.begin(), given.end(), names_hosts);
    for (const auto& program : given) {
        const bool takes_hosts = own_hosts || &program == &given.front();
        auto& made = settings.programs.emplace_back();
        made.argv = program.argv;
        apply(layers_of(sources, *strongest, program, takes_hosts), {settings, made}, made.origins);
        made.last_option = program.last_option;
    }
    return settings;
}

}  // namespace launch
