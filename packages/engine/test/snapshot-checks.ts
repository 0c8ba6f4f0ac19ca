import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openSnapshot, verifySnapshot } from "../src/snapshot/read/reader.ts";
import { CHECKING_SOURCES, checksIn } from "./checking-sources.ts";
import { FAULTS } from "./snapshot-faults.ts";

/** Tests of one of the sources that check a file: each check has a file made for it, and finds it. */
export function describeChecks(file: string): void {
  const source = CHECKING_SOURCES.find(({ pathname }) => pathname.endsWith(`/${file}`));
  if (source === undefined) throw new Error(`${file} is no source that checks`);
  const checks = checksIn(readFileSync(source, "utf8"));
  const faults = FAULTS.filter(({ check }) => checks.has(check));

  describe(`the checks of ${file}`, () => {
    it("each have a fault made for them", () => {
      expect([...new Set(faults.map(({ check }) => check))].sort()).toEqual([...checks].sort());
    });

    it.each(faults.map((fault) => [fault.check, fault.fault, fault] as const))(
      "%s finds %s",
      (check, _, fault) => {
        const bytes = fault.make();
        if (fault.onVerify) expect(() => openSnapshot(bytes)).not.toThrow();
        const read = fault.onVerify ? verifySnapshot : openSnapshot;
        expect(() => read(bytes, { name: "x.snapshot" })).toThrow(
          expect.objectContaining({
            code: "SNAPSHOT_CORRUPT",
            details: expect.objectContaining({
              check,
              name: expect.stringMatching(/^x\.snapshot(, COVERAGE)?$/),
            }),
          }),
        );
      },
    );
  });
}
