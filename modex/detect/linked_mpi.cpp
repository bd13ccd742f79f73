// SPDX-License-Identifier: MIT
#include "modex/detect/linked_mpi.hpp"

#include <algorithm>
#include <utility>

#include "core/base/base_name.hpp"
#include "modex/detect/mpi_library.hpp"

namespace launch {
namespace {

/// A program of many libraries has its MPI in one of them, or one further.
constexpr int deepest_link = 2;

class Walk {
  public:
    Walk(const FoundElf& program, const LoaderEnv& env, LibrarySearch& search, PmiNeeds& needs)
        : program_(program), env_(env), search_(search), needs_(needs) {}

    bool run() {
        std::vector<FoundElf> level{program_};
        add_preloaded(level.front().elf.needed);
        for (int depth = 0; !level.empty() && !found_; ++depth) {
            std::vector<FoundElf> next;
            for (const auto& file : level)
                judge_names(file);
            for (const auto& file : level)
                if (depth < deepest_link && !found_) find_others(file, next);
            level = std::move(next);
        }
        return found_;
    }

  private:
    void add_preloaded(std::vector<std::string>& needed) const {
        std::string_view rest = env_.preload;
        while (!rest.empty()) {
            const auto end = std::min(rest.find_first_of(" :"), rest.size());
            if (end > 0) needed.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }

    void judge_names(const FoundElf& file) {
        for (const auto& name : file.elf.needed) {
            auto role = role_of_library(name);
            if (role == LibraryRole::other || role == LibraryRole::plain) continue;
            const auto library = search_.find(name, file, env_.library_path);
            if (role != LibraryRole::pmix) role = role_of(role, name, library);
            if (role != LibraryRole::pmix) note(name, needs_.pmi);
            if (role == LibraryRole::pmi) continue;
            note(name, needs_.pmix);
            note_libpmix(library && name != "libpmix.so.2" ? *library : file);
        }
    }

    /// Open MPI may have its own beside it, where only its run path leads.
    void note_libpmix(const FoundElf& by) {
        if (!needs_.libpmix.empty()) return;
        if (const auto found = search_.find("libpmix.so.2", by, env_.library_path))
            needs_.libpmix = found->path;
    }

    /// pmi or pmix, or other where nothing tells. MPICH can be built upon PMIx, and there is a
    /// libpmi that is a shell around it.
    LibraryRole role_of(LibraryRole role, const std::string& name,
                        const std::optional<FoundElf>& library) {
        if (role == LibraryRole::mpi && library)
            role = role_of_symbols(search_.symbols_of(*library));
        if (role == LibraryRole::mpi || role == LibraryRole::other) role = role_of_version(name);
        return role == LibraryRole::pmi && library && needs_pmix(*library) ? LibraryRole::pmix
                                                                           : role;
    }

    /// The libraries of a file whose names do not tell.
    void find_others(const FoundElf& file, std::vector<FoundElf>& found) {
        for (const auto& name : file.elf.needed) {
            if (role_of_library(name) != LibraryRole::other) continue;
            if (std::find(seen_.begin(), seen_.end(), name) != seen_.end()) continue;
            seen_.push_back(name);
            auto library = search_.find(name, file, env_.library_path);
            if (library) found.push_back(std::move(*library));
        }
    }

    static bool needs_pmix(const FoundElf& library) {
        const auto& needed = library.elf.needed;
        return std::any_of(needed.begin(), needed.end(), [](const auto& each) {
            return role_of_library(each) == LibraryRole::pmix;
        });
    }

    void note(const std::string& library, bool& spoken) {
        found_ = spoken = true;
        if (!needs_.library.empty()) return;
        needs_.library = base_name(library);
        needs_.program = program_.path;
    }

    const FoundElf& program_;
    const LoaderEnv& env_;
    LibrarySearch& search_;
    PmiNeeds& needs_;
    std::vector<std::string> seen_;
    bool found_ = false;
};

}  // namespace

bool add_linked_mpi(const FoundElf& program, const LoaderEnv& env, LibrarySearch& search,
                    PmiNeeds& needs) {
    return Walk(program, env, search, needs).run();
}

}  // namespace launch
