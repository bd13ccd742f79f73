// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

/// "--name value" and "--name" of a test program, all of them with defaults given beforehand.
class Options {
  public:
    Options(std::map<std::string, std::string> defaults, int argc, char** argv)
        : values_(std::move(defaults)) {
        for (int i = 1; i < argc; i++) {
            const std::string name = argv[i];
            const bool known = name.starts_with("--") && values_.contains(name.substr(2));
            if (!known) usage(argv[0]);
            const bool flag = i + 1 == argc || std::string(argv[i + 1]).starts_with("--");
            values_[name.substr(2)] = flag ? "1" : argv[++i];
        }
    }

    const std::string& text(const std::string& name) const { return values_.at(name); }
    int number(const std::string& name) const { return std::atoi(text(name).c_str()); }
    bool on(const std::string& name) const { return number(name) != 0; }

  private:
    [[noreturn]] void usage(const char* program) const {
        std::fprintf(stderr, "usage: %s", program);
        for (const auto& [name, value] : values_)
            std::fprintf(stderr, " [--%s %s]", name.c_str(), value.c_str());
        std::fprintf(stderr, "\n");
        std::exit(2);
    }

    std::map<std::string, std::string> values_;
};
