// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cmd/request/file_copies.hpp"
#include "tests/unit/cmd/words.hpp"

namespace launch {
namespace {

std::vector<std::string> job_with(const std::vector<std::string>& fetched) {
    std::vector<std::string> words;
    for (const auto& each : fetched)
        words.insert(words.end(), {"--fetch", each});
    words.insert(words.end(), {"-hosts", "a,b", "app"});
    return words;
}

TEST(FetchedFiles, TheLastColonPartsThePlaceFromTheFolder) {
    const struct {
        const char* text;
        FetchSpec spec;
    } rows[] = {
        {"log:d", {"log", "/here/d", "log"}},
        {"a/b c/:d e", {"a/b c/", "/here/d e", "b c"}},
        {"/var/log/x:/abs", {"/var/log/x", "/abs", "x"}},
        {"a:b:c", {"a:b", "/here/c", "a:b"}},
        {"x:.", {"x", "/here", "x"}},
        {"x:./d/../e//", {"x", "/here/e", "x"}},
    };
    for (const auto& row : rows) {
        const auto request = request_of(job_with({row.text}));
        ASSERT_TRUE(request) << describe(request.error());
        EXPECT_EQ(request->fetches, std::vector<FetchSpec>{row.spec}) << row.text;
    }
}

TEST(FetchedFiles, WhatNamesNothingIsRefused) {
    const struct {
        std::vector<std::string> texts;
        const char* error;
    } rows[] = {
        {{"log"}, "--fetch log: expected REMOTE:DIR, a place on hosts and a folder here"},
        {{"log:"}, "--fetch log:: expected REMOTE:DIR, a place on hosts and a folder here"},
        {{":d"}, "--fetch :d: expected REMOTE:DIR, a place on hosts and a folder here"},
        {{"/:d"}, "--fetch /:d: / has no name of its own; name the folder itself"},
        {{"..:d"}, "--fetch ..:d: .. has no name of its own; name the folder itself"},
        {{"a/.:d"}, "--fetch a/.:d: a/. has no name of its own; name the folder itself"},
        {{"a/x:d", "b/x:d"}, "--fetch b/x:d: another one is to be x in that folder"},
        {{"a/x:d", "b/x:./d/"}, "--fetch b/x:./d/: another one is to be x in that folder"},
    };
    for (const auto& row : rows) {
        const auto request = request_of(job_with(row.texts));
        ASSERT_FALSE(request) << row.error;
        EXPECT_EQ(request.error().cause, row.error);
    }
    EXPECT_TRUE(request_of(job_with({"a/x:d", "a/x:e", "y:d"})));
}

}  // namespace
}  // namespace launch
