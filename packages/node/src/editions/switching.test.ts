import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { EDITIONS, getAnsweredEdition, PLOT, RULESET, SOURCE } from "../../test/two-answers.ts";
import { openData } from "../open-data.ts";
import { installEdition } from "./install-edition.ts";
import { pruneEditions } from "./prune-editions.ts";
import { releasePin, useEdition } from "./use-edition.ts";

describe("switching under load", () => {
  it("answers every question on one edition, through roll-backs, removals and new builds", async () => {
    const dir = mkdtempSync(join(tmpdir(), "groundrule-switching-"));
    try {
      const east = (await installEdition(dir, EDITIONS.east())).meta.edition;
      const west = (await installEdition(dir, EDITIONS.west())).meta.edition;
      const random = createSeededRandom(75);
      const data = openData(dir);
      const switches: unknown[] = [];
      const stop = data.watch({ intervalMs: 1, onError: (error) => switches.push(error) });
      const counts = new Map<string, number>();
      const done = new AbortController();
      const asking = (async () => {
        while (!done.signal.aborted) {
          const verdict = data.compile(RULESET).evaluate({ geometry: PLOT }, { now: data.now() });
          const edition = getAnsweredEdition(verdict, { east, west });
          counts.set(edition, (counts.get(edition) ?? 0) + 1);
          await turn();
        }
      })();
      for (let i = 0; i < 30; i++) {
        const pin = random.next() < 0.5;
        await useEdition(dir, SOURCE, i % 2 === 0 ? east : west, { pin });
        if (random.next() < 0.3) await releasePin(dir, SOURCE);
        if (random.next() < 0.3) {
          await pruneEditions(dir, { keep: 1, isNeeded: () => false });
          for (const make of [EDITIONS.east, EDITIONS.west]) await installEdition(dir, make());
        }
        await new Promise((resolve) => setTimeout(resolve, 3));
      }
      done.abort();
      await asking;
      stop();
      expect(switches).toEqual([]);
      expect([...counts.keys()].sort()).toEqual([east, west].sort());
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
