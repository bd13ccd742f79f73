#include "cmd/request/allocation.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>

#include "cmd/request/own_names.hpp"
#include "core/base/environment.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

/// What the value of a manager's variable is.
enum class Holds : uint8_t {
    list,   ///< hosts
    file,   ///< a file with a host at the beginning of each line
    other,  ///< nothing that tells the hosts
};

struct Manager {
    std::string_view name;
    const char* variable;
    Holds holds;
    std::string_view words;  ///< to type for its hosts
};

// What each says about slots is left out where launch would need more than its words for it.
constexpr auto managers = std::to_array<Manager>({
    {"Slurm", "SLURM_JOB_NODELIST", Holds::list, R"(-hosts "$SLURM_JOB_NODELIST")"},
    {"Slurm", "SLURM_NODELIST", Holds::list, R"(-hosts "$SLURM_NODELIST")"},
    {"PBS", "PBS_NODEFILE", Holds::file, R"(-f "$PBS_NODEFILE")"},
    {"LSF", "LSB_DJOB_HOSTFILE", Holds::file, R"(-f "$LSB_DJOB_HOSTFILE")"},
    {"LSF", "LSB_HOSTS", Holds::list, R"(-hosts "$LSB_HOSTS")"},
    {"Grid Engine", "PE_HOSTFILE", Holds::file,
     R"_(-hosts "$(awk '{print $1 ":" $2}' "$PE_HOSTFILE")")_"},
    {"Cobalt", "COBALT_NODEFILE", Holds::file, R"(-f "$COBALT_NODEFILE")"},
    {"OAR", "OAR_NODEFILE", Holds::file, R"(-f "$OAR_NODEFILE")"},
    {"Flux", "FLUX_URI", Holds::other, R"_(-hosts "$(flux getattr hostlist)")_"},
});

std::string first_words(const std::string& path) {
    std::ifstream file(path);
    std::string words;
    for (std::string line; std::getline(file, line);)
        words += line.substr(0, line.find_first_of(" \t")) + "\n";
    return words;
}

/// The names of its hosts; none where they cannot be read.
std::vector<std::string> hosts_of(const Manager& manager, const std::string& value) {
    if (manager.holds == Holds::other) return {};
    const auto hosts = parse_hosts(manager.holds == Holds::file ? first_words(value) : value);
    std::vector<std::string> names;
    if (!hosts) return names;
    for (const auto& host : *hosts)
        names.push_back(host.name);
    return names;
}

}  // namespace

std::string allocation_note(const std::vector<std::string>& env, const std::string& own_host) {
    if (!env_value(env, "LAUNCH_RANK").empty()) return {};
    const auto found = std::find_if(managers.begin(), managers.end(), [&](const Manager& manager) {
        return !env_value(env, manager.variable).empty();
    });
    if (found == managers.end()) return {};
    auto names = hosts_of(*found, env_value(env, found->variable));
    const bool here_only =
        !names.empty() && std::all_of(names.begin(), names.end(), [&](const auto& name) {
            return same_machine(name, own_host);
        });
    if (here_only) return {};
    const auto where = names.empty() ? std::string() : " on " + fold_names(std::move(names));
    return "all ranks run on this machine: no hosts are given, though this is a job of " +
           std::string(found->name) + where + "; for its hosts type " + std::string(found->words);
}

}  // namespace launch
