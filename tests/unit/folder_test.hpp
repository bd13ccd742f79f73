// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace launch {

/// A test with a folder of its own, which is gone after it.
class FolderTest : public testing::Test {
  protected:
    FolderTest() {
        std::string name = testing::TempDir() + "launch-test-XXXXXX";
        folder_ = mkdtemp(name.data());
    }
    ~FolderTest() override { std::filesystem::remove_all(folder_); }

    std::string folder_;
};

}  // namespace launch
