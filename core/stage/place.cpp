// SPDX-License-Identifier: MIT
#include "core/stage/place.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sys/stat.h>

#include "core/process/others_may_change.hpp"
#include "core/stage/disk_error.hpp"
#include "core/transport.hpp"

namespace launch {
namespace {

/// As this host's login sets it, not the head's: that folder need not be here.
std::string folder_for_temporary_files() {
    const char* given = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
    std::string base = given != nullptr && *given == '/' ? given : "/tmp";
    while (base.size() > 1 && base.back() == '/')
        base.pop_back();
    return base;
}

/// A name that no other node has that stages files for this job on a disk that this relay sees.
std::string name_of(const StagePlace::Node& node) {
    const std::string name = std::to_string(node.self);
    return node.generation == 0 ? name : name + "." + std::to_string(node.generation);
}

}  // namespace

StagePlace::StagePlace(const StageSpec& stage, Node node, RemovalList* to_remove)
    : stage_(stage),
      own_token_(stage.token + "-" + name_of(node)),
      unguarded_(to_remove == nullptr ? std::make_unique<RemovalList>() : nullptr),
      to_remove_(to_remove == nullptr ? *unguarded_ : *to_remove) {
    const auto in_folder = [](const StagedFile& file) { return file.in_folder(); };
    if (std::none_of(stage_.files.begin(), stage_.files.end(), in_folder)) return;
    parent_ = folder_for_temporary_files();
    const std::string base = parent_ + "/launch-" + stage_.token;
    const char* between = node.one_machine ? "/" : "-";
    if (node.one_machine) shared_folder_ = base;
    folder_ = base + between + name_of(node);
    shown_folder_ = base + between + "*";
}

std::string StagePlace::path_of(size_t file) const {
    const StagedFile& staged = stage_.files[file];
    return staged.in_folder() ? folder_ + "/" + staged.dest : staged.dest;
}

Status StagePlace::failed(int errno_value) const {
    return stage_os_error(stage_.files.front().source, shown_folder_, errno_value);
}

/// Any of the nodes may be the first.
Status StagePlace::make_shared_folder() {
    if (shared_folder_.empty() || mkdir(shared_folder_.c_str(), S_IRWXU) == 0 || errno == EEXIST)
        return Ok{};
    return failed(errno);
}

Status StagePlace::prepare_shared() {
    if (shared_folder_.empty()) return Ok{};
    if (!stage_.keep && !to_remove_.add_folder(shared_folder_)) return failed(ENOMEM);
    return make_shared_folder();
}

Status StagePlace::make_folder() {
    if (folder_.empty()) return Ok{};
    // Ranks run what is in it.
    if (others_may_change(parent_))
        return stage_error(stage_.files.front().source, shown_folder_,
                           parent_ + ": " + std::string(others_may_write),
                           "set TMPDIR there to another folder");
    auto shared = make_shared_folder();
    if (!shared) return shared;
    if (!stage_.keep && !to_remove_.add_folder(folder_)) return failed(ENOMEM);
    if (mkdir(folder_.c_str(), S_IRWXU) != 0) return failed(errno);
    return Ok{};
}

/// Inside the job's own folder there is nobody else.
Status StagePlace::make_parents(const StagedFile& file) {
    size_t slash = 0;
    while ((slash = file.dest.find('/', slash + 1)) != std::string::npos) {
        const std::string parent = folder_ + "/" + file.dest.substr(0, slash);
        if (mkdir(parent.c_str(), S_IRWXU) != 0 && errno != EEXIST)
            return stage_os_error(file.source, shown_folder_ + "/" + file.dest, errno);
    }
    return Ok{};
}

Status StagePlace::prepare() {
    auto made = make_folder();
    for (size_t i = 0; made && i < stage_.files.size(); ++i) {
        const StagedFile& file = stage_.files[i];
        if (file.in_folder()) made = make_parents(file);
        const std::string shown = file.in_folder() ? shown_folder_ + "/" + file.dest : file.dest;
        targets_.emplace_back(
            StageTarget::Settings{file, path_of(i), shown, own_token_ + "-" + std::to_string(i),
                                  stage_.keep},
            to_remove_);
        if (made) made = targets_.back().prepare();
    }
    return made;
}

}  // namespace launch
