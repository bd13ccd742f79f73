// SPDX-License-Identifier: MIT
#include "modex/pmix/server/spawn_service.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/wire/variable_key.hpp"
#include "modex/pmix/server/info_list.hpp"
#include "modex/pmix/server/words_of.hpp"

namespace launch {
namespace {

/// PMIx's attributes and MPI's info keys of the same meaning.
constexpr auto known_keys = std::to_array<std::pair<std::string_view, std::string_view>>({
    {PMIX_HOST, "host"},
    {PMIX_HOSTFILE, "hostfile"},
    {PMIX_ADD_HOST, "add-host"},
    {PMIX_ADD_HOSTFILE, "add-hostfile"},
    {PMIX_WDIR, "wdir"},
    {PMIX_MAPBY, "map_by"},
    {PMIX_PPR, "ppr"},
});

/// PMIx's attributes about single variables; each may occur several times.
constexpr auto variable_keys = std::to_array<std::pair<std::string_view, std::string_view>>({
    {PMIX_SET_ENVAR, variable_key::set},
    {PMIX_ADD_ENVAR, variable_key::add},
    {PMIX_UNSET_ENVAR, variable_key::unset},
    {PMIX_PREPEND_ENVAR, variable_key::prepend},
    {PMIX_FIRST_ENVAR, variable_key::prepend},
    {PMIX_APPEND_ENVAR, variable_key::append},
});

/// As variable_key wants it; nothing: it is no such value.
std::optional<std::string> variable_text(std::string_view key, const pmix_value_t& value) {
    if (key == variable_key::unset) {
        const char* const text = text_in(value);
        return text == nullptr ? std::nullopt : std::optional<std::string>(text);
    }
    const pmix_envar_t& variable = value.data.envar;
    if (value.type != PMIX_ENVAR || variable.envar == nullptr || variable.value == nullptr)
        return std::nullopt;
    std::string text;
    if (key == variable_key::prepend || key == variable_key::append)
        text += variable.separator != 0 ? variable.separator : ':';
    return text + variable.envar + '=' + variable.value;
}

void add_variable(SpawnOrder::Program& program, const pmix_info_t& info) {
    for (const auto& [key, name] : variable_keys) {
        if (key != info.key) continue;
        if (auto text = variable_text(name, info.value))
            program.info.emplace_back(name, *std::move(text));
    }
}

/// The last value counts: it is an attribute of the program's own.
void set_info(SpawnOrder::Program& program, std::string_view name, std::string_view value) {
    std::erase_if(program.info, [name](const auto& each) { return each.first == name; });
    program.info.emplace_back(name, value);
}

void add_info(SpawnOrder::Program& program, const pmix_info_t* infos, size_t count) {
    if (has_flag(infos, count, PMIX_DEBUG_STOP_ON_EXEC))
        set_info(program, hold_key::name, hold_key::at_exec);
    if (has_flag(infos, count, PMIX_DEBUG_STOP_IN_INIT))
        set_info(program, hold_key::name, hold_key::in_init);
    for (size_t i = 0; i < count; ++i) {
        add_variable(program, infos[i]);
        const char* const text = text_in(infos[i].value);
        if (text == nullptr) continue;
        for (const auto& [key, name] : known_keys)
            if (key == infos[i].key) set_info(program, name, text);
    }
}

SpawnOrder::Program program_of(const pmix_app_t& app) {
    SpawnOrder::Program program;
    program.argv = words_of(app.argv);
    if (program.argv.empty()) program.argv.emplace_back();
    if (app.cmd != nullptr) program.argv.front() = app.cmd;
    program.ranks = app.maxprocs > 0 ? static_cast<uint32_t>(app.maxprocs) : 0;
    program.env = words_of(app.env);
    return program;
}

}  // namespace

pmix_status_t spawn_processes(Inbox& inbox, uint32_t rank, const pmix_info_t* infos, size_t count,
                              const pmix_app_t* apps, size_t app_count, pmix_spawn_cbfunc_t answer,
                              void* cookie) {
    SpawnOrder order;
    for (size_t i = 0; i < app_count; ++i) {
        SpawnOrder::Program program = program_of(apps[i]);
        if (program.argv.front().empty() || program.ranks == 0) return PMIX_ERR_BAD_PARAM;
        add_info(program, infos, count);
        if (apps[i].cwd != nullptr) set_info(program, "wdir", apps[i].cwd);
        add_info(program, apps[i].info, apps[i].ninfo);
        order.programs.push_back(std::move(program));
    }
    if (order.programs.empty()) return PMIX_ERR_BAD_PARAM;
    auto done = [answer, cookie](const Result<std::string>& nspace) {
        pmix_nspace_t name{};
        if (nspace) nspace->copy(name, sizeof name - 1);
        answer(nspace ? PMIX_SUCCESS : PMIX_ERR_JOB_FAILED_TO_LAUNCH, nspace ? name : nullptr,
               cookie);
    };
    // A tool may ask in the name of this job, and outlive it.
    inbox.post([self = inbox.shared_from_this(), rank, order = std::move(order),
                done](PmixEvents& events) mutable {
        const uint64_t owed = self->owe([done] { done(Error{}); });
        events.pmix_spawn(rank, std::move(order), [self, owed, done](const auto& nspace) {
            if (self->pay(owed)) done(nspace);
        });
    });
    return PMIX_SUCCESS;
}

}  // namespace launch
