// SPDX-License-Identifier: MIT
#pragma once

#include <dirent.h>
#include <memory>

#include "core/base/fd.hpp"

namespace launch {

struct FolderCloser {
    void operator()(DIR* dir) const { closedir(dir); }
};
/// The names in a folder, one after the other (readdir).
using FolderStream = std::unique_ptr<DIR, FolderCloser>;

/// Takes the descriptor over, which is closed with the stream. Null: failed, see errno.
inline FolderStream folder_stream(UniqueFd& folder) {
    FolderStream stream(fdopendir(folder.get()));
    if (stream) folder.release();
    return stream;
}

}  // namespace launch
