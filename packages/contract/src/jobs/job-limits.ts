/** Maximum unfinished jobs of an organization and mode. */
export const JOBS_UNFINISHED_MAX = 2;
/** Lines of a page of a job's results: the maximum and the default. */
export const JOB_RESULTS_MAX = 1_000;
/** How long a job's upload and error lines are kept after its end, milliseconds: 7 days. */
export const JOB_RETENTION_MS: number = 7 * 86_400_000;
/**
 * How long a job may remain unfinished, milliseconds: 35 days, so that one that waits for a quota reaches the next
 * billing period.
 */
export const JOB_UNFINISHED_MS: number = 35 * 86_400_000;
