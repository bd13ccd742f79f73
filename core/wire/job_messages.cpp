// SPDX-License-Identifier: MIT
// Encodes the messages about a job to a node; see messages.hpp.

#include "core/base/codec.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/place_codec.hpp"
#include "core/wire/stage_messages.hpp"
#include "core/wire/time_codec.hpp"

namespace launch {
namespace {

/// Encodes what nodes need of the output choice: only the head gathers.
void encode_output(Encoder& out, const OutputChoice& output) {
    const auto& files = output.files;
    out.text(output.label).flag(output.color_out).flag(output.color_err);
    out.flag(output.prompts_out).flag(output.prompts_err);
    // Where the head writes them, no node need know the paths.
    out.flag(files.there).text(files.there ? files.out : "").text(files.there ? files.err : "");
    out.flag(files.copy).flag(files.replace).number(static_cast<uint64_t>(output.pty));
    out.number(output.window.rows).number(output.window.columns);
}

OutputChoice decode_output(Decoder& in) {
    OutputChoice output;
    output.label = in.text();
    output.color_out = in.flag();
    output.color_err = in.flag();
    output.prompts_out = in.flag();
    output.prompts_err = in.flag();
    output.files.there = in.flag();
    output.files.out = in.text();
    output.files.err = in.text();
    output.files.copy = in.flag();
    output.files.replace = in.flag();
    output.pty = decode_enum(in, PtyChoice::each);
    output.window.rows = static_cast<uint16_t>(in.number32());
    output.window.columns = static_cast<uint16_t>(in.number32());
    return output;
}

void encode_job_policies(Encoder& out, const Policies& p) {
    out.flag(p.keep_going);
    out.number(static_cast<uint64_t>(p.pmi)).number(static_cast<uint64_t>(p.modex));
    out.number(static_cast<uint64_t>(p.stdin_target.kind)).number(p.stdin_target.rank);
    encode_ms(out, p.kill_grace);
    out.number(static_cast<uint64_t>(p.host_loss)).flag(p.start_early).flag(p.costs);
    encode_place(out, p.place);
    out.number(static_cast<uint64_t>(p.rendezvous)).flag(p.rendezvous_interface);
    out.text(p.core_dir);
    encode_output(out, p.output);
    out.text(p.debugger).number(static_cast<uint64_t>(p.hold)).flag(p.tools);
}

Policies decode_job_policies(Decoder& in) {
    Policies p;
    p.keep_going = in.flag();
    p.pmi = decode_enum(in, PmiChoice::none);
    p.modex = decode_enum(in, ModexChoice::last);
    p.stdin_target.kind = decode_enum(in, StdinTarget::Kind::rank);
    p.stdin_target.rank = in.number32();
    p.kill_grace = decode_ms(in);
    p.host_loss = decode_enum(in, HostLoss::go_on);
    p.start_early = in.flag();
    p.costs = in.flag();
    p.place = decode_place(in);
    p.rendezvous = decode_enum(in, RendezvousChoice::last);
    p.rendezvous_interface = in.flag();
    p.core_dir = in.text();
    p.output = decode_output(in);
    p.debugger = in.text();
    p.hold = decode_enum(in, Hold::last);
    p.tools = in.flag();
    return p;
}

void encode_programs(Encoder& out, const std::vector<Program>& programs) {
    out.number(programs.size());
    for (const auto& p : programs)
        out.texts(p.argv).number(p.ranks).texts(p.env).text(p.wdir).number(
            p.staged ? uint64_t{*p.staged} + 1 : 0);
}

std::vector<Program> decode_programs(Decoder& in) {
    std::vector<Program> programs;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        Program p;
        p.argv = in.texts();
        p.ranks = in.number32();
        p.env = in.texts();
        p.wdir = in.text();
        const uint32_t staged = in.number32();
        if (staged > 0) p.staged = staged - 1;
        if (p.argv.empty()) in.fail();
        programs.push_back(std::move(p));
    }
    return programs;
}

void encode_limits(Encoder& out, const RankLimits& limits) {
    out.number(limits.umask).number(limits.soft.size());
    for (const SoftLimit& limit : limits.soft)
        out.number(static_cast<uint64_t>(limit.resource)).number(limit.value);
}

RankLimits decode_limits(Decoder& in) {
    RankLimits limits;
    limits.umask = in.number32() & 0777;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        const auto resource = decode_enum(in, Resource::stack);
        limits.soft.push_back({resource, in.number()});
    }
    return limits;
}

}  // namespace

std::string JobMessage::encode() const {
    Encoder out;
    out.text(job_id);
    encode_programs(out, programs);
    encode_job_policies(out, policies);
    encode_limits(out, limits);
    out.texts(env).text(wdir).flag(on_hypercube).flag(placed_late);
    encode_stage(out, stage);
    out.text(log).flag(may_leave_wdir).number(output_window);
    encode_origin(out, origin);
    return out.take();
}

std::optional<JobMessage> JobMessage::decode(std::string_view payload) {
    Decoder in(payload);
    JobMessage job;
    job.job_id = in.text();
    job.programs = decode_programs(in);
    job.policies = decode_job_policies(in);
    job.limits = decode_limits(in);
    job.env = in.texts();
    job.wdir = in.text();
    job.on_hypercube = in.flag();
    job.placed_late = in.flag();
    job.stage = decode_stage(in);
    for (const auto& program : job.programs)
        if (program.staged && *program.staged >= job.stage.files.size()) in.fail();
    job.log = in.text();
    job.may_leave_wdir = in.flag();
    job.output_window = in.number();
    job.origin = decode_origin(in);
    return checked(in, std::move(job));
}

}  // namespace launch
