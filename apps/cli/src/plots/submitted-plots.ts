import { createHash } from "node:crypto";
import { isSameCrs } from "@groundrule/engine/internal";
import { jsonDigest, type SubmittedAs } from "@groundrule/engine/records";
import type { UnreadPlot } from "@groundrule/plot-files";
import { type FixOptions, fixPlot, type PlotFeature, PROFILE_NAMES } from "@groundrule/plots";
import type { Arguments } from "../command-line/arguments.ts";
import { defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { getFixOptions } from "./fix-options.ts";
import { type PlotLine, toPlotLine } from "./plots.ts";

export const AS_SUBMITTED_OPTION: OptionSpec = defineOption(
  "as-submitted PROFILE",
  `evaluate the geometry that a system will receive: cut and fixed as plots export does (${PROFILE_NAMES.join(", ")})`,
);

/** The fix options of `--as-submitted`; undefined without it. Fails: `UsageError` for another profile. */
export function readSubmittedOptions(args: Arguments): FixOptions | undefined {
  const name = args.find(AS_SUBMITTED_OPTION.name);
  return name === undefined ? undefined : getFixOptions(name, AS_SUBMITTED_OPTION.name);
}

/**
 * A plot in the form that a system will store, with the submission. A plot that becomes several yields several; one
 * that cannot be mended yields an error, for the system would refuse it.
 *
 * @param crs of its positions, in place of its file's
 */
export function* toSubmittedPlots(
  plot: PlotFeature | UnreadPlot,
  crs: string | undefined,
  options: FixOptions,
): Generator<PlotLine, void, undefined> {
  if ("error" in plot) {
    yield toPlotLine(plot);
    return;
  }
  const named = crs ?? plot.crs;
  if (
    named !== undefined &&
    !isSameCrs(named, "OGC:CRS84") &&
    typeof (plot.properties.property ?? undefined) === "object"
  ) {
    const code = "VALIDATION_FAILED";
    const message = `found a property in ${named}, expected longitude and latitude, as the plot is held once it is submitted`;
    const faults = [{ pointer: "/properties/property", code, message }];
    yield { id: plot.id, error: { code, message, faults } };
    return;
  }
  const { plots, findings } = fixPlot(crs === undefined ? plot : { ...plot, crs }, options);
  if (findings.length > 0) {
    const faults = findings.map(({ code, pointer, found, expected }) => {
      return { pointer, code, message: `found ${found}, expected ${expected}` };
    });
    const message = `the plot cannot be submitted, so it cannot be evaluated as submitted: ${faults[0]!.message}`;
    yield { id: plot.id, error: { code: "GEOMETRY_INVALID", message, faults } };
    return;
  }
  const sent = jsonDigest(plot.geometry, (text) => createHash("sha256").update(text).digest("hex"));
  const submittedAs: SubmittedAs = { profile: options.profile.name, sent_digest: sent };
  for (const one of plots) {
    const { crs: _, ...stored } = one;
    const line = toPlotLine(stored);
    yield "error" in line ? line : { ...line, submittedAs };
  }
}
