#include "cmd/request/fetched_files.hpp"

#include <algorithm>
#include <string_view>
#include <sys/stat.h>
#include <utility>

#include "cmd/options/absolute.hpp"
#include "cmd/options/suggest.hpp"
#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/mistakes.hpp"
#include "core/fetch/records.hpp"

namespace launch {
namespace {

std::string last_name(std::string_view path) {
    while (path.ends_with('/'))
        path.remove_suffix(1);
    return std::string(path.substr(path.rfind('/') + 1));
}

Result<FetchSpec> fetch_spec(const std::string& option, const std::string& text,
                             const std::string& wdir) {
    const auto colon = text.rfind(':');
    const bool whole = colon != text.npos && colon > 0 && colon + 1 < text.size();
    if (!whole)
        return usage_error(option + " " + shown(text) +
                           ": expected REMOTE:DIR, a place on hosts and a folder here");
    FetchSpec spec{text.substr(0, colon), absolute(text.substr(colon + 1), wdir), {}};
    spec.name = last_name(spec.remote);
    if (is_single_name(spec.name)) return spec;
    return usage_error(option + " " + shown(text) + ": " + shown(spec.remote) +
                       " has no name of its own; name the folder itself");
}

std::string path_of(const FetchSpec& spec, const std::string& host) {
    return spec.dir + "/" + host + "/" + spec.name;
}

}  // namespace

Result<std::vector<FetchSpec>> fetch_specs(const Settings& line, const std::string& wdir) {
    const std::string option = spelled(line, "fetch");
    std::vector<FetchSpec> specs;
    Mistakes mistakes;
    for (const auto& text : line.fetched) {
        auto spec = fetch_spec(option, text, wdir);
        if (!spec) {
            mistakes.add(std::move(spec.error()));
            continue;
        }
        const bool is_taken = std::any_of(specs.begin(), specs.end(), [&](const auto& other) {
            return other.dir == spec->dir && other.name == spec->name;
        });
        if (is_taken)
            mistakes.add(usage_error(option + " " + shown(text) + ": another one is to be " +
                                     shown(spec->name) + " in that folder"));
        specs.push_back(*std::move(spec));
    }
    if (!mistakes.empty()) return mistakes.take();
    return specs;
}

Status check_fetched_paths(const std::vector<FetchSpec>& specs, const Plan& plan) {
    for (const auto& spec : specs)
        for (const uint32_t host : plan.placement.used()) {
            const auto path = path_of(spec, plan.hosts[host].name);
            struct stat info {};
            if (lstat(path.c_str(), &info) != 0) continue;
            auto error = usage_error(shown_path(path) + " is there already");
            error.hint = "--fetch replaces nothing: name another folder";
            return error;
        }
    return Ok{};
}

}  // namespace launch
