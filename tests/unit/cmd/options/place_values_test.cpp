#include "cmd/options/place_values.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(PlaceValues, are_written_as_they_are_read_in_the_words_of_any_launcher) {
    struct {
        const char* text;
        const char* written;
    } const binds[] = {
        {"auto", "auto"},
        {"none", "none"},
        {"core", "core"},
        {"core:2", "core:2"},
        {"core:overload-allowed", "core:overload"},
        {"numa:if-supported", "numa"},
        {"hwt", "hwthread"},
        {"rr", "hwthread"},
        {"l3cache", "l3"},
        {"package", "socket"},
        {"numanode", "numa"},
        {"board", "cpuset"},
        {"cpuset", "cpuset"},
        {"user:0,1", "user:0,1"},
        {"user:0-3,6+4", "user:0-3,4+6"},
    };
    for (const auto& row : binds) {
        BindChoice bind;
        BindChoice again;
        EXPECT_EQ(read_bind(row.text, bind), "") << row.text;
        EXPECT_EQ(write_bind(bind), row.written);
        EXPECT_EQ(read_bind(row.written, again), "") << row.text;
        EXPECT_EQ(again, bind) << row.text;
    }
    struct {
        const char* text;
        const char* written;
    } const maps[] = {
        {"slot", "block"},
        {"node", "cyclic"},
        {"core", "core"},
        {"socket:span", "socket:span"},
        {"socket:PE=2", "socket:PE=2"},
        {"slot:PE=2,oversubscribe", "block:PE=2"},
        {"ppr:2:socket", "ppr:2:socket"},
        {"ppr:2:package:PE=3", "ppr:2:socket:PE=3"},
        {"ppr:4:node", "ppr:4:node"},
        {"PE=2", "block:PE=2"},
        {"board", "block"},
    };
    for (const auto& row : maps) {
        MapBy map;
        MapBy again;
        EXPECT_EQ(read_map_by(row.text, map), "") << row.text;
        EXPECT_EQ(write_map_by(map), row.written);
        EXPECT_EQ(read_map_by(row.written, again), "") << row.text;
        EXPECT_EQ(again, map) << row.text;
    }
}

TEST(PlaceValues, say_what_is_wrong_with_others) {
    BindChoice bind;
    for (const char* text :
         {"", "cores", "core:0", "core:x", "core:", "user:", "user:a", "user:0,"})
        EXPECT_NE(read_bind(text, bind), "") << text;
    MapBy map;
    for (const char* text : {"", "cores", "core:PE=", "core:PE=0", "ppr", "ppr:2", "ppr:0:socket",
                             "ppr:2:thing", "slot:strange"})
        EXPECT_NE(read_map_by(text, map), "") << text;
    MachinePart part{};
    EXPECT_NE(read_rank_by("cores", part), "");
    EXPECT_EQ(read_rank_by("node", part),
              "ranks are numbered over the hosts in turn by -map-by node");
}

}  // namespace
}  // namespace launch
