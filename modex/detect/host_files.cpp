// SPDX-License-Identifier: MIT
#include "modex/detect/host_files.hpp"

#include <cstdlib>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/fd.hpp"

namespace launch {
namespace {

constexpr std::size_t most_listed = 4096;

struct FreeText {
    void operator()(char* text) const { std::free(text); }
};

struct CloseFolder {
    void operator()(DIR* folder) const { closedir(folder); }
};

class HostFile : public OpenFile {
  public:
    HostFile(UniqueFd fd, uint64_t size) : fd_(std::move(fd)), size_(size) {}

    uint64_t size() override { return size_; }

    std::string read(uint64_t offset, std::size_t size) override {
        std::string bytes(size, '\0');
        const auto got = pread(fd_.get(), bytes.data(), size, static_cast<off_t>(offset));
        bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return bytes;
    }

  private:
    UniqueFd fd_;
    uint64_t size_;
};

bool is_regular(const std::string& path, struct stat& status) {
    return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

}  // namespace

std::unique_ptr<OpenFile> HostFiles::open(const std::string& path) {
    // Asked first: to open a device may already do something.
    struct stat status {};
    if (!is_regular(path, status)) return nullptr;
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd) return nullptr;
    return std::make_unique<HostFile>(std::move(fd), static_cast<uint64_t>(status.st_size));
}

bool HostFiles::is_executable(const std::string& path) {
    struct stat status {};
    return is_regular(path, status) && (status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH)) != 0;
}

std::vector<std::string> HostFiles::list(const std::string& folder) {
    std::vector<std::string> names;
    const std::unique_ptr<DIR, CloseFolder> opened(opendir(folder.c_str()));
    while (opened && names.size() < most_listed) {
        const dirent* entry = readdir(opened.get());
        if (entry == nullptr) break;
        names.emplace_back(entry->d_name);
    }
    return names;
}

std::string HostFiles::real_path(const std::string& path) {
    const std::unique_ptr<char, FreeText> real(realpath(path.c_str(), nullptr));
    return real ? std::string(real.get()) : std::string();
}

}  // namespace launch
