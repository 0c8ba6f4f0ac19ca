import { type DestinationStream, type Logger, pino } from "pino";
import type { JobEvent } from "../../jobs/job-runner.ts";
import { hideApiKeys } from "../../keys/api-key.ts";
import type { RequestEvent } from "./metrics.ts";

/** The service's log: JSON lines. Never what was asked about, nor anything of an API key but its id. */
export interface ServiceLog {
  request(event: RequestEvent): void;
  /** A step in the life of a job. */
  job(event: JobEvent): void;
  /** An error that is ours. */
  error(error: unknown, requestId?: string): void;
  /** Something that the operator should know, with members of the line beside the message. */
  note(message: string, members?: Readonly<Record<string, unknown>>): void;
  /** Something that the operator should look into. */
  warn(message: string): void;
}

export function serviceLog(destination: DestinationStream): ServiceLog {
  const logger: Logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    // Errors of ours may quote what a caller sent: a key that was put in the wrong place, above all.
    { write: (line) => destination.write(hideApiKeys(line)) },
  );
  return {
    request: ({ requestId, keyId, durationMs, ...event }) =>
      logger.info({
        request_id: requestId,
        ...event,
        key_id: keyId,
        duration_ms: Math.round(durationMs * 1_000) / 1_000,
      }),
    job: ({ jobId, event, ...more }) => logger.info({ job_id: jobId, ...more }, `job ${event}`),
    error: (error, requestId) => logger.error({ request_id: requestId, err: error }, "internal error"),
    note: (message, members = {}) => logger.info(members, message),
    warn: (message) => logger.warn(message),
  };
}
