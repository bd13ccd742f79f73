// SPDX-License-Identifier: MIT
#include "modex/client/text.h"

#include <gtest/gtest.h>
#include <string>

namespace {

std::string encoded(const std::string& value) {
    std::string text(modex_text_room(value.size()), '\0');
    text.resize(modex_text_of_value(value.data(), value.size(), text.data()));
    return text;
}

std::string decoded(std::string text) {
    const size_t length = modex_value_of_text(text.data(), text.size(), text.data());
    return length == static_cast<size_t>(-1) ? "wrong" : text.substr(0, length);
}

std::string key_text(const std::string& key, size_t room) {
    std::string text(room, '?');
    return text.substr(0, modex_text_of_key(key.c_str(), text.data(), room));
}

TEST(ClientText, ValuesStayReadableOrBecomeBase64) {
    EXPECT_EQ(encoded(""), "t");
    EXPECT_EQ(encoded("10.0.0.1:4567"), "t10.0.0.1:4567");
    EXPECT_EQ(encoded("node001 4567"), "tnode001%204567");
    EXPECT_EQ(encoded("abcdefghijkl=%"), "tabcdefghijkl%3D%25");
    EXPECT_EQ(encoded(std::string("\0\1\2", 3)), "bAAEC");
    EXPECT_EQ(encoded("\xff\xfe"), "b__4");
}

TEST(ClientText, EveryValueComesBack) {
    std::string value;
    for (int i = 0; i < 700; i++) {
        EXPECT_EQ(decoded(encoded(value)), value) << "length " << i;
        EXPECT_LE(encoded(value).size(), modex_text_room(value.size()) - 1);
        value.push_back(static_cast<char>(i * 37));
    }
    const std::string text(1000, 'x');
    EXPECT_EQ(decoded(encoded(text + " " + text)), text + " " + text);
}

TEST(ClientText, NoSpaceAndNoControlByteIsInAText) {
    for (int i = 0; i < 256; i++) {
        for (const char byte : encoded(std::string(1, static_cast<char>(i)) + "plain text"))
            EXPECT_TRUE(byte > ' ' && byte < 0x7f && byte != '=');
    }
}

TEST(ClientText, WhatWasNotWrittenHereIsRefused) {
    for (const char* text :
         {"", "x", "xabc", "t%", "t%4", "t%4g", "t%zz", "bA", "bAAAAA", "b****", "bAA=="})
        EXPECT_EQ(decoded(text), "wrong") << text;
}

TEST(ClientText, KeysKeepLettersAndFitOrAreRefused) {
    EXPECT_EQ(key_text("a.B_9-z", 20), "a.B_9-z");
    EXPECT_EQ(key_text("a b+\xff", 20), "a%20b%2B%FF");
    EXPECT_EQ(key_text("", 20), "");
    EXPECT_EQ(key_text("12345", 6), "12345");
    EXPECT_EQ(key_text("12345", 5), "");
    EXPECT_EQ(key_text("123 ", 6), "");
}

}  // namespace
