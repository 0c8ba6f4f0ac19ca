import type { EvaluateRequestOptions } from "@groundrule/contract";
import type { Policy } from "@groundrule/engine";
import type { ReadJob } from "@groundrule/service";
import type { NewJob, StoredJob } from "../store/port/jobs.ts";

/** The terms under which every plot of a job is evaluated. */
export interface JobTerms {
  readonly options: EvaluateRequestOptions | null;
  /** Editions by source name: every plot is evaluated on them. */
  readonly editions: ReadJob["editions"];
  /** Sources that could not be opened when the job was created, and why. */
  readonly failed: ReadJob["failed"];
  readonly groups: ReadJob["groups"];
  readonly live: Policy["live"];
}

type TermTexts = Pick<NewJob, "ruleset" | "options" | "editions" | "groups" | "live">;

/** The terms of an upload in their stored form. */
export function toTermTexts(read: ReadJob): TermTexts {
  const { ruleset, options, editions, failed, groups, live } = read;
  return {
    ruleset,
    options: JSON.stringify({ options, failed }),
    editions: JSON.stringify(editions),
    groups: JSON.stringify(groups),
    live: JSON.stringify(live),
  };
}

/** The editions of a job in their stored form. */
export function toJobEditions({ editions }: Pick<NewJob, "editions">): JobTerms["editions"] {
  return JSON.parse(editions) as JobTerms["editions"];
}

/** The terms of a job that has not expired. */
export function readJobTerms(job: StoredJob): JobTerms {
  const { options, failed } = JSON.parse(job.options) as Pick<JobTerms, "options" | "failed">;
  return {
    options,
    failed,
    editions: toJobEditions(job),
    groups: JSON.parse(job.groups) as JobTerms["groups"],
    live: JSON.parse(job.live) as JobTerms["live"],
  };
}
