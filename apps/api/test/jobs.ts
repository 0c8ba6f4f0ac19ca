import { randomBytes } from "node:crypto";
import type { Settlement, SettleOutcome } from "../src/ledger/arbitrate.ts";
import { formatJobKey } from "../src/ledger/job-key.ts";
import type { Scope } from "../src/ledger/scope.ts";
import type { NewJob, NewJobPlot } from "../src/store/port/jobs.ts";
import type { Store } from "../src/store/port/port.ts";
import { makeSettlement } from "./settlement.ts";

/** A job with nothing remarkable about it, but for what is said; of three plots. */
export function makeJob(scope: Scope, more: Partial<NewJob> = {}): NewJob {
  const id = `job_${randomBytes(16).toString("hex")}`;
  return {
    id,
    scope,
    apiKeyId: "key_1",
    idempotencyKey: id,
    fingerprint: "fingerprint",
    rulesetName: null,
    rulesetVersion: null,
    rulesetDigest: "0".repeat(64),
    ruleset: '{"sets":{},"checks":[]}',
    options: "null",
    editions: `{"uc_br":"${"a".repeat(64)}"}`,
    groups: "null",
    live: "{}",
    referenceId: null,
    plots: makePlots(3),
    ...more,
  };
}

/** Plots that can be evaluated. */
export function makePlots(count: number): readonly NewJobPlot[] {
  return Array.from({ length: count }, (_, i) => ({ id: `plot ${i}`, input: `{"number":${i}}` }));
}

/** Charges a plot of a job, as whoever evaluated it does. */
export function chargeJobPlot(
  store: Pick<Store, "settle">,
  { scope, id }: Pick<NewJob, "scope" | "id">,
  number: number,
  more: Partial<Settlement> = {},
): Promise<SettleOutcome> {
  const response = `{"data":{"number":${number}}}`;
  return store.settle(makeSettlement(scope, { key: formatJobKey(id, number), response, ...more }));
}
