// SPDX-License-Identifier: MIT
#include "core/process/host_cpus.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace launch {
namespace {

/// Behind the bytes of all CPUs: who uses the file holds a shared lock on it, and who removes the
/// file has it alone. A lock on the bytes of CPUs would make those look taken meanwhile.
constexpr off_t use_byte = CpuSet::most;

constexpr mode_t for_this_user = S_IRUSR | S_IWUSR;

std::string path_in(const std::string& folder) {
    return folder + "/launch-cpus-" + std::to_string(geteuid());
}

/// In a folder where others may write, a name alone proves nothing.
bool is_ours(const struct stat& info) {
    return S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
           (info.st_mode & 07777) == for_this_user;
}

UniqueFd open_own(const std::string& path, int how) {
    const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | how;
    UniqueFd file(open(path.c_str(), flags, for_this_user));
    struct stat info {};
    if (file && (fstat(file.get(), &info) != 0 || !is_ours(info))) file.reset();
    return file;
}

/// A claim on a file without a name would be seen by nobody who comes later.
bool is_named(const UniqueFd& file, const std::string& path) {
    struct stat here {};
    struct stat there {};
    return fstat(file.get(), &here) == 0 && lstat(path.c_str(), &there) == 0 &&
           here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

/// Another open file of the same: locks are of an open file.
UniqueFd reopened(const UniqueFd& file) {
    const std::string path = "/proc/self/fd/" + std::to_string(file.get());
    return UniqueFd(open(path.c_str(), O_RDWR | O_CLOEXEC));
}

/// `size` 0: to the end of all files.
struct flock lock_of(short kind, off_t first, off_t size) {
    struct flock lock {};
    lock.l_type = kind;
    lock.l_whence = SEEK_SET;
    lock.l_start = first;
    lock.l_len = size;
    return lock;
}

bool set_lock(const UniqueFd& file, short kind, off_t first, off_t size) {
    struct flock lock = lock_of(kind, first, size);
    return fcntl(file.get(), F_OFD_SETLK, &lock) == 0;
}

/// False: somebody else has it. Not that locks cannot be had at all.
bool may_lock(const UniqueFd& file, short kind, off_t at) {
    return set_lock(file, kind, at, 1) || (errno != EAGAIN && errno != EACCES);
}

/// The kernel tells of one lock at a time, and not of the first.
void add_locked(const UniqueFd& file, off_t first, off_t end, CpuSet& cpus) {
    if (first >= end) return;
    struct flock lock = lock_of(F_WRLCK, first, end - first);
    if (fcntl(file.get(), F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return;
    const off_t from = std::max(lock.l_start, first);
    const off_t to = lock.l_len == 0 ? end : std::min(lock.l_start + lock.l_len, end);
    for (off_t cpu = from; cpu < to; ++cpu)
        cpus.add(static_cast<uint32_t>(cpu));
    add_locked(file, first, from, cpus);
    add_locked(file, to, end, cpus);
}

CpuSet locked_in(const UniqueFd& file) {
    CpuSet cpus;
    if (file) add_locked(file, 0, CpuSet::most, cpus);
    return cpus;
}

/// Removes an unused file. A process that claims CPUs checks afterwards that the file still has its
/// name.
void remove_if_unused(const UniqueFd& file, const std::string& path) {
    if (set_lock(file, F_WRLCK, use_byte, 1) && is_named(file, path)) unlink(path.c_str());
}

}  // namespace

HostCpus::HostCpus(std::string folder) : path_(path_in(folder)) {}

HostCpus::Claim& HostCpus::Claim::operator=(Claim&& other) noexcept {
    if (this == &other) return *this;
    end();
    file_ = std::move(other.file_);
    path_ = std::move(other.path_);
    return *this;
}

HostCpus::Claim::~Claim() {
    end();
}

/// Not by closing alone: a child that is just being started may have the open file, too.
void HostCpus::Claim::end() {
    if (!file_) return;
    if (!path_.empty()) remove_if_unused(file_, path_);
    set_lock(file_, F_UNLCK, 0, 0);
    file_.reset();
}

CpuSet HostCpus::taken() const {
    CpuSet cpus = locked_in(open_own(path_, 0));
    // One that was opened for a claim would not tell of this claim.
    if (unnamed_) cpus |= locked_in(reopened(unnamed_));
    return cpus;
}

HostCpus::Claim HostCpus::open_for_claim() {
    if (UniqueFd file = open_own(path_, O_CREAT)) return {std::move(file), path_};
    if (!unnamed_) unnamed_ = UniqueFd(memfd_create("launch-cpus", MFD_CLOEXEC));
    return {unnamed_ ? reopened(unnamed_) : UniqueFd(), {}};
}

std::optional<HostCpus::Claim> HostCpus::claim(const CpuSet& cpus, const CpuSet& taken) {
    if (cpus.empty()) return Claim(UniqueFd(), {});
    Claim claim = open_for_claim();
    if (!claim.file_) return claim;
    if (!may_lock(claim.file_, F_RDLCK, use_byte)) return std::nullopt;
    for (const uint32_t cpu : cpus.list()) {
        const short kind = taken.has(cpu) ? F_RDLCK : F_WRLCK;
        if (!may_lock(claim.file_, kind, cpu)) return std::nullopt;
    }
    if (!claim.path_.empty() && !is_named(claim.file_, claim.path_)) return std::nullopt;
    // From now on other jobs may share these CPUs if they have to.
    for (const uint32_t cpu : cpus.list())
        set_lock(claim.file_, F_RDLCK, cpu, 1);
    return claim;
}

void HostCpus::remove_unused(const std::string& folder) {
    const std::string path = path_in(folder);
    if (const UniqueFd file = open_own(path, 0)) remove_if_unused(file, path);
}

}  // namespace launch
