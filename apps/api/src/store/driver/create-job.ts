import { PLOT_LINE_BYTES, ROW_BYTES } from "../../ledger/holdings.ts";
import type { CreatedJob, JobWrites, NewJob, NewJobPlot } from "../port/jobs.ts";

/** Plots written per transaction: few enough that charges wait only a few milliseconds for it. */
const LOT_PLOTS = 250;
const LOT_CHARACTERS = 256 * 1024;

/** See {@link JobStore.createJob}. Plots that are staged but never opened are deleted after a while. */
export async function createJob(writes: JobWrites, { plots, ...job }: NewJob): Promise<CreatedJob> {
  const begun = await writes.beginJob({ ...job, bytes: bytesOf({ plots, ...job }) });
  if (begun.kind !== "begun") return begun;
  let from = 0;
  for (const lot of lotsOf(plots)) {
    await writes.addJobPlots({ jobId: job.id, from, lot });
    from += lot.length;
  }
  return writes.openJob({ ...job, plots: plots.length });
}

function* lotsOf(plots: readonly NewJobPlot[]): Iterable<readonly NewJobPlot[]> {
  let from = 0;
  let characters = 0;
  for (const [i, plot] of plots.entries()) {
    characters += "error" in plot ? plot.error.length : plot.input.length;
    if (i + 1 - from < LOT_PLOTS && characters < LOT_CHARACTERS) continue;
    yield plots.slice(from, i + 1);
    from = i + 1;
    characters = 0;
  }
  if (from < plots.length) yield plots.slice(from);
}

/** The bytes that a job counts for from start to end, equal to `heldBytes` in the store. */
function bytesOf({ plots, ruleset, options, editions, groups, live }: NewJob): number {
  let bytes = ROW_BYTES.job;
  for (const text of [ruleset, options, editions, groups, live]) bytes += Buffer.byteLength(text);
  for (const plot of plots) {
    bytes += ROW_BYTES.plot + Buffer.byteLength(JSON.stringify(plot.id));
    bytes +=
      "error" in plot ? Buffer.byteLength(plot.error) : Buffer.byteLength(plot.input) + PLOT_LINE_BYTES;
  }
  return bytes;
}
