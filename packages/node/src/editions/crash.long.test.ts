import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createSeededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { CHANGES, installThreeEditions } from "../../test/changes-to-crash.ts";
import { readCatalog } from "../catalog/catalog.ts";
import { openData } from "../open-data.ts";
import { verifyEditions } from "./verify-editions.ts";

const { at } = createFolderForEach();
const PROGRAM = new URL("../../test/die-at.ts", import.meta.url).pathname;
const FULL = process.env.GROUNDRULE_FULL !== undefined;
/** Number of steps of the longest change, and a few more. */
const STEPS = 24;

async function runUntil(dir: string, change: string, step: number): Promise<NodeJS.Signals | null> {
  const args = [PROGRAM, dir, change, String(step)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  if (signal === null) expect(code).toBe(0);
  return signal;
}

describe("a process that is killed at any change of a file", () => {
  const random = createSeededRandom(76);
  it.each(Object.keys(CHANGES))(
    "leaves a folder that opens: %s",
    async (change) => {
      await installThreeEditions(at("prepared"));
      let killed = 0;
      const steps = Array.from({ length: STEPS }, (_, step) => step);
      const chosen = steps.filter(() => FULL || random.next() < 0.15);
      for (const step of new Set([0, ...chosen])) {
        const dir = at(String(step));
        cpSync(at("prepared"), dir, { recursive: true });
        if ((await runUntil(dir, change, step)) === "SIGKILL") killed++;
        expect(openData(dir).failures(), `step ${step}`).toEqual([]);
        const damaged = [...verifyEditions(dir)].filter(({ status }) => status !== "ok");
        expect(damaged, `step ${step}`).toEqual([]);
        // The next writer gets the lock, and can make every change.
        await CHANGES.install!(dir);
        expect(readCatalog(dir).sources, `step ${step}`).toHaveLength(1);
      }
      expect(killed).toBeGreaterThan(0);
    },
    600_000,
  );
});
