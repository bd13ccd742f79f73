// SPDX-License-Identifier: MIT
#include "core/process/host_cpus.hpp"

#include <atomic>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "tests/unit/folder_test.hpp"

namespace launch {
namespace {

CpuSet cpus(const char* text) {
    return read_cpus(text).value_or(CpuSet{});
}

class HostCpusTest : public FolderTest {
  protected:
    std::string path() const { return folder_ + "/launch-cpus-" + std::to_string(geteuid()); }
    bool has_file() const { return std::filesystem::exists(path()); }
};

TEST_F(HostCpusTest, LaunchesKnowOfEachOthersCpusUntilTheyAreGivenBack) {
    HostCpus one(folder_);
    HostCpus other(folder_);
    EXPECT_EQ(to_string(other.taken()), "");
    EXPECT_FALSE(has_file());
    auto first = one.claim(cpus("0-2,70"), {});
    ASSERT_TRUE(first);
    EXPECT_EQ(to_string(one.taken()), "0-2,70");
    EXPECT_EQ(to_string(other.taken()), "0-2,70");
    auto second = other.claim(cpus("3,9"), other.taken());
    ASSERT_TRUE(second);
    EXPECT_EQ(to_string(one.taken()), "0-3,9,70");
    first.reset();
    EXPECT_EQ(to_string(one.taken()), "3,9");
    second.reset();
    EXPECT_EQ(to_string(one.taken()), "");
    EXPECT_FALSE(has_file()) << "nothing is left behind";
}

TEST_F(HostCpusTest, WhoKnewLessThanThereIsHasToChooseAnew) {
    HostCpus one(folder_);
    HostCpus other(folder_);
    const CpuSet before = other.taken();
    const auto first = one.claim(cpus("1"), {});
    EXPECT_FALSE(other.claim(cpus("0-1"), before));
    EXPECT_EQ(to_string(one.taken()), "1") << "of a refused claim nothing stays";
    EXPECT_TRUE(other.claim(cpus("0-1"), other.taken())) << "it shares what it knows of";
}

TEST_F(HostCpusTest, SharedCpusAreTakenUntilTheLastHasGone) {
    HostCpus host(folder_);
    auto first = host.claim(cpus("0"), {});
    const auto second = host.claim(cpus("0"), host.taken());
    ASSERT_TRUE(first && second);
    first.reset();
    EXPECT_EQ(to_string(host.taken()), "0");
    EXPECT_FALSE(host.claim(cpus("0"), {}));
}

TEST_F(HostCpusTest, AProcessThatIsKilledGivesItsCpusBack) {
    int ready[2];
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
        HostCpus host(folder_);
        const auto claim = host.claim(cpus("4-5"), {});
        const char byte = claim ? 'y' : 'n';
        if (write(ready[1], &byte, 1) == 1) pause();
        _exit(0);
    }
    char byte = 0;
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    EXPECT_EQ(byte, 'y');
    const HostCpus host(folder_);
    EXPECT_EQ(to_string(host.taken()), "4-5");
    HostCpus::remove_unused(folder_);
    EXPECT_TRUE(has_file()) << "it is used";
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_EQ(to_string(host.taken()), "");
    EXPECT_TRUE(has_file());
    HostCpus::remove_unused(folder_);
    EXPECT_FALSE(has_file());
}

/// The file goes with the last claim, again and again. Who looks in that moment sees no more taken
/// than there was.
TEST_F(HostCpusTest, TheEndOfTheLastClaimMakesNoOtherCpusLookTaken) {
    std::atomic<bool> over = false;
    CpuSet seen;
    std::thread watch([&] {
        const HostCpus host(folder_);
        while (!over)
            seen |= host.taken();
    });
    HostCpus other(folder_);
    for (int i = 0; i < 20'000; ++i)
        other.claim(cpus("3"), {}).reset();
    over = true;
    watch.join();
    seen.add(3);  // which may have been seen or not
    EXPECT_EQ(to_string(seen), "3");
}

/// What a program of somebody else may have put there, or a careless one of this user.
TEST_F(HostCpusTest, WhatIsNotOurFileIsLeftAloneAndJobsOfOneProcessAreToldApartAllTheSame) {
    const std::string elsewhere = folder_ + "/elsewhere";
    const auto link = [&] { ASSERT_EQ(symlink(elsewhere.c_str(), path().c_str()), 0); };
    const auto open_to_all = [&] {
        const int file = open(path().c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        ASSERT_EQ(fchmod(file, 0666), 0);
        close(file);
    };
    const auto folder = [&] { ASSERT_EQ(mkdir(path().c_str(), 0700), 0); };
    const auto pipe = [&] { ASSERT_EQ(mkfifo(path().c_str(), 0600), 0); };
    const std::vector<std::pair<const char*, std::function<void()>>> rows = {
        {"link", link}, {"open to all", open_to_all}, {"folder", folder}, {"pipe", pipe}};
    for (const auto& [name, make] : rows) {
        SCOPED_TRACE(name);
        make();
        HostCpus host(folder_);
        const HostCpus other(folder_);
        auto claim = host.claim(cpus("2"), {});
        ASSERT_TRUE(claim);
        EXPECT_EQ(to_string(host.taken()), "2");
        EXPECT_EQ(to_string(other.taken()), "");
        EXPECT_FALSE(host.claim(cpus("2"), {}));
        claim.reset();
        EXPECT_EQ(to_string(host.taken()), "");
        EXPECT_FALSE(std::filesystem::exists(elsewhere));
        HostCpus::remove_unused(folder_);
        EXPECT_NE(std::filesystem::symlink_status(path()).type(),
                  std::filesystem::file_type::not_found);
        std::filesystem::remove_all(path());
    }
}

TEST_F(HostCpusTest, WhereThereIsNoSuchFolderJobsOfOneProcessAreToldApart) {
    HostCpus host(folder_ + "/none");
    const auto claim = host.claim(cpus("0"), {});
    ASSERT_TRUE(claim);
    EXPECT_EQ(to_string(host.taken()), "0");
}

}  // namespace
}  // namespace launch
