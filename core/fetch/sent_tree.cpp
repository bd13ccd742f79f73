// SPDX-License-Identifier: MIT
#include "core/fetch/sent_tree.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "core/base/error.hpp"
#include "core/fetch/folder_stream.hpp"
#include "core/fetch/records.hpp"
#include "core/stage/checksum.hpp"

namespace launch {
namespace {

constexpr int read_flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

uint32_t mode_of(const struct stat& info) {
    return static_cast<uint32_t>(info.st_mode) & fetch::permissions;
}

/// The last name of a path; of `/` and the like, one that says as much.
std::string top_name_of(std::string_view path) {
    auto name = last_name(path);
    return is_single_name(name) ? name : "root";
}

class Walk {
  public:
    explicit Walk(const WriteBytes& write) : write_(write) {}

    bool run(const std::string& path) {
        struct stat info {};
        if (stat(path.c_str(), &info) != 0) return fault(path, errno_text(errno));
        // To open a device or a pipe may do something.
        if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
            return fault(path, "neither a file nor a folder");
        UniqueFd fd(open(path.c_str(), read_flags));
        if (!fd || fstat(fd.get(), &info) != 0) return fault(path, errno_text(errno));
        const auto name = top_name_of(path);
        const bool is_sent = S_ISDIR(info.st_mode) ? send_folder(std::move(fd), name, path, info, 1)
                                                   : send_file(fd.get(), name, path, info);
        return is_sent && send(FetchedAll{});
    }

  private:
    bool send(const FetchRecord& record) { return write_(encode_fetch(record)); }

    bool fault(const std::string& path, std::string cause) {
        send(FetchedFault{path.substr(0, fetch::most_text), std::move(cause)});
        return false;
    }
    bool unread(const std::string& path, std::string cause) {
        return send(FetchedUnread{path.substr(0, fetch::most_text), std::move(cause)});
    }
    /// Somebody may remove files meanwhile: a missing one is no fault.
    bool unread(const std::string& path, int errno_value) {
        return errno_value == ENOENT || unread(path, errno_text(errno_value));
    }

    /// Sends what the file had when it was opened, as somebody may write to it without end. Files
    /// of /proc say that they are empty.
    bool send_file(int fd, const std::string& name, const std::string& path,
                   const struct stat& info) {
        if (!send(FetchedFile{name, mode_of(info)})) return false;
        Checksum checksum;
        const auto size = static_cast<uint64_t>(info.st_size);
        uint64_t left = size == 0 ? UINT64_MAX : size;
        while (left > 0) {
            const auto most = std::min<uint64_t>(left, buffer_.size());
            const ssize_t n = read(fd, buffer_.data(), most);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) return unread(path, errno_text(errno));
            if (n == 0) break;
            const std::string_view bytes(buffer_.data(), static_cast<size_t>(n));
            checksum.add(bytes);
            left -= bytes.size();
            if (!send(FetchedPiece{bytes})) return false;
        }
        return send(FetchedFileEnd{checksum.value()});
    }

    bool send_folder(UniqueFd fd, const std::string& name, const std::string& path,
                     const struct stat& info, size_t depth) {
        if (depth > fetch::most_depth)
            return unread(path, "folders are nested more than " +
                                    std::to_string(fetch::most_depth) +
                                    " deep; fetch an archive of them");
        if (!send(FetchedFolder{name, mode_of(info)})) return false;
        const int folder = fd.get();
        const auto dir = folder_stream(fd);
        if (!dir) return unread(path, errno_text(errno)) && send(FetchedFolderEnd{});
        for (;;) {
            errno = 0;
            const auto* entry = readdir(dir.get());
            if (entry == nullptr) break;
            const std::string each = entry->d_name;
            if (is_wanted(each) && !send_child(folder, each, path + "/" + each, depth))
                return false;
        }
        return (errno == 0 || unread(path, errno_text(errno))) && send(FetchedFolderEnd{});
    }

    /// Leaves out unfinished copies: DIR may be a folder that is fetched itself.
    static bool is_wanted(const std::string& name) {
        return is_single_name(name) && !name.starts_with(fetch::unfinished);
    }

    bool send_child(int folder, const std::string& name, const std::string& path, size_t depth) {
        struct stat info {};
        if (fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
            return unread(path, errno);
        if (S_ISLNK(info.st_mode)) return send_link(folder, name, path);
        // To open a device or a pipe may do something.
        if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) return send(FetchedOther{name});
        UniqueFd fd(openat(folder, name.c_str(), read_flags | O_NOFOLLOW));
        if (!fd || fstat(fd.get(), &info) != 0) return unread(path, errno);
        if (S_ISREG(info.st_mode)) return send_file(fd.get(), name, path, info);
        if (!S_ISDIR(info.st_mode)) return send(FetchedOther{name});  // another thing by now
        return send_folder(std::move(fd), name, path, info, depth + 1);
    }

    bool send_link(int folder, const std::string& name, const std::string& path) {
        char target[PATH_MAX];
        const ssize_t n = readlinkat(folder, name.c_str(), target, sizeof target);
        if (n < 0) return unread(path, errno);
        return send(FetchedLink{name, std::string(target, static_cast<size_t>(n))});
    }

    const WriteBytes& write_;
    std::vector<char> buffer_ = std::vector<char>(fetch::piece_size);
};

}  // namespace

bool send_tree(const std::string& path, const WriteBytes& write) {
    return Walk(write).run(path);
}

}  // namespace launch
