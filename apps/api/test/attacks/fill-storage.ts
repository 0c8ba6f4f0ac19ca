import { gzipSync } from "node:zlib";
import { createSmallWorld } from "@groundrule/testing/small-world";
import { DEFAULT_JOBS } from "../../src/jobs/job-runner.ts";
import type { HoldingLimits } from "../../src/ledger/holdings.ts";
import { findSqlitePath, openStore } from "../../src/store/open-store.ts";
import { HttpCaller } from "../http.ts";
import { PARKS_RULESET } from "../jobs-over-http.ts";
import { createTestOrganization, startService } from "../service.ts";
import { runSqlPastStore } from "../store-places.ts";
import { requireNothingOver } from "./figures.ts";

const MIB = 1024 * 1024;
/** Bytes of each upload, once unpacked. */
const UPLOAD_BYTES = 1.5 * MIB;
const AT_ONCE = 4;
const POOR_ATTEMPTS = 4;
/** As long as a ruleset can be without saying anything. */
const NOT_EXAMINED: readonly string[] = Array(32).fill("x".repeat(1_024));
const RULESET_BYTES = 32 * 1_024;

/**
 * One organization sends as many bytes as it can without paying: jobs that it cancels at once, packed, and rulesets.
 * Another has no quota and tries the same. What lies in the database is counted there, not asked of the service.
 *
 * @param attemptedBytes of uploads
 * @param tidyMs how often what was cancelled is deleted
 */
export async function fillStorage(
  url: string,
  attemptedBytes: number,
  limits: Pick<HoldingLimits, "job_bytes" | "ruleset_bytes">,
  tidyMs: number = DEFAULT_JOBS.tidyMs,
): Promise<object> {
  const store = await openStore(url, { role: "serve", absent: "make" });
  // Nobody runs jobs: what is not cancelled stays.
  const service = await startService(createSmallWorld(), {
    store,
    holdings: limits,
    jobs: { atOnce: 0, tidyMs },
  });
  try {
    const over: string[] = [];
    const poor = await createTestOrganization(store, { quota: 0 });
    const answers = new Map<string, number>();
    let attempted = 0;
    let most = 0;
    const measure = async (): Promise<void> => {
      const stored = await measureStoredBytes(url, service.organization);
      most = Math.max(most, stored.job_bytes);
      for (const kind of ["job_bytes", "ruleset_bytes"] as const) {
        if (stored[kind] > limits[kind])
          over.push(`${kind}: ${stored[kind]} stored, ${limits[kind]} allowed`);
      }
      const ofPoor = await measureStoredBytes(url, poor.organization);
      if (ofPoor.job_bytes > 0) over.push(`${ofPoor.job_bytes} bytes of jobs without a quota`);
    };
    const body = makePackedUpload(UPLOAD_BYTES);
    const flood = async (who: HttpCaller, name: string, most = Number.POSITIVE_INFINITY): Promise<void> => {
      for (let i = 0; attempted < attemptedBytes && i < most; i++) {
        attempted += UPLOAD_BYTES;
        const sent = await sendPackedJob(who, body, `${name}-${i}`);
        if (sent.id === undefined) answers.set(sent.code!, (answers.get(sent.code!) ?? 0) + 1);
        else await who.post(`/v1/jobs/${sent.id}/cancel`, "");
        if (i % 16 === 0) await measure();
      }
    };
    const rich = new HttpCaller(service);
    const floods = Array.from({ length: AT_ONCE }, (_, i) => flood(rich, `flood-${i}`));
    await Promise.all([...floods, flood(rich.with(poor.key), "poor-flood", POOR_ATTEMPTS)]);
    for (let published = 0; published <= limits.ruleset_bytes; published += RULESET_BYTES) {
      const ruleset = { name: `filled-${published}`, not_examined: NOT_EXAMINED, ...PARKS_RULESET };
      const { status } = await rich.post("/v1/rulesets", ruleset, {
        "Idempotency-Key": `filled-${published}`,
      });
      const answer = status === 201 ? "published" : `a ruleset: ${status}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
    }
    await measure();
    for (const expected of ["HOLDING_LIMIT_REACHED", "QUOTA_EXCEEDED", "published", "a ruleset: 429"]) {
      if (!answers.has(expected)) over.push(`${expected} was never met`);
    }
    // Others are not touched by it.
    const other = await createTestOrganization(store);
    const sent = await sendPackedJob(rich.with(other.key), body, "of-another");
    if (sent.id === undefined) over.push(`another organization is refused with ${sent.code}`);
    const figures = {
      attempted,
      most,
      answers: Object.fromEntries(answers),
      ...(await measureDatabaseSize(url)),
    };
    return requireNothingOver(figures, over);
  } finally {
    await service.stop();
    await store.close();
  }
}

/** Plots that are lines of the upload, packed. */
function makePackedUpload(bytes: number): Buffer {
  const ring = Array.from({ length: 1_000 }, (_, i) => [Math.cos(i / 160), Math.sin(i / 160)]);
  const geometry = { type: "Polygon", coordinates: [[...ring, ring[0]]] };
  const lines = [JSON.stringify({ ruleset: PARKS_RULESET })];
  const line = JSON.stringify({ type: "Feature", geometry, properties: null });
  for (let length = 0; length < bytes; length += line.length) lines.push(line);
  return gzipSync(lines.join("\n"));
}

async function sendPackedJob(
  caller: HttpCaller,
  body: Buffer,
  idempotencyKey: string,
): Promise<{ readonly id?: string; readonly code?: string }> {
  const response = await caller.post("/v1/jobs", body, {
    "Content-Type": "application/x-ndjson",
    "Content-Encoding": "gzip",
    "Idempotency-Key": idempotencyKey,
  });
  const answer = (await response.json()) as {
    readonly data?: { readonly id: string };
    readonly code?: string;
  };
  return answer.data === undefined ? { code: answer.code ?? `${response.status}` } : { id: answer.data.id };
}

type StoredBytes = Record<"job_bytes" | "ruleset_bytes", number>;

/** Bytes of texts that lie in the tables. */
async function measureStoredBytes(url: string, organization: string): Promise<StoredBytes> {
  const length = (columns: readonly string[]): string =>
    `sum(${columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ")})`;
  const [row] = await runSqlPastStore(
    url,
    `SELECT
      (SELECT coalesce(${length(["ruleset", "options", "editions", "groups", "live"])}, 0) FROM job
        WHERE organization = '${organization}')
      + (SELECT coalesce(${length(["plot_id", "input", "input_digest", "error"])}, 0) FROM job_plot
        WHERE job_id IN (SELECT id FROM job WHERE organization = '${organization}')) AS job_bytes,
      (SELECT coalesce(${length(["body"])}, 0) FROM ruleset WHERE organization = '${organization}')
      + (SELECT coalesce(${length(["response"])}, 0) FROM publication WHERE organization = '${organization}')
      AS ruleset_bytes`,
  );
  return { job_bytes: Number(row!.job_bytes), ruleset_bytes: Number(row!.ruleset_bytes) };
}

async function measureDatabaseSize(url: string): Promise<Record<string, unknown>> {
  const text =
    findSqlitePath(url) === undefined
      ? "SELECT pg_database_size(current_database()) AS database_bytes"
      : "SELECT page_count * page_size AS database_bytes FROM pragma_page_count, pragma_page_size";
  return (await runSqlPastStore(url, text))[0]!;
}
