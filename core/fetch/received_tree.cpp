// SPDX-License-Identifier: MIT
#include "core/fetch/received_tree.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/base/hex.hpp"
#include "core/base/random.hpp"
#include "core/fetch/remove_below.hpp"

namespace launch {
namespace {

constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr int new_file_flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t own_folder = 0700;
constexpr mode_t own_file = 0600;
constexpr mode_t shared_folder = 0777;  // less the umask

/// Removes the permissions that launch needed only to write the file or folder. Permissions that
/// the umask has removed stay removed.
int set_final_mode(int fd, mode_t mode) {
    struct stat info {};
    if (fstat(fd, &info) != 0) return -1;
    return fchmod(fd, info.st_mode & ((mode & fetch::permissions) | S_ISGID));
}

std::string fetch_hint(int errno_value) {
    switch (errno_value) {
        case EEXIST: return "--fetch replaces no files: remove the old one, or name another folder";
        case ENOTDIR:
        case ELOOP: return "the folder of each host must be a folder here, not a file or a link";
        case ENOSPC:
        case EDQUOT: return "free some space, or name another folder";
        case EACCES:
        case EPERM:
        case EROFS: return "name a folder that you can write to";
        default: return {};
    }
}

/// 0, or errno. Replaces nothing.
int give_name(int folder, const char* from, const char* to) {
    if (renameat2(folder, from, folder, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
    struct stat info {};  // a file system without that, such as NFS
    if (fstatat(folder, to, &info, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
    return renameat(folder, from, folder, to) == 0 ? 0 : errno;
}

}  // namespace

ReceivedTree::ReceivedTree(Place place)
    : place_(std::move(place)),
      temporary_(std::string(fetch::unfinished) + hex_bytes(random_bytes(8))) {}

ReceivedTree::~ReceivedTree() {
    file_.reset();
    folders_.clear();
    if (host_ && !complete()) remove_below(host_.get(), temporary_);
}

Status ReceivedTree::refused(std::string cause) const {
    Error error;
    error.kind = ErrorKind::output;
    error.operation = "fetch to " + place_.dir + "/" + place_.host + "/" + place_.name;
    error.cause = std::move(cause);
    return error;
}

Status ReceivedTree::failed(int errno_value) const {
    auto status = refused(errno_text(errno_value));
    status.error().hint = fetch_hint(errno_value);
    return status;
}

Status ReceivedTree::take(const FetchRecord& record) {
    if (state_ >= State::complete) return refused("the host sent records after the end");
    auto done = std::visit([this](const auto& each) { return put(each); }, record);
    if (!done) state_ = State::failed;
    return done;
}

Status ReceivedTree::open_place() {
    if (!is_single_name(place_.host) || !is_single_name(place_.name))
        return refused("the host sent an invalid file name");
    std::error_code fault;
    std::filesystem::create_directories(place_.dir, fault);
    if (fault) return failed(fault.value());
    const UniqueFd dir(open(place_.dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!dir) return failed(errno);
    if (mkdirat(dir.get(), place_.host.c_str(), shared_folder) != 0 && errno != EEXIST)
        return failed(errno);
    host_ = UniqueFd(openat(dir.get(), place_.host.c_str(), folder_flags));
    if (!host_) return failed(errno);
    struct stat info {};
    const bool is_there =
        fstatat(host_.get(), place_.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
    return is_there ? failed(EEXIST) : Status(Ok{});
}

/// Whether something may be made now, and the name that it gets.
Result<std::string> ReceivedTree::begin(const std::string& name) {
    if (file_ || state_ > State::open) return refused("the host sent records out of order").error();
    if (state_ == State::open) return name;
    auto opened = open_place();
    if (!opened) return std::move(opened.error());
    state_ = State::open;
    return temporary_;
}

void ReceivedTree::end_one() {
    if (folders_.empty()) state_ = State::whole;
}

Status ReceivedTree::put(const FetchedFolder& folder) {
    if (folders_.size() >= fetch::most_depth) return refused("the folders are nested too deeply");
    const auto name = begin(folder.name);
    if (!name) return name.error();
    if (mkdirat(parent(), name->c_str(), own_folder | (folder.mode & fetch::permissions)) != 0)
        return failed(errno);
    UniqueFd fd(openat(parent(), name->c_str(), folder_flags));
    if (!fd) return failed(errno);
    folders_.push_back({std::move(fd), folder.mode});
    return Ok{};
}

/// Its mode comes last, as it may forbid to write there.
Status ReceivedTree::put(const FetchedFolderEnd&) {
    if (file_ || folders_.empty()) return refused("the host sent records out of order");
    const Folder folder = std::move(folders_.back());
    folders_.pop_back();
    if (set_final_mode(folder.fd.get(), folder.mode) != 0) return failed(errno);
    end_one();
    return Ok{};
}

Status ReceivedTree::put(const FetchedFile& file) {
    const auto name = begin(file.name);
    if (!name) return name.error();
    UniqueFd fd(openat(parent(), name->c_str(), new_file_flags,
                       own_file | (file.mode & fetch::permissions)));
    if (!fd) return failed(errno);
    file_.emplace(File{std::move(fd), *name, file.mode, Checksum()});
    return Ok{};
}

Status ReceivedTree::put(const FetchedPiece& piece) {
    if (!file_) return refused("the host sent records out of order");
    file_->checksum.add(piece.bytes);
    auto bytes = piece.bytes;
    while (!bytes.empty()) {
        const ssize_t n = write(file_->fd.get(), bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return failed(n < 0 ? errno : EIO);
        bytes.remove_prefix(static_cast<size_t>(n));
    }
    return Ok{};
}

Status ReceivedTree::put(const FetchedFileEnd& end) {
    if (!file_) return refused("the host sent records out of order");
    File file = *std::exchange(file_, std::nullopt);
    if (file.checksum.value() != end.checksum)
        return refused("the checksum differs: the file was damaged in transit");
    if (set_final_mode(file.fd.get(), file.mode) != 0) return failed(errno);
    // A file server may tell only now that its disk is full.
    if (close(file.fd.release()) != 0 && errno != EINTR) return failed(errno);
    end_one();
    return Ok{};
}

Status ReceivedTree::put(const FetchedLink& link) {
    const auto name = begin(link.name);
    if (!name) return name.error();
    if (symlinkat(link.target.c_str(), parent(), name->c_str()) != 0) return failed(errno);
    end_one();
    return Ok{};
}

Status ReceivedTree::put(const FetchedOther&) {
    if (file_ || state_ != State::open) return refused("the host sent records out of order");
    ++left_out_;
    return Ok{};
}

Status ReceivedTree::put(const FetchedFault& fault) {
    fault_ = fault;
    state_ = State::failed;
    return Ok{};
}

Status ReceivedTree::put(const FetchedUnread& unread) {
    if (state_ != State::open) return refused("the host sent records out of order");
    if (file_) unlinkat(parent(), file_->name.c_str(), 0);
    file_.reset();
    if (folders_.empty()) return put(FetchedFault{unread.path, unread.cause});
    if (unread_++ == 0) first_unread_ = unread;
    return Ok{};
}

Status ReceivedTree::put(const FetchedAll&) {
    if (state_ != State::whole) return refused("the host sent records out of order");
    const int error = give_name(host_.get(), temporary_.c_str(), place_.name.c_str());
    if (error != 0) return failed(error);
    state_ = State::complete;
    return Ok{};
}

}  // namespace launch
