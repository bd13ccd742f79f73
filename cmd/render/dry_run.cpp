// SPDX-License-Identifier: MIT
#include "cmd/render/dry_run.hpp"

#include <utility>

#include "cmd/render/offer_text.hpp"
#include "cmd/render/rendered.hpp"
#include "core/push/path_owners.hpp"
#include "core/tree/relay_request.hpp"
#include "modex/detect/host_files.hpp"

namespace launch {
namespace {

std::string shown_as(const Plan& plan, const ViewSettings& view, const Explanation& explanation) {
    return rendered(view.format,
                    {{Format::text, [&] { return plan_text(plan, view, explanation); }},
                     {Format::json, [&] { return plan_json(plan, view, explanation); }},
                     {Format::dot, [&] { return plan_dot(plan, view); }},
                     {Format::svg, [&] { return plan_svg(plan, view); }}});
}

}  // namespace

Result<std::string> dry_run(const Plan& plan, const ViewSettings& view,
                            const Factories& factories) {
    Explanation explanation;
    explanation.binding = planned_binding(plan, factories.machine);
    if (!view.explain) return shown_as(plan, view, explanation);
    HostFiles files;
    explanation.offers = offer_texts(plan, files);
    if (plan.local || plan.session) return shown_as(plan, view, explanation);
    asio::io_context context;
    Reaper reaper(context.get_executor());
    auto made =
        factories.transport(context.get_executor(), plan.spec.transport, reaper, {}, nullptr);
    if (!made) return std::move(made.error());
    Transport& transport = **made;
    const std::string& path = plan.spec.launch_path;
    const LaunchPath where{path, path_owners(path)};
    explanation.start = [&](const Host& host) {
        return transport.explain(relay_request(host, where, plan.spec.policies));
    };
    return shown_as(plan, view, explanation);
}

}  // namespace launch
