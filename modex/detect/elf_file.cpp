#include "modex/detect/elf_file.hpp"

#include <algorithm>
#include <string_view>

namespace launch {
namespace {

constexpr std::size_t head_size = 1024;
constexpr uint64_t most_segments = 128;
constexpr uint64_t most_dynamic_bytes = 16U << 10;
constexpr std::size_t most_needed = 256;
constexpr std::size_t longest_name = 256;
constexpr std::size_t longest_path = 4096;

/// Where the fields of the two classes of ELF stand.
struct Layout {
    std::size_t word;  ///< bytes of an address
    std::size_t segments_offset;
    std::size_t segment_size;
    std::size_t segment_count;
    std::size_t segment;      ///< bytes of its header
    std::size_t file_offset;  ///< this and what follows: within a segment's header
    std::size_t address;
    std::size_t file_size;
};

constexpr Layout layout_32{.word = 4,
                           .segments_offset = 28,
                           .segment_size = 42,
                           .segment_count = 44,
                           .segment = 32,
                           .file_offset = 4,
                           .address = 8,
                           .file_size = 16};
constexpr Layout layout_64{.word = 8,
                           .segments_offset = 32,
                           .segment_size = 54,
                           .segment_count = 56,
                           .segment = 56,
                           .file_offset = 8,
                           .address = 16,
                           .file_size = 32};

struct Segment {
    enum Type : uint64_t { load = 1, dynamic = 2 };
    uint64_t type;
    uint64_t offset;
    uint64_t address;
    uint64_t size;
};

/// The dynamic section: what it says of names are offsets into a table of strings.
struct Dynamic {
    enum Tag : uint64_t { end = 0, needed = 1, strings = 5, rpath = 15, runpath = 29 };
    std::vector<uint64_t> names;
    std::optional<uint64_t> strings_address;
    std::optional<uint64_t> rpath_offset;
    std::optional<uint64_t> runpath_offset;
};

/// Zero beyond the end.
uint64_t number_at(std::string_view bytes, std::size_t offset, std::size_t width) {
    if (offset > bytes.size() || width > bytes.size() - offset) return 0;
    uint64_t number = 0;
    for (std::size_t i = width; i > 0; --i)
        number = number << 8 | static_cast<unsigned char>(bytes[offset + i - 1]);
    return number;
}

std::vector<Segment> read_segments(OpenFile& file, std::string_view head, const Layout& layout) {
    const uint64_t size = number_at(head, layout.segment_size, 2);
    const uint64_t count = std::min(number_at(head, layout.segment_count, 2), most_segments);
    std::vector<Segment> segments;
    if (size != layout.segment) return segments;
    const std::string table =
        file.read(number_at(head, layout.segments_offset, layout.word), size * count);
    for (std::size_t at = 0; at + size <= table.size(); at += size) {
        segments.push_back({.type = number_at(table, at, 4),
                            .offset = number_at(table, at + layout.file_offset, layout.word),
                            .address = number_at(table, at + layout.address, layout.word),
                            .size = number_at(table, at + layout.file_size, layout.word)});
    }
    return segments;
}

Dynamic read_dynamic(OpenFile& file, const Segment& segment, const Layout& layout) {
    Dynamic dynamic;
    const std::string bytes = file.read(segment.offset, std::min(segment.size, most_dynamic_bytes));
    for (std::size_t at = 0; at + 2 * layout.word <= bytes.size(); at += 2 * layout.word) {
        const uint64_t tag = number_at(bytes, at, layout.word);
        const uint64_t value = number_at(bytes, at + layout.word, layout.word);
        if (tag == Dynamic::end) break;
        if (tag == Dynamic::needed && dynamic.names.size() < most_needed)
            dynamic.names.push_back(value);
        if (tag == Dynamic::strings) dynamic.strings_address = value;
        if (tag == Dynamic::rpath) dynamic.rpath_offset = value;
        if (tag == Dynamic::runpath) dynamic.runpath_offset = value;
    }
    return dynamic;
}

/// Where in the file a part of the running program comes from.
std::optional<uint64_t> file_offset(const std::vector<Segment>& segments, uint64_t address) {
    for (const auto& segment : segments) {
        const bool inside = segment.type == Segment::load && address >= segment.address &&
                            address - segment.address < segment.size;
        if (inside) return segment.offset + (address - segment.address);
    }
    return std::nullopt;
}

/// Empty where it does not end within `longest`.
std::string read_text(OpenFile& file, uint64_t offset, std::size_t longest) {
    std::string text = file.read(offset, longest + 1);
    const auto end = text.find('\0');
    if (end == std::string::npos) return {};
    text.resize(end);
    return text;
}

void read_names(OpenFile& file, const Dynamic& dynamic, uint64_t strings, ElfFile& elf) {
    for (const uint64_t offset : dynamic.names) {
        std::string name = read_text(file, strings + offset, longest_name);
        if (!name.empty()) elf.needed.push_back(std::move(name));
    }
    if (dynamic.rpath_offset)
        elf.rpath = read_text(file, strings + *dynamic.rpath_offset, longest_path);
    if (dynamic.runpath_offset)
        elf.runpath = read_text(file, strings + *dynamic.runpath_offset, longest_path);
}

}  // namespace

std::optional<ElfFile> read_elf(OpenFile& file) {
    const std::string head = file.read(0, head_size);
    const bool is_64 = head.starts_with("\177ELF\2\1");
    if (!is_64 && !head.starts_with("\177ELF\1\1")) return std::nullopt;
    const uint64_t type = number_at(head, 16, 2);
    constexpr uint64_t executable = 2;
    constexpr uint64_t shared = 3;
    if (type != executable && type != shared) return std::nullopt;

    const Layout& layout = is_64 ? layout_64 : layout_32;
    ElfFile elf;
    elf.is_64 = is_64;
    elf.machine = static_cast<uint16_t>(number_at(head, 18, 2));
    const auto segments = read_segments(file, head, layout);
    const auto segment = std::find_if(segments.begin(), segments.end(),
                                      [](const Segment& s) { return s.type == Segment::dynamic; });
    if (segment == segments.end()) return elf;
    const Dynamic dynamic = read_dynamic(file, *segment, layout);
    if (!dynamic.strings_address) return elf;
    const auto strings = file_offset(segments, *dynamic.strings_address);
    if (strings) read_names(file, dynamic, *strings, elf);
    return elf;
}

}  // namespace launch
