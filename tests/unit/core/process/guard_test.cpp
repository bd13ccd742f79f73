#include "core/process/guard.hpp"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace launch {
namespace {

bool exists(const std::string& path) {
    struct stat info {};
    return lstat(path.c_str(), &info) == 0;
}

/// A folder of the test, with a file and a folder in it.
std::string make_folder() {
    std::string path = "/tmp/guard-test-XXXXXX";
    EXPECT_NE(mkdtemp(path.data()), nullptr);
    EXPECT_EQ(mkdir((path + "/inner").c_str(), S_IRWXU), 0);
    EXPECT_EQ(mkfifo((path + "/inner/file").c_str(), S_IRWXU), 0);
    return path;
}

/// Runs `work` as a guarded worker; how guard and worker end.
template <class Work>
int run_guarded(Work work) {
    const pid_t pid = fork();
    if (pid == 0) {
        const auto guard = Guard::split_process();
        work(guard);
        _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    return status;
}

TEST(Guard, RemovesTheFolderOfAWorkerThatIsKilled) {
    const std::string path = make_folder();
    const int status = run_guarded([&](const Guard& guard) {
        guard.remove_at_end(path);
        raise(SIGKILL);
    });
    EXPECT_EQ(WTERMSIG(status), SIGKILL);
    EXPECT_FALSE(exists(path));
}

TEST(Guard, LeavesAFolderThatIsTakenBack) {
    const std::string path = make_folder();
    run_guarded([&](const Guard& guard) {
        guard.remove_at_end(path);
        guard.remove_at_end("");
    });
    EXPECT_TRUE(exists(path));
    run_guarded([&](const Guard& guard) { guard.remove_at_end(path); });
    EXPECT_FALSE(exists(path));
}

TEST(Guard, DoesNotFollowALink) {
    const std::string path = make_folder();
    const std::string link = path + "-link";
    ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
    run_guarded([&](const Guard& guard) { guard.remove_at_end(link); });
    EXPECT_TRUE(exists(path + "/inner/file"));
    unlink(link.c_str());
    run_guarded([&](const Guard& guard) { guard.remove_at_end(path); });
}

/// Somebody else, who continues a process in a moment.
void continue_soon(pid_t pid) {
    if (fork() > 0) return;
    usleep(200'000);
    kill(pid, SIGCONT);
    _exit(0);
}

TEST(Guard, StopsWithAWorkerThatSaysSoAlone) {
    for (const bool says_so : {true, false}) {
        const pid_t pid = fork();
        if (pid == 0) {
            const auto guard = Guard::split_process();
            continue_soon(getpid());
            if (says_so)
                guard.stop();
            else
                raise(SIGSTOP);
            _exit(7);
        }
        int status = 0;
        waitpid(pid, &status, WUNTRACED);
        EXPECT_EQ(WIFSTOPPED(status), says_so);
        if (WIFSTOPPED(status)) {
            kill(pid, SIGCONT);
            waitpid(pid, &status, 0);
        }
        EXPECT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 7);
    }
}

}  // namespace
}  // namespace launch
