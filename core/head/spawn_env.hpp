// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/job/job_spec.hpp"

namespace launch {

/// The changes that a spawn makes to single variables of its programs, by the keys of variable_key
/// (core/wire/variable_key.hpp). A value without a name is ignored.
class SpawnEnv {
  public:
    /// The environment that the new processes have otherwise.
    explicit SpawnEnv(const std::vector<std::string>& job) : job_(job) {}

    void begin_program() { unset_.emplace_back(); }
    /// False: it is another key.
    bool take(Program& program, std::string_view key, const std::string& value);
    /// The value that a program has by now; empty: none.
    std::string now(const Program& program, const std::string& name) const;
    /// Variables that no program is to have: one that others have is left to all.
    std::vector<std::string> unset_by_all() const;

  private:
    std::optional<std::string> of_job(const std::string& name) const;

    const std::vector<std::string>& job_;
    std::vector<std::vector<std::string>> unset_;  ///< by program
};

}  // namespace launch
