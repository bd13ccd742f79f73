// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

#include "core/fetch/received_tree.hpp"
#include "core/fetch/sent_tree.hpp"
#include "tests/unit/folder_test.hpp"

namespace launch {
namespace {

/// A folder `there` of a host, and a folder `here` of the head.
class FetchTrees : public FolderTest {
  protected:
    FetchTrees() {
        mkdir(there("").c_str(), 0755);
        mkdir(here("").c_str(), 0755);
    }
    ~FetchTrees() override {
        // What a test has made unreadable can be removed.
        std::error_code ignored;
        for (const auto& each : std::filesystem::recursive_directory_iterator(folder_, ignored))
            if (!each.is_symlink() && each.is_directory()) chmod(each.path().c_str(), 0700);
    }

    std::string there(const std::string& name) const { return folder_ + "/there/" + name; }
    std::string here(const std::string& name) const { return folder_ + "/here/" + name; }
    ReceivedTree::Place place(const std::string& name) const { return {here(""), "n1", name}; }

    static void write_file(const std::string& path, const std::string& text, mode_t mode = 0644) {
        std::ofstream(path) << text;
        chmod(path.c_str(), mode);
    }
    static std::string text_of(const std::string& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static mode_t mode_of(const std::string& path) {
        struct stat info {};
        return lstat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
    }
    static bool is_there(const std::string& path) {
        struct stat info {};
        return lstat(path.c_str(), &info) == 0;
    }
    /// Names in a folder, the hidden ones with them.
    static size_t count_in(const std::string& path) {
        if (!is_there(path)) return 0;
        const std::filesystem::directory_iterator all(path);
        return static_cast<size_t>(std::distance(begin(all), end(all)));
    }
    static std::string sent(const std::string& path) {
        std::string stream;
        send_tree(path, [&](std::string_view bytes) {
            stream += bytes;
            return true;
        });
        return stream;
    }
    /// Empty: all of it was taken.
    static std::string receive(ReceivedTree& tree, std::string_view stream) {
        FetchDecoder decoder;
        while (!stream.empty()) {
            decoder.add(stream.substr(0, 1000));
            stream.remove_prefix(std::min<size_t>(stream.size(), 1000));
            while (const auto record = decoder.next()) {
                const auto done = tree.take(*record);
                if (!done) return describe(done.error());
            }
        }
        return decoder.malformed() ? "malformed" : "";
    }
    static std::string receive(ReceivedTree& tree, const std::vector<FetchRecord>& records) {
        std::string stream;
        for (const auto& record : records)
            stream += encode_fetch(record);
        return receive(tree, stream);
    }
    static uint64_t checksum_of(std::string_view text) {
        Checksum checksum;
        checksum.add(text);
        return checksum.value();
    }
};

TEST_F(FetchTrees, AFolderComesWithAllThatIsInIt) {
    const std::string large(300'000, 'x');
    mkdir(there("d").c_str(), 0755);
    mkdir(there("d/in side").c_str(), 0700);
    mkdir(there("d/read only").c_str(), 0700);
    write_file(there("d/empty"), "");
    write_file(there("d/in side/a:b"), large, 0600);
    write_file(there("d/read only/x"), "x", 0444);
    chmod(there("d/read only").c_str(), 0555);
    write_file(there("d/tool"), "tool", 06755);
    ASSERT_EQ(symlink("../outside", there("d/link").c_str()), 0);
    ASSERT_EQ(mkfifo(there("d/pipe").c_str(), 0600), 0);
    ReceivedTree tree(place("d"));
    EXPECT_EQ(receive(tree, sent(there("d"))), "");
    EXPECT_TRUE(tree.complete());
    EXPECT_EQ(tree.left_out(), 1U);
    EXPECT_EQ(text_of(here("n1/d/in side/a:b")), large);
    EXPECT_EQ(text_of(here("n1/d/empty")), "");
    EXPECT_EQ(text_of(here("n1/d/read only/x")), "x");
    EXPECT_EQ(mode_of(here("n1/d/in side")), 0700U);
    EXPECT_EQ(mode_of(here("n1/d/in side/a:b")), 0600U);
    EXPECT_EQ(mode_of(here("n1/d/read only")), 0555U);
    EXPECT_EQ(mode_of(here("n1/d/tool")), 0755U);
    EXPECT_EQ(std::filesystem::read_symlink(here("n1/d/link")), "../outside");
    EXPECT_FALSE(is_there(here("n1/d/pipe")));
    EXPECT_EQ(count_in(here("n1")), 1U);
}

TEST_F(FetchTrees, AFileComesAlsoByALinkToIt) {
    write_file(there("f"), "text", 0640);
    ASSERT_EQ(symlink("f", there("l").c_str()), 0);
    for (const char* name : {"f", "l"}) {
        ReceivedTree tree(place(name));
        EXPECT_EQ(receive(tree, sent(there(name))), "");
        EXPECT_TRUE(tree.complete());
        EXPECT_EQ(text_of(here("n1/") + name), "text");
        EXPECT_EQ(mode_of(here("n1/") + name), 0640U);
    }
}

TEST_F(FetchTrees, WhatCannotBeReadIsToldAndNothingComes) {
    const struct {
        const char* path;
        const char* cause;
    } rows[] = {
        {"missing", "No such file or directory"},
        {"pipe", "neither a file nor a folder"},
        {"loop", "Too many levels of symbolic links"},
    };
    ASSERT_EQ(mkfifo(there("pipe").c_str(), 0600), 0);
    ASSERT_EQ(symlink("loop", there("loop").c_str()), 0);
    for (const auto& row : rows) {
        {
            ReceivedTree tree(place(row.path));
            EXPECT_EQ(receive(tree, sent(there(row.path))), "") << row.path;
            EXPECT_FALSE(tree.complete());
            ASSERT_TRUE(tree.fault()) << row.path;
            EXPECT_EQ(tree.fault()->cause, row.cause);
        }
        EXPECT_EQ(count_in(here("n1")), 0U) << row.path;
    }
}

TEST_F(FetchTrees, a_folder_comes_without_what_cannot_be_read_in_it) {
    std::string deep = there("d");
    mkdir(deep.c_str(), 0755);
    write_file(there("d/f"), "text");
    write_file(there("d/.launch-fetch-1"), "another fetch");
    for (size_t i = 0; i < fetch::most_depth + 3; ++i)
        mkdir((deep += "/d").c_str(), 0755);
    ReceivedTree tree(place("d"));
    EXPECT_EQ(receive(tree, sent(there("d"))), "");
    EXPECT_TRUE(tree.complete());
    EXPECT_EQ(tree.unread(), 1U);
    EXPECT_NE(tree.first_unread().path.find("d/d/d"), std::string::npos);
    EXPECT_EQ(text_of(here("n1/d/f")), "text");
    EXPECT_EQ(count_in(here("n1/d")), 2U);
}

TEST_F(FetchTrees, a_file_whose_disk_fails_is_left_out) {
    ReceivedTree tree(place("d"));
    const FetchedFolder folder{"d", 0755};
    EXPECT_EQ(receive(tree, {folder, FetchedFile{"f", 0644}, FetchedPiece{"x"},
                             FetchedUnread{"/d/f", "Input/output error"}, FetchedFile{"g", 0600},
                             FetchedFileEnd{checksum_of("")}, FetchedFolderEnd{}, FetchedAll{}}),
              "");
    EXPECT_TRUE(tree.complete());
    EXPECT_EQ(tree.unread(), 1U);
    EXPECT_EQ(count_in(here("n1/d")), 1U);
    ReceivedTree lone({here(""), "n2", "f"});
    EXPECT_EQ(receive(lone, {FetchedFile{"f", 0644}, FetchedUnread{"/f", "Input/output error"}}),
              "");
    EXPECT_TRUE(lone.fault());
    EXPECT_FALSE(lone.complete());
}

TEST_F(FetchTrees, modes_keep_to_the_umask) {
    mkdir(there("d").c_str(), 0755);
    chmod(there("d").c_str(), 0777);
    write_file(there("d/f"), "text", 0666);
    const mode_t before = umask(027);
    ReceivedTree tree(place("d"));
    EXPECT_EQ(receive(tree, sent(there("d"))), "");
    umask(before);
    EXPECT_EQ(mode_of(here("n1/d")), 0750U);
    EXPECT_EQ(mode_of(here("n1/d/f")), 0640U);
}

/// Somebody writes to it without end.
TEST_F(FetchTrees, a_file_that_grows_is_sent_as_long_as_it_was) {
    write_file(there("f"), std::string(200'000, 'x'));
    ReceivedTree tree(place("f"));
    std::string stream;
    send_tree(there("f"), [&](std::string_view bytes) {
        stream += bytes;
        std::ofstream(there("f"), std::ios::app) << std::string(100'000, 'y');
        return true;
    });
    EXPECT_EQ(receive(tree, stream), "");
    EXPECT_TRUE(tree.complete());
    EXPECT_EQ(text_of(here("n1/f")), std::string(200'000, 'x'));
}

TEST_F(FetchTrees, WhatBreaksOffLeavesNothing) {
    mkdir(there("d").c_str(), 0755);
    mkdir(there("d/e").c_str(), 0755);
    write_file(there("d/e/f"), std::string(200'000, 'x'));
    write_file(there("d/g"), "g", 0400);
    chmod(there("d/e").c_str(), 0555);
    const auto stream = sent(there("d"));
    for (size_t size = 0; size < stream.size(); size += 1 + size / 8) {
        {
            ReceivedTree tree(place("d"));
            EXPECT_EQ(receive(tree, std::string_view(stream).substr(0, size)), "");
            EXPECT_FALSE(tree.complete());
            EXPECT_FALSE(is_there(here("n1/d")));
        }
        EXPECT_EQ(count_in(here("n1")), 0U) << size;
    }
}

TEST_F(FetchTrees, NothingThatIsThereIsReplacedOrFollowed) {
    write_file(there("f"), "new");
    mkdir(here("n1").c_str(), 0755);
    mkdir(here("other").c_str(), 0755);
    write_file(here("n1/f"), "old");
    ASSERT_EQ(symlink("../other", here("n1/l").c_str()), 0);
    ASSERT_EQ(symlink("other", here("n2").c_str()), 0);
    write_file(here("n3"), "a file");
    const struct {
        ReceivedTree::Place place;
        const char* cause;
    } rows[] = {
        {{here(""), "n1", "f"}, "File exists"},
        {{here(""), "n1", "l"}, "File exists"},
        {{here(""), "n2", "f"}, "Not a directory"},
        {{here(""), "n3", "f"}, "Not a directory"},
        {{here("n3/x"), "n1", "f"}, "Not a directory"},
        {{here(""), "..", "f"}, "invalid file name"},
        {{here(""), "a/b", "f"}, "invalid file name"},
        {{here(""), "n1", ".."}, "invalid file name"},
    };
    for (const auto& row : rows) {
        ReceivedTree tree(row.place);
        EXPECT_NE(receive(tree, sent(there("f"))).find(row.cause), std::string::npos)
            << row.place.host << "/" << row.place.name << " " << row.cause;
    }
    EXPECT_EQ(text_of(here("n1/f")), "old");
    EXPECT_EQ(count_in(here("other")), 0U);
    EXPECT_EQ(count_in(here("n1")), 2U);
}

TEST_F(FetchTrees, WhatTakesTheNameMeanwhileIsNotReplaced) {
    write_file(there("f"), "new");
    const auto stream = sent(there("f"));
    ReceivedTree tree(place("f"));
    const auto all = encode_fetch(FetchedAll{}).size();
    EXPECT_EQ(receive(tree, std::string_view(stream).substr(0, stream.size() - all)), "");
    write_file(here("n1/f"), "old");
    EXPECT_NE(receive(tree, std::vector<FetchRecord>{FetchedAll{}}).find("File exists"),
              std::string::npos);
    EXPECT_EQ(text_of(here("n1/f")), "old");
}

/// A host that sends what it likes.
TEST_F(FetchTrees, AHostThatBreaksTheRulesIsRefused) {
    const FetchedFolder folder{"d", 0755};
    const FetchedFile file{"f", 0644};
    const FetchedLink link{"l", "/etc"};
    const std::vector<FetchRecord> rows[] = {
        {FetchedAll{}},
        {FetchedFolderEnd{}},
        {FetchedPiece{"x"}},
        {FetchedFileEnd{0}},
        {FetchedOther{"x"}},
        {FetchedUnread{"x", "y"}},
        {folder, FetchedAll{}},
        {folder, FetchedPiece{"x"}},
        {file, FetchedAll{}},
        {file, file},
        {file, folder},
        {file, FetchedFolderEnd{}},
        {file, FetchedPiece{"x"}, FetchedFileEnd{1}},   // another checksum
        {file, FetchedFileEnd{checksum_of("")}, file},  // a second thing
        {folder, FetchedFolderEnd{}, link},
        {folder, link, FetchedFolder{"l", 0700}},  // through its own link
        {folder, link, FetchedFile{"l", 0600}},
        {folder, FetchedFolder{"d", 0700}, FetchedFolderEnd{}, FetchedFile{"d", 0600}},
        std::vector<FetchRecord>(fetch::most_depth + 1, folder),
    };
    size_t row = 0;
    for (const auto& records : rows) {
        const std::string host = "h" + std::to_string(row++);
        bool complete = false;
        {
            ReceivedTree tree({here(""), host, "d"});
            EXPECT_NE(receive(tree, records), "") << host;
            EXPECT_FALSE(tree.take(FetchedAll{})) << host;
            complete = tree.complete();
        }
        EXPECT_FALSE(complete) << host;
    }
    EXPECT_EQ(count_in("/etc/d"), 0U);
}

TEST_F(FetchTrees, WhatComesAfterTheEndChangesNothing) {
    ReceivedTree tree(place("l"));
    EXPECT_NE(receive(tree, {FetchedLink{"l", "x"}, FetchedAll{}, FetchedAll{}}), "");
    EXPECT_FALSE(tree.take(FetchedFile{"l", 0600}));
    EXPECT_TRUE(tree.complete());
    EXPECT_EQ(count_in(here("n1")), 1U);
}

TEST_F(FetchTrees, TheStreamStopsWhereNobodyWantsMore) {
    write_file(there("f"), std::string(1'000'000, 'x'));
    size_t taken = 0;
    EXPECT_FALSE(send_tree(there("f"), [&](std::string_view) { return ++taken < 3; }));
    EXPECT_EQ(taken, 3U);
}

}  // namespace
}  // namespace launch
