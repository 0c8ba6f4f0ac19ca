import type { EvaluateRequestOptions } from "@groundrule/contract";
import type { Policy } from "@groundrule/engine";
import type { ReadJob } from "@groundrule/service";
import type { NewJob, StoredJob } from "../store/port/jobs.ts";

/** What every plot of a job is judged by. */
export interface JobTerms {
  readonly options: EvaluateRequestOptions | null;
  /** By source name: those that every plot is examined with. */
  readonly editions: ReadJob["editions"];
  /** Sources that could not be opened when the job was made, and why. */
  readonly failed: ReadJob["failed"];
  readonly groups: ReadJob["groups"];
  readonly live: Policy["live"];
}

type TermTexts = Pick<NewJob, "ruleset" | "options" | "editions" | "groups" | "live">;

/** The terms of an upload, as a store keeps them. */
export function textsOfTerms(read: ReadJob): TermTexts {
  const { ruleset, options, editions, failed, groups, live } = read;
  return {
    ruleset,
    options: JSON.stringify({ options, failed }),
    editions: JSON.stringify(editions),
    groups: JSON.stringify(groups),
    live: JSON.stringify(live),
  };
}

/** The editions of a job, as a store keeps them. */
export function editionsOfJob({ editions }: Pick<NewJob, "editions">): JobTerms["editions"] {
  return JSON.parse(editions) as JobTerms["editions"];
}

/** The terms of a job that has not expired. */
export function termsOfJob(job: StoredJob): JobTerms {
  const { options, failed } = JSON.parse(job.options) as Pick<JobTerms, "options" | "failed">;
  return {
    options,
    failed,
    editions: editionsOfJob(job),
    groups: JSON.parse(job.groups) as JobTerms["groups"],
    live: JSON.parse(job.live) as JobTerms["live"],
  };
}
