// SPDX-License-Identifier: MIT
#include "core/fetch/records.hpp"

#include <gtest/gtest.h>
#include <vector>

#include "core/base/codec.hpp"

namespace launch {
namespace {

using namespace std::literals;

/// As text, so that records can be compared.
std::string shown(const FetchRecord& record) {
    struct Show {
        std::string operator()(const FetchedFolder& r) const {
            return "folder " + r.name + " " + std::to_string(r.mode);
        }
        std::string operator()(const FetchedFolderEnd&) const { return "folder end"; }
        std::string operator()(const FetchedFile& r) const {
            return "file " + r.name + " " + std::to_string(r.mode);
        }
        std::string operator()(const FetchedPiece& r) const {
            return "piece " + std::string(r.bytes);
        }
        std::string operator()(const FetchedFileEnd& r) const {
            return "file end " + std::to_string(r.checksum);
        }
        std::string operator()(const FetchedLink& r) const {
            return "link " + r.name + " " + r.target;
        }
        std::string operator()(const FetchedOther& r) const { return "other " + r.name; }
        std::string operator()(const FetchedFault& r) const {
            return "fault " + r.path + " " + r.cause;
        }
        std::string operator()(const FetchedUnread& r) const {
            return "unread " + r.path + " " + r.cause;
        }
        std::string operator()(const FetchedAll&) const { return "all"; }
    };
    return std::visit(Show{}, record);
}

const std::vector<FetchRecord>& one_of_each() {
    static const std::vector<FetchRecord> records{
        FetchedFolder{"a b:c", 0755},
        FetchedFile{"-f\n", 0640},
        FetchedPiece{"bytes \0 and more"sv},
        FetchedPiece{""sv},
        FetchedFileEnd{UINT64_MAX},
        FetchedLink{"l", "../../etc"},
        FetchedOther{"pipe"},
        FetchedFolderEnd{},
        FetchedFault{"/d/f", "Permission denied"},
        FetchedAll{},
        FetchedUnread{"/d/g", "Input/output error"},
    };
    return records;
}

TEST(FetchRecords, ComeAsTheyWereSentHoweverTheStreamIsCut) {
    std::string stream;
    std::vector<std::string> sent;
    for (const auto& record : one_of_each()) {
        stream += encode_fetch(record);
        sent.push_back(shown(record));
    }
    for (const size_t step : {size_t{1}, size_t{2}, size_t{7}, stream.size()}) {
        FetchDecoder decoder;
        std::vector<std::string> come;
        for (size_t at = 0; at < stream.size(); at += step) {
            decoder.add(std::string_view(stream).substr(at, step));
            while (const auto record = decoder.next())
                come.push_back(shown(*record));
        }
        EXPECT_EQ(come, sent) << step;
        EXPECT_FALSE(decoder.malformed());
    }
}

TEST(FetchRecords, NoNameLeavesItsFolder) {
    for (const auto name : {""sv, "."sv, ".."sv, "a/b"sv, "/etc"sv, "../x"sv, "a\0b"sv, "/"sv}) {
        const std::string text(name);
        EXPECT_FALSE(is_single_name(name)) << name;
        for (const FetchRecord& record :
             {FetchRecord(FetchedFolder{text, 0700}), FetchRecord(FetchedFile{text, 0600}),
              FetchRecord(FetchedLink{text, "x"}), FetchRecord(FetchedOther{text})}) {
            FetchDecoder decoder;
            decoder.add(encode_fetch(record));
            EXPECT_FALSE(decoder.next()) << shown(record);
            EXPECT_TRUE(decoder.malformed()) << shown(record);
        }
    }
    for (const auto name : {"..."sv, ".a"sv, "a:b"sv, " "sv, "\xff"sv, "~"sv})
        EXPECT_TRUE(is_single_name(name)) << name;
}

std::string body_of(const std::string& bytes) {
    Encoder out;
    return out.text(bytes).take();
}

TEST(FetchRecords, WhatIsNoneIsRefused) {
    const std::string long_name(fetch::most_text + 1, 'x');
    const std::string streams[] = {
        body_of(""),                                             // of no type
        body_of("\x09"),                                         // of an unknown one
        body_of("\x01more"),                                     // bytes after a folder's end
        encode_fetch(FetchedFile{"f", 04755}),                   // set-user-id
        encode_fetch(FetchedFolder{"f", 01777}),                 // sticky
        encode_fetch(FetchedFile{long_name, 0600}),              //
        encode_fetch(FetchedLink{"l", ""}),                      //
        encode_fetch(FetchedLink{"l", std::string("a\0b", 3)}),  //
        "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",          // no number
        Encoder().number(fetch::most_record + 1).take(),         // larger than any record
    };
    for (const auto& stream : streams) {
        FetchDecoder decoder;
        decoder.add(stream);
        EXPECT_FALSE(decoder.next());
        EXPECT_TRUE(decoder.malformed()) << testing::PrintToString(stream.substr(0, 20));
        decoder.add(encode_fetch(FetchedAll{}));
        EXPECT_FALSE(decoder.next());
    }
}

TEST(FetchRecords, ThatAreLargestFit) {
    const std::string piece(fetch::piece_size, 'x');
    FetchDecoder decoder;
    decoder.add(encode_fetch(FetchedPiece{piece}));
    EXPECT_TRUE(decoder.next());
}

}  // namespace
}  // namespace launch
