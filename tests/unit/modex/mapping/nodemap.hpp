// SPDX-License-Identifier: MIT
#pragma once

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace launch {

/// Reads PMI_process_mapping as MPICH does: the node of every rank, or nothing for bad text.
class NodemapReader {
  public:
    static std::optional<std::vector<uint32_t>> read(const std::string& text, uint32_t ranks) {
        NodemapReader reader(text);
        if (!reader.parse()) return std::nullopt;
        return reader.deal(ranks);
    }

  private:
    struct Triple {
        uint32_t node = 0;
        uint32_t nodes = 0;
        uint32_t ranks = 0;
    };

    explicit NodemapReader(const std::string& text) : at_(text.c_str()) {}

    bool parse() {
        for (const char c : std::string("(vector"))
            if (!take(c)) return false;
        while (take(',')) {
            Triple triple;
            const bool read = take('(') && number(triple.node) && take(',') &&
                              number(triple.nodes) && take(',') && number(triple.ranks) &&
                              take(')');
            if (!read || triple.nodes == 0 || triple.ranks == 0) return false;
            triples_.push_back(triple);
        }
        return !triples_.empty() && take(')') && *at_ == '\0';
    }

    bool take(char c) {
        if (*at_ != c) return false;
        ++at_;
        return true;
    }

    bool number(uint32_t& value) {
        if (std::isdigit(static_cast<unsigned char>(*at_)) == 0) return false;
        char* end = nullptr;
        value = static_cast<uint32_t>(std::strtoul(at_, &end, 10));
        at_ = end;
        return true;
    }

    std::vector<uint32_t> deal(uint32_t ranks) const {
        std::vector<uint32_t> nodes;
        bool found_wrap = false;
        while (nodes.size() < ranks) {
            std::size_t i = 0;
            while (found_wrap && triples_[i].node != 0)
                ++i;
            for (; i < triples_.size(); ++i) {
                if (triples_[i].node == 0) found_wrap = true;
                deal(triples_[i], ranks, nodes);
            }
        }
        return nodes;
    }

    static void deal(const Triple& triple, uint32_t ranks, std::vector<uint32_t>& nodes) {
        for (uint32_t node = 0; node < triple.nodes; ++node) {
            for (uint32_t i = 0; i < triple.ranks && nodes.size() < ranks; ++i)
                nodes.push_back(triple.node + node);
        }
    }

    const char* at_;
    std::vector<Triple> triples_;
};

}  // namespace launch
