import { createSquarePolygon } from "@groundrule/testing/shapes";
import { expect, it } from "vitest";
import { openPostgis } from "../src/index.ts";
import { createBothEngines, fetchCandidates, MANIFEST, type TableRow } from "./areas-table.ts";
import { type LinkFault, startFaultyLink } from "./faulty-link.ts";

/** Deadline in milliseconds; every failure must be reported within a few times of it. */
const DEADLINE_MS = 1_000;

/** Tests of a provider's behaviour under faults, on a server with `rows` in the table `areas`. */
export function testOutages(
  server: () => { readonly port: number; readonly url: string },
  rows: readonly TableRow[],
): void {
  const plot = createSquarePolygon(0, 0, 0.5);
  const through = async (faulty: LinkFault, check: (answer: unknown, ms: number) => void): Promise<void> => {
    const { port, url } = server();
    const link = await startFaultyLink(port);
    const { live } = createBothEngines(rows);
    const provider = openPostgis(
      {
        kind: "postgis",
        connection: url.replace(`:${port}/`, `:${link.port}/`),
        table: "areas",
        geometry: "geom",
        deadline_ms: DEADLINE_MS,
        pool_size: 1,
      },
      MANIFEST,
      { failuresInARow: 2, pauseMs: 50 },
    );
    try {
      expect(await fetchCandidates(provider, live, plot)).toHaveProperty("candidates");
      link.fault = faulty;
      const before = performance.now();
      check(await fetchCandidates(provider, live, plot), performance.now() - before);
      await fetchCandidates(provider, live, plot);
      await fetchCandidates(provider, live, plot);
      if (faulty !== "delays") expect(provider.breaker).toBe("open");
      link.fault = "none";
      // Without a restart: the next trial question finds the database again.
      let answer: object = {};
      for (let tries = 0; tries < 40 && !("candidates" in answer); tries++) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        answer = await fetchCandidates(provider, live, plot);
      }
      expect(answer).toHaveProperty("candidates");
      expect(provider.breaker).toBe("closed");
    } finally {
      await provider.close();
      await link.close();
    }
  };
  const failed = (answer: unknown): string => {
    expect(answer).toHaveProperty("failed");
    return (answer as { failed: string }).failed;
  };

  it.each(["drops", "cuts", "garbles", "drips"] as const)(
    "fails in time where the link %s answers, leaves the database alone, and recovers",
    (fault) =>
      through(fault, (answer, ms) => {
        expect(failed(answer)).not.toMatch(/127\.0\.0\.1|postgres:|password/);
        expect(ms).toBeLessThan(10 * DEADLINE_MS);
      }),
    30_000,
  );

  it(
    "answers where the link is slow but within the deadline",
    () => through("delays", (answer) => expect(answer).toHaveProperty("candidates")),
    30_000,
  );
}
