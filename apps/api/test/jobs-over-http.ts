import { type Job, type JobResult, jobResponseShape, jobResultShape } from "@groundrule/contract";
import { readShape } from "@groundrule/engine/internal";
import { createSquarePlot } from "@groundrule/testing/small-world";
import { expect } from "vitest";
import { HttpCaller } from "./http.ts";

export const PARKS_RULESET = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "parks", set: "parks", outcome: "WARNING" }],
};

/** Plots of the small world, each with an id of its own and none like another. */
export function makePlotFeatures(count: number): object[] {
  return Array.from({ length: count }, (_, i) => ({
    type: "Feature",
    id: `plot ${i}`,
    geometry: createSquarePlot(0.02 + (i % 1000) * 0.0001, 0.05),
    properties: null,
  }));
}

/** Sends jobs and follows them as a caller does. */
export class JobCaller extends HttpCaller {
  send(
    features: readonly unknown[],
    key: string,
    terms: object = { ruleset: PARKS_RULESET },
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const lines = [terms, ...features].map((line) => JSON.stringify(line)).join("\n");
    return this.post("/v1/jobs", lines, {
      "Content-Type": "application/x-ndjson",
      "Idempotency-Key": key,
      ...headers,
    });
  }

  async find(id: string): Promise<Job> {
    return readJobResponse(await this.get(`/v1/jobs/${id}`));
  }

  /** Waits until a job has come so far. */
  async until(id: string, isThere: (job: Job) => boolean, timeoutMs = 20_000): Promise<Job> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const job = await this.find(id);
      if (isThere(job)) return job;
      if (performance.now() > deadline) throw new Error(`the job stayed ${JSON.stringify(job)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** All lines of a job's results, page by page. */
  async results(id: string, limit = 1000): Promise<JobResult[]> {
    const results: JobResult[] = [];
    for (let from = 0; ; ) {
      const response = await this.get(`/v1/jobs/${id}/results?from=${from}&limit=${limit}`);
      expect(response.status).toBe(200);
      const lines = (await response.text()).split("\n").filter((line) => line !== "");
      results.push(...lines.map((line) => readShape(jobResultShape, JSON.parse(line))));
      const next = Number(response.headers.get("X-Next-From"));
      if (next === from) return results;
      from = next;
    }
  }
}

/** The job that an answer tells of. */
export async function readJobResponse(response: Response): Promise<Job> {
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return readShape(jobResponseShape, await response.json()).data;
}

export const isFinal = ({ status }: Job): boolean => status === "done" || status === "cancelled";
