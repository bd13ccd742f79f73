// SPDX-License-Identifier: MIT
#include "tests/unit/golden.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <set>

#include "tests/unit/golden_file.hpp"

namespace launch {
namespace {

namespace fs = std::filesystem;

const fs::path folder = GOLDEN;

bool is_rewriting() {
    return std::getenv("LAUNCH_REWRITE_GOLDEN") != nullptr;
}

/// The golden files as they are on disk, each read once.
class GoldenFiles {
  public:
    std::vector<GoldenSection>& of(const std::string& name) {
        const auto [file, is_new] = files_.try_emplace(name);
        if (is_new) {
            std::ifstream in(folder / name, std::ios::binary);
            file->second = read_golden({std::istreambuf_iterator<char>(in), {}});
        }
        return file->second;
    }

    std::vector<GoldenStep> steps(const std::string& name, const std::string& test) {
        for (const auto& section : of(name))
            if (section.test == test) return section.steps;
        return {};
    }

    /// A section without steps goes, and a file without sections.
    void rewrite(const std::string& name, const GoldenSection& section) {
        auto& sections = of(name);
        const auto is_it = [&](const auto& other) { return other.test == section.test; };
        const auto found = std::find_if(sections.begin(), sections.end(), is_it);
        if (section.steps.empty())
            sections.erase(found);
        else if (found == sections.end())
            sections.push_back(section);
        else
            *found = section;
        const fs::path path = folder / name;
        if (sections.empty()) {
            fs::remove(path);
            return;
        }
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << write_golden(sections);
    }

  private:
    std::map<std::string, std::vector<GoldenSection>> files_;
};

std::string test_name(const testing::TestInfo& test) {
    return std::string(test.test_suite_name()) + "." + test.name();
}

/// Compares what a test has said with its section when it ends; one that says nothing has none.
class GoldenListener final : public testing::EmptyTestEventListener {
  public:
    void add(GoldenStep step) { said_.push_back(std::move(step)); }

    std::vector<GoldenStep> steps_of(const testing::TestInfo& test) {
        return files_.steps(golden_name(test.file()), test_name(test));
    }

  private:
    void OnTestStart(const testing::TestInfo& /*test*/) override { said_.clear(); }

    void OnTestEnd(const testing::TestInfo& test) override {
        const std::string name = golden_name(test.file());
        if (name.empty() || test.result()->Skipped()) return;
        const auto difference = golden_difference(files_.steps(name, test_name(test)), said_);
        if (difference.empty()) return;
        if (!is_rewriting())
            ADD_FAILURE() << "tests/golden/unit/" << name << ", " << test_name(test) << ":\n"
                          << difference
                          << "if that is right: tests/run --rewrite unit:" << test_name(test);
        else if (!test.result()->Failed())
            files_.rewrite(name, {test_name(test), said_});
    }

    GoldenFiles files_;
    std::vector<GoldenStep> said_;
};

GoldenListener* make_listener() {
    auto* listener = new GoldenListener;
    testing::UnitTest::GetInstance()->listeners().Append(listener);  // owns it
    return listener;
}

GoldenListener* const listener = make_listener();

std::string joined(const std::vector<std::string>& words, const char* between) {
    std::string text;
    for (const auto& word : words)
        text += (text.empty() ? "" : between) + word;
    return text;
}

std::set<std::string> all_tests() {
    std::set<std::string> names;
    const auto& all = *testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
        const auto& suite = *all.GetTestSuite(i);
        for (int j = 0; j < suite.total_test_count(); ++j) {
            const auto& test = *suite.GetTestInfo(j);
            names.insert(golden_name(test.file()) + " " + test_name(test));
        }
    }
    return names;
}

TEST(Golden, every_section_is_of_a_test) {
    const auto tests = all_tests();
    GoldenFiles files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        const std::string name = fs::relative(entry.path(), folder);
        EXPECT_FALSE(files.of(name).empty()) << name << ": it has no section";
        for (const auto& section : files.of(name))
            EXPECT_TRUE(tests.contains(name + " " + section.test))
                << name << ": there is no test " << section.test;
    }
}

}  // namespace

void expect_golden(const std::string& input, const std::string& text) {
    listener->add({input, text});
}

void expect_golden(const std::string& input, const std::vector<std::string>& lines) {
    listener->add({input, joined(lines, "\n")});
}

void expect_told(const std::vector<std::string>& words, const std::string& text) {
    for (const auto& word : words)
        EXPECT_NE(text.find(word), std::string::npos) << word << " is not in: " << text;
    expect_golden(joined(words, ", "), text);
}

void expect_told(const std::vector<std::string>& words, const std::vector<std::string>& lines) {
    expect_told(words, joined(lines, "\n"));
}

void replay_golden(const std::function<std::string(const std::string&)>& answer) {
    const auto steps = listener->steps_of(*testing::UnitTest::GetInstance()->current_test_info());
    EXPECT_FALSE(steps.empty()) << "the golden file has no input for this test";
    for (const auto& step : steps)
        listener->add({step.input, answer(step.input)});
}

}  // namespace launch
