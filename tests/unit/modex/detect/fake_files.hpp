// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "modex/detect/file_access.hpp"

namespace launch {

/// Files in memory.
class FakeFiles : public FileAccess {
  public:
    void add(const std::string& path, std::string bytes, bool executable = true) {
        files_[path] = {std::move(bytes), executable};
    }
    void link(const std::string& path, const std::string& target) { links_[path] = target; }

    std::unique_ptr<OpenFile> open(const std::string& path) override {
        opened_.push_back(path);
        const auto found = files_.find(followed(path));
        if (found == files_.end()) return nullptr;
        return std::make_unique<File>(found->second.bytes);
    }
    bool is_executable(const std::string& path) override {
        const auto found = files_.find(followed(path));
        return found != files_.end() && found->second.executable;
    }
    std::vector<std::string> list(const std::string& folder) override {
        std::set<std::string> names;
        for (const auto& [path, file] : files_) {
            if (!path.starts_with(folder + "/")) continue;
            const std::string rest = path.substr(folder.size() + 1);
            names.insert(rest.substr(0, rest.find('/')));
        }
        return {names.begin(), names.end()};
    }
    std::string real_path(const std::string& path) override {
        return files_.count(followed(path)) > 0 ? followed(path) : std::string();
    }

    const std::vector<std::string>& opened() const { return opened_; }

  private:
    struct Entry {
        std::string bytes;
        bool executable = false;
    };

    class File : public OpenFile {
      public:
        explicit File(const std::string& bytes) : bytes_(bytes) {}
        uint64_t size() override { return bytes_.size(); }
        std::string read(uint64_t offset, std::size_t size) override {
            return offset > bytes_.size() ? std::string() : bytes_.substr(offset, size);
        }

      private:
        const std::string& bytes_;
    };

    std::string followed(const std::string& path) const {
        const auto plain = std::filesystem::path(path).lexically_normal().string();
        const auto link = links_.find(plain);
        return link == links_.end() ? plain : link->second;
    }

    std::map<std::string, Entry> files_;
    std::map<std::string, std::string> links_;
    std::vector<std::string> opened_;
};

/// The smallest shared library that names these.
struct ElfImage {
    std::vector<std::string> needed;
    std::vector<std::string> symbols = {};
    std::string rpath;
    std::string runpath;
    bool is_64 = true;
    uint16_t machine = 62;

    std::string bytes() const;
};

/// An /etc/ld.so.cache: pairs of name and file.
std::string ld_cache_image(const std::vector<std::pair<std::string, std::string>>& entries);

}  // namespace launch
