import { describe, expect, it } from "vitest";
import { seedOr } from "../seed.ts";
import { chargeExactlyOnce } from "./exactly-once.ts";
import { FAULTS } from "./faulty-proxy.ts";

// `GROUNDRULE_FULL=1` makes 10,000 calls, as `node apps/api/test/experiment.ts client` does.
const CALLS = process.env.GROUNDRULE_FULL === undefined ? 500 : 10_000;
const seed = seedOr(1_103);

describe("the client, through a network that loses, delays, repeats and cuts", () => {
  it(`gets an answer to each of ${CALLS} calls, and is charged for each exactly once`, async () => {
    const report = await chargeExactlyOnce(CALLS, seed);
    expect(report.requests).toBeGreaterThan(CALLS * 1.3);
    expect(report.replayed).toBeGreaterThan(CALLS / 10);
    for (const fault of FAULTS) expect(report.faults[fault], fault).toBeGreaterThan(0);
  });

  it("would be charged more than once if each attempt had a key of its own", async () => {
    const broken = chargeExactlyOnce(60, seed, {
      wrap: (fetch) => (url, init) => {
        const headers = new Headers(init.headers);
        if (headers.has("Idempotency-Key")) headers.set("Idempotency-Key", crypto.randomUUID());
        return fetch(url, { ...init, headers });
      },
    });
    await expect(broken).rejects.toThrow("the usage is not the number of calls");
  });
});
