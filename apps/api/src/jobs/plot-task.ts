import { EVIDENCE_DEFAULT, JSON_TYPE, type Limits } from "@groundrule/contract";
import type { BodyTask, SavedBody, SentBody } from "@groundrule/service";
import type { JobPlot, StoredJob } from "../store/port/jobs.ts";
import type { JobTerms } from "./job-terms.ts";

/** The route whose answers a job stores as its verdicts. */
export const PLOT_ROUTE = "/v1/evaluate";

/** Turns the plots of a job into the evaluation requests that a caller would send one by one, at the job's instant. */
export function plotTasks(
  job: StoredJob,
  { options }: JobTerms,
  { engineVersion, limits }: { readonly engineVersion: string; readonly limits?: Limits | undefined },
): (plot: Pick<JobPlot, "input">) => BodyTask {
  const { rulesetName: name, rulesetVersion: version, ruleset, referenceId, scope } = job;
  const saved: SavedBody | undefined =
    name === null || version === null ? undefined : { name, version, body: ruleset };
  const named =
    saved === undefined ? `"ruleset":${ruleset}` : `"ruleset_id":"${saved.name}@${saved.version}"`;
  const rest = [
    named,
    ...(options === null ? [] : [`"options":${JSON.stringify(options)}`]),
    ...(referenceId === null ? [] : [`"reference_id":${JSON.stringify(referenceId)}`]),
  ].join();
  const call: Omit<BodyTask, "body"> = {
    step: "answer",
    route: PLOT_ROUTE,
    query: { evidence_limit: EVIDENCE_DEFAULT, lint: false, explain: false },
    mediaType: JSON_TYPE,
    requestId: job.id,
    engineVersion,
    now: new Date(job.evaluatedAtMs).toISOString(),
    organization: scope.organization,
    mode: scope.mode,
    inBackground: true,
    ...(limits !== undefined && { limits }),
    ...(saved !== undefined && { saved }),
  };
  return ({ input }) => ({ ...call, body: sentBody(`{"input":${input},${rest}}`) });
}

/** Texts of at least this length share their memory with the thread that parses them. */
const SHARED_FROM_CHARACTERS = 65_536;

function sentBody(text: string): SentBody {
  const bytes = Buffer.from(text);
  if (bytes.length < SHARED_FROM_CHARACTERS) return bytes.toString("latin1");
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
