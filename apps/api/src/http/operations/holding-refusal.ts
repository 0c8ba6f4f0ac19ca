import type { HoldingExcess, HoldingKind } from "../../ledger/holdings.ts";
import { HttpRefusal } from "../exchange/http-refusal.ts";

/** A refusal to store more than an organization may hold. */
export function holdingLimitRefusal({ holding, held, requested, limit }: HoldingExcess): HttpRefusal {
  const { what, mend, retryAfterSeconds } = WORDS[holding];
  return new HttpRefusal(
    "HOLDING_LIMIT_REACHED",
    `The organization holds ${held} ${what} in this mode, and the request needs ${requested} more; the limit is ${limit}. ${mend}`,
    {
      details: { holding, held, requested, limit },
      headers: { "Retry-After": String(retryAfterSeconds) },
    },
  );
}

/** Uploads go within a minute of a job's end; of rulesets nothing goes, so that only a higher limit makes room. */
const MINUTE = 60;
const DAY = 86_400;

const WORDS: Readonly<
  Record<HoldingKind, { readonly what: string; readonly mend: string; readonly retryAfterSeconds: number }>
> = {
  job_bytes: {
    what: "bytes of jobs",
    mend: "Cancel a job, or wait until one is done: its plots are deleted within a minute. The rest of a job is deleted seven days after its end.",
    retryAfterSeconds: MINUTE,
  },
  ruleset_bytes: {
    what: "bytes of rulesets",
    mend: "Published rulesets cannot be deleted; send this one inline with each request, or have the limit raised.",
    retryAfterSeconds: DAY,
  },
  ruleset_names: {
    what: "names of rulesets",
    mend: "Publish the ruleset as a version of a name that exists, or have the limit raised.",
    retryAfterSeconds: DAY,
  },
  ruleset_versions: {
    what: "versions of this ruleset",
    mend: "Publish the ruleset under another name, or have the limit raised.",
    retryAfterSeconds: DAY,
  },
};
