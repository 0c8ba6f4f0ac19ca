/** Pattern of a job's id: {@link formatJobKey} needs it to distinguish its keys from others. */
export const JOB_ID_PATTERN: RegExp = /^job_[0-9a-f]{32}$/;

const JOB_KEY = /^job\/(job_[0-9a-f]{32})\/(0|[1-9][0-9]{0,4})$/;

/**
 * The idempotency key under which a plot of a job is charged. No caller can send one: `/` is outside of what a
 * key may contain.
 *
 * @param number of the plot, from 0
 */
export function formatJobKey(jobId: string, number: number): string {
  return `job/${jobId}/${number}`;
}

/** Parses the job and plot from a key; undefined for a caller's key. */
export function parseJobKey(
  key: string | null,
): { readonly jobId: string; readonly number: number } | undefined {
  const [, jobId, number] = (key === null ? null : JOB_KEY.exec(key)) ?? [];
  return jobId === undefined ? undefined : { jobId, number: Number(number) };
}
