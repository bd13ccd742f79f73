// Runs a fuzz target without libFuzzer: first the corpus, then random changes of it, from a seed.
// The same targets link with clang's -fsanitize=fuzzer (see tests/README.md).
//
//   TARGET [--runs N] [--seed S] [CORPUS_FILE_OR_FOLDER ...]
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void add_corpus(const std::filesystem::path& path, std::vector<std::string>& corpus) {
    if (!std::filesystem::is_directory(path)) {
        corpus.push_back(read_file(path));
        return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(path))
        if (entry.is_regular_file()) corpus.push_back(read_file(entry.path()));
}

std::string mutate(std::string input, const std::vector<std::string>& corpus,
                   std::mt19937& random) {
    const auto below = [&](size_t n) { return n == 0 ? 0 : random() % n; };
    for (size_t changes = 1 + below(6); changes > 0; --changes) {
        const size_t at = below(input.size() + 1);
        switch (below(5)) {
            case 0: input.insert(at, 1, static_cast<char>(random())); break;
            case 1: input.erase(at, below(8)); break;
            case 2:
                if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(8)));
                break;
            case 3: {
                const auto& other = corpus[below(corpus.size())];
                const size_t from = below(other.size() + 1);
                input.insert(at, other.substr(from, below(40)));
                break;
            }
            default:
                input.insert(at, std::string(below(20), "\xff\x00\x80[,-:=9"[below(9)]));
                break;
        }
    }
    if (input.size() > 4096) input.resize(4096);
    return input;
}

}  // namespace

int main(int argc, char** argv) {
    unsigned long runs = 100'000;
    unsigned seed = 1;
    std::vector<std::string> corpus;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--runs" && i + 1 < argc) {
            runs = std::strtoul(argv[++i], nullptr, 10);
        } else if (word == "--seed" && i + 1 < argc) {
            seed = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 10));
        } else {
            add_corpus(word, corpus);
        }
    }
    if (corpus.empty()) {
        std::fprintf(stderr, "no corpus\n");
        return 2;
    }
    std::mt19937 random(seed);
    const auto one = [](const std::string& input) {
        LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
    };
    for (const auto& input : corpus)
        one(input);
    std::vector<std::string> pool = corpus;
    for (unsigned long run = 0; run < runs; ++run) {
        std::string input = mutate(pool[random() % pool.size()], corpus, random);
        one(input);
        // Walk away from the corpus, but not for ever.
        if (pool.size() < 2000) {
            pool.push_back(std::move(input));
        } else {
            pool[corpus.size() + random() % (pool.size() - corpus.size())] = std::move(input);
        }
    }
    std::printf("%zu corpus files, %lu runs, seed %u\n", corpus.size(), runs, seed);
    return 0;
}
