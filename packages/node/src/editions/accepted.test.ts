import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSeededRandom } from "@groundrule/testing/random";
import { createBoxSource } from "@groundrule/testing/small-sources";
import { describe, expect, it } from "vitest";
import { readCatalogOrEmpty } from "../catalog/catalog.ts";
import { GUARDS } from "./guards.ts";
import { installEdition } from "./install-edition.ts";
import { listEditionsNewestFirst } from "./list-editions.ts";
import { removeEdition } from "./remove-edition.ts";
import { releasePin, useEdition } from "./use-edition.ts";

const NAME = "demo:parks";
const STEPS = 14;

/** An edition with `count` boxes of the same size; one edition may have less than half as many as another. */
const parks = (count: number) =>
  createBoxSource(
    NAME,
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`b${i}`, [2 * i, 0, 2 * i + 1, 1]])),
  );

/** Changes a folder at random, and checks every switch against the operator's actions. */
async function simulateFolder(dir: string, seed: number): Promise<Record<string, number>> {
  const random = createSeededRandom(seed);
  const counts = new Map<string, number>();
  const seen = { switched: 0, refused: 0, stayed: 0 };
  const current = () => readCatalogOrEmpty(dir).sources[0]?.edition;
  const isTooSmall = (edition: string, than: string) => counts.get(edition)! < counts.get(than)! / 2;
  const history: string[] = [];
  let day = 0;
  for (let step = 0; step < STEPS; step++) {
    const before = current();
    const where = `seed ${seed}, ${history.join(", ")}`;
    const kind = random.next();
    if (kind < 0.35 || before === undefined) {
      const count = 1 + Math.floor(random.next() * 12);
      const isAllowed = random.next() < 0.4;
      const builtAt = new Date(Date.UTC(2026, 0, 1 + day++)).toISOString();
      history.push(`build ${count}${isAllowed ? " allowed" : ""}`);
      const notes = { left_out: 0, built_at: builtAt };
      const allow = isAllowed ? GUARDS : [];
      const { meta, isCurrent } = await installEdition(dir, parks(count), notes, { allow });
      counts.set(meta.edition, count);
      expect(current() === meta.edition, where).toBe(isCurrent);
      if (!isCurrent) expect(current(), where).toBe(before);
      else if (before !== undefined && before !== meta.edition && !isAllowed) {
        expect(isTooSmall(meta.edition, before), where).toBe(false);
      }
    } else if (kind < 0.65) {
      const stored = listEditionsNewestFirst(dir, NAME);
      const { edition } = stored[Math.floor(random.next() * stored.length)]!;
      const pin = random.next() < 0.8;
      history.push(`use ${counts.get(edition)}${pin ? "" : " without pin"}`);
      await useEdition(dir, NAME, edition, { pin });
      expect(current(), where).toBe(edition);
    } else if (kind < 0.95) {
      const isAllowed = random.next() < 0.3;
      const places = listEditionsNewestFirst(dir, NAME).map(({ edition }) => edition);
      history.push(`release${isAllowed ? " allowed" : ""}`);
      const { edition, released, findings } = await releasePin(dir, NAME, { allow: isAllowed ? GUARDS : [] });
      expect(edition, where).toBe(current());
      if (findings.length > 0) {
        expect([released, edition], where).toEqual([false, before]);
        seen.refused++;
      } else if (edition === before) seen.stayed++;
      else {
        seen.switched++;
        if (!isAllowed) expect(isTooSmall(edition, before), where).toBe(false);
        // Never back to an edition built before the one in use.
        expect(places.indexOf(edition), where).toBeLessThan(places.indexOf(before));
      }
    } else {
      const other = listEditionsNewestFirst(dir, NAME).find(({ edition }) => edition !== before);
      if (other === undefined) continue;
      history.push(`remove ${counts.get(other.edition)}`);
      await removeEdition(dir, NAME, other.edition);
    }
  }
  return seen;
}

describe("random sequences of builds, uses, releases and removals", () => {
  it("never switch to an edition that a guard refuses unless the operator allowed or named it", async () => {
    const total: Record<string, number> = { switched: 0, refused: 0, stayed: 0 };
    const runs = process.env.GROUNDRULE_FULL === undefined ? 20 : 1000;
    for (let seed = 1; seed <= runs; seed++) {
      const dir = mkdtempSync(join(tmpdir(), "groundrule-accepted-"));
      try {
        for (const [what, count] of Object.entries(await simulateFolder(dir, seed))) total[what]! += count;
      } finally {
        rmSync(dir, { recursive: true, force: true });
      }
    }
    for (const count of Object.values(total)) expect(count).toBeGreaterThan(0);
  }, 600_000);
});
