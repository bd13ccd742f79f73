// SPDX-License-Identifier: MIT
#include "modex/pmix/usable_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/base/fd.hpp"
#include "core/process/others_may_change.hpp"

namespace launch {
namespace {

/// A server's own files take less; those that ranks share may take any amount.
constexpr off_t probe_bytes = 64 << 10;

/// A file without a name, which is gone with its descriptor, or what comes nearest to it.
UniqueFd make_unnamed(const std::string& folder) {
    UniqueFd file(open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
    std::string path = folder + "/launch-probe-XXXXXX";
    file = UniqueFd(mkostemp(path.data(), O_CLOEXEC));
    if (file) unlink(path.c_str());
    return file;
}

/// errno; 0: it can.
int why_not(const std::string& folder) {
    const UniqueFd file = make_unnamed(folder);
    return file ? posix_fallocate(file.get(), 0, probe_bytes) : errno;
}

}  // namespace

Result<std::string> usable_folder(const std::vector<std::string>& folders) {
    std::string reasons;
    for (const std::string& folder : folders) {
        const int error = why_not(folder);
        if (error == 0) return folder;
        reasons.append(reasons.empty() ? "" : ", ").append(folder).append(": ");
        reasons.append(std::generic_category().message(error));
    }
    return Error{.kind = ErrorKind::internal,
                 .operation = "offer PMIx",
                 .cause = "no folder can hold the files of the PMIx server: " + reasons,
                 .hint = "free space in one of them, set TMPDIR, or use another --pmi"};
}

std::vector<std::string> pmix_parent_folders() {
    std::vector<std::string> folders{"/dev/shm"};
    const char* const given = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
    if (given != nullptr && *given == '/' && !others_may_change(given)) folders.emplace_back(given);
    if (std::find(folders.begin(), folders.end(), "/tmp") == folders.end())
        folders.emplace_back("/tmp");
    return folders;
}

}  // namespace launch
