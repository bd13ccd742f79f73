#include "core/process/remains.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <memory>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/process/guard.hpp"

namespace launch {
namespace {

bool exists(const std::string& path) {
    return access(path.c_str(), F_OK) == 0;
}

std::string make_folder() {
    std::string path = "/tmp/remains-test-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    return path;
}

TEST(Remains, AGuardRemovesThoseOfAWorkerThatIsKilled) {
    const std::string folder = make_folder();
    const pid_t pid = fork();
    if (pid == 0) {
        const auto guard = Guard::split_process(Guard::Role::relay);
        guard.remains()->add_folder(folder);
        guard.remains()->add_file(folder + "-file", {});
        std::ofstream(folder + "/inside") << "text";
        std::ofstream(folder + "-file") << "text";
        raise(SIGKILL);
    }
    waitpid(pid, nullptr, 0);
    EXPECT_FALSE(exists(folder));
    EXPECT_FALSE(exists(folder + "-file"));
}

TEST(Remains, KnowAFileByMoreThanItsName) {
    const std::string folder = make_folder();
    const std::string path = folder + "/file";
    std::ofstream(path) << "text";
    struct stat info {};
    stat(path.c_str(), &info);
    const auto remains = std::make_unique<Remains>();
    EXPECT_TRUE(remains->add_file(path, {info.st_dev, info.st_ino + 1}));
    EXPECT_TRUE(remains->add_file(folder, {}));  // not a file
    remains->remove_all();
    EXPECT_TRUE(exists(path));
    EXPECT_TRUE(remains->add_file(path, {info.st_dev, info.st_ino}));
    remains->remove_all();
    EXPECT_FALSE(exists(path));
    rmdir(folder.c_str());
}

TEST(Remains, HaveAnEnd) {
    const auto remains = std::make_unique<Remains>();
    const std::string path = "/nowhere/" + std::string(1000, 'x');
    size_t count = 0;
    while (remains->add_file(path, {}))
        ++count;
    EXPECT_GT(count, 900u);
    remains->remove_all();
    EXPECT_TRUE(remains->add_file(path, {}));
}

}  // namespace
}  // namespace launch
