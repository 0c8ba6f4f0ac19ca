import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { CHANGES, prepare } from "../../test/changes-to-crash.ts";
import { readCatalog } from "../catalog/catalog.ts";
import { openData } from "../open-data.ts";
import { verifyEditions } from "./verify-editions.ts";

const PROGRAM = new URL("../../test/die-at.ts", import.meta.url).pathname;
const FULL = process.env.GROUNDRULE_FULL !== undefined;
/** Steps of the longest change, and a few more. */
const STEPS = 24;

async function runUntil(dir: string, change: string, step: number): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [PROGRAM, dir, change, String(step)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code, signal] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  if (signal === null) expect(code).toBe(0);
  return signal;
}

describe("a process that is killed at any change of a file", () => {
  const random = seededRandom(76);
  it.each(Object.keys(CHANGES))(
    "leaves a folder that opens: %s",
    async (change) => {
      const root = mkdtempSync(join(tmpdir(), "groundrule-killed-"));
      try {
        const prepared = join(root, "prepared");
        await prepare(prepared);
        let killed = 0;
        const chosen = Array.from({ length: STEPS }, (_, step) => step).filter(
          () => FULL || random.next() < 0.15,
        );
        for (const step of new Set([0, ...chosen])) {
          const dir = join(root, String(step));
          cpSync(prepared, dir, { recursive: true });
          if ((await runUntil(dir, change, step)) === "SIGKILL") killed++;
          expect(openData(dir).failures(), `step ${step}`).toEqual([]);
          expect(
            [...verifyEditions(dir)].filter(({ status }) => status !== "ok"),
            `step ${step}`,
          ).toEqual([]);
          // Whoever comes next gets the lock, and can make every change.
          await CHANGES.install!(dir);
          expect(readCatalog(dir).sources, `step ${step}`).toHaveLength(1);
        }
        expect(killed).toBeGreaterThan(0);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    },
    600_000,
  );
});
