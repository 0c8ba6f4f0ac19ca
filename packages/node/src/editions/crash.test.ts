import { cpSync } from "node:fs";
import { createSharedFolder } from "@groundrule/testing/folder";
import { beforeAll, describe, expect, it } from "vitest";
import { CHANGES, installThreeEditions, NAME } from "../../test/changes-to-crash.ts";
import { Crash, crashAfterSteps } from "../../test/crash-at.ts";
import { readCatalog } from "../catalog/catalog.ts";
import { openData } from "../open-data.ts";
import { listEditions } from "./list-editions.ts";
import { findPrunableItems } from "./prune-editions.ts";
import { verifyEditions } from "./verify-editions.ts";

const { at } = createSharedFolder();
const prepared = at("prepared");
beforeAll(() => installThreeEditions(prepared));
let copies = 0;

function copyOfPrepared(): string {
  const dir = at(`${++copies}`);
  cpSync(prepared, dir, { recursive: true });
  return dir;
}

/** The state that readers see: pins and the current edition. */
const seen = (dir: string) => {
  const { sources, pins } = readCatalog(dir);
  return JSON.stringify([sources.map(({ edition }) => edition), pins]);
};

/** Interrupts a change at its `step`-th change of a file. @returns true if it got that far */
async function interruptChange(
  dir: string,
  change: (dir: string) => Promise<unknown>,
  step: number,
): Promise<boolean> {
  const files = crashAfterSteps(step, () => {
    throw new Crash();
  });
  try {
    await change(dir);
    return false;
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    return true;
  } finally {
    files.restore();
  }
}

describe("a process that dies at any change of a file", () => {
  it.each(Object.entries(CHANGES))("leaves the old state or the new one: %s", async (name, change) => {
    const done = copyOfPrepared();
    const states = [seen(prepared)];
    await change(done);
    states.push(seen(done));
    let step = 0;
    for (; ; step++) {
      const dir = copyOfPrepared();
      if (!(await interruptChange(dir, change, step))) break;
      if (states.indexOf(seen(dir)) === -1) {
        // The only intermediate state, of the change that writes twice.
        expect(JSON.parse(seen(dir))[1], `step ${step}`).toMatchObject([{ source_name: NAME }]);
      }
      const data = openData(dir);
      expect(data.failures(), `step ${step}`).toEqual([]);
      const damaged = [...verifyEditions(dir)].filter(({ status }) => status !== "ok");
      expect(damaged, `step ${step}`).toEqual([]);
      // Repeating the change has the same result, and leaves nothing behind.
      if (readCatalog(dir).sources.length === 0) continue;
      if (name === "install" && step % 3 === 0) {
        await change(dir);
        expect(seen(dir)).toBe(states[1]);
        const left = findPrunableItems(dir, { keep: 9, isNeeded: () => true });
        expect(left.filter(({ what }) => what === "leftover")).toEqual([]);
        expect(listEditions(dir, NAME)).toHaveLength(4);
      }
    }
    expect(step).toBeGreaterThan(4);
  });
});
