// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/job/stage_spec.hpp"
#include "core/process/removal_list.hpp"
#include "core/stage/checksum.hpp"

namespace launch {

/// A staged file on its way to its place on this host's disk: written under a name that nobody can
/// guess, verified, and only then given its own, which never replaces a file nor follows a link.
/// All calls may block; one at a time.
class StageTarget {
  public:
    struct Settings {
        StagedFile file;
        std::string path;   ///< where it is to be, absolute
        std::string shown;  ///< that place, as all hosts name it
        std::string token;  ///< for the name it has until then
        bool keep = false;
    };
    StageTarget(Settings settings, RemovalsOf& to_remove);

    /// Makes the file and reserves its space: what can be known before bytes come is known now.
    Status prepare();
    Status write(uint64_t offset, std::string_view bytes);
    /// Reads back what has been written, up to so many bytes in one go.
    Status verify(uint64_t most);
    bool verified() const { return checked_ == settings_.file.size; }
    /// Compares, and puts it in its place. From now on it is open for reading only.
    Status publish(uint64_t checksum);

    /// To read from, also while it is written.
    int descriptor() const { return reader_.get(); }

  private:
    Status failed(int errno_value) const;
    Status refused(std::string cause, std::string hint) const;
    Status reserve();
    Status check_place() const;
    Status check_other();
    bool is_same(int other) const;
    int take_name();

    Settings settings_;
    RemovalsOf& to_remove_;
    std::string temporary_;
    UniqueFd writer_;
    UniqueFd reader_;
    uint64_t checked_ = 0;
    Checksum checksum_;
};

}  // namespace launch
