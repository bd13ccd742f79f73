// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "core/job/stage_spec.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace launch {

/// A real file that a simulated job stages. All simulated hosts have the disk of this machine:
/// their copies lie in folders of their own, in one that this value makes and removes.
class PlayedFile {
  public:
    explicit PlayedFile(size_t size);
    ~PlayedFile();
    PlayedFile(const PlayedFile&) = delete;
    PlayedFile& operator=(const PlayedFile&) = delete;

    /// It is called "data" on hosts.
    StageSpec spec() const;
    const std::string& content() const { return content_; }
    std::string path() const { return folder_ + "/source"; }
    /// The head finds it no more.
    void remove() const;
    /// How many there are on hosts.
    size_t copies() const;

  private:
    const std::string content_;
    const std::string folder_;
    const TemporaryFolder of_hosts_{folder_ + "/hosts"};
};

}  // namespace launch
