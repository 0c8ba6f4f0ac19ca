import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CHECKING_SOURCES, listCheckNames } from "../../../test/checking-sources.ts";
import { FAULTS } from "../../../test/snapshot-faults.ts";
import { SnapshotParts } from "../../../test/snapshot-file.ts";
import {
  makeSmallAreaSnapshot,
  makeSmallCoveredSnapshot,
  makeSmallLeftOutSnapshot,
  makeSmallRegisterSnapshot,
} from "../../../test/snapshot-fixtures.ts";
import { HEADER } from "../format.ts";
import { openSnapshot, verifySnapshot } from "./reader.ts";

describe("the checks of a file", () => {
  it("each have a fault made for them, and no fault is of another", () => {
    const checks = CHECKING_SOURCES.flatMap((source) => [...listCheckNames(readFileSync(source, "utf8"))]);
    expect(new Set(FAULTS.map(({ check }) => check))).toEqual(new Set(checks));
    expect(checks.length).toBeGreaterThan(40);
  });

  it.each(FAULTS)("$check finds $fault", ({ check, make, onVerify }) => {
    const bytes = make();
    if (onVerify) expect(() => openSnapshot(bytes)).not.toThrow();
    const read = onVerify ? verifySnapshot : openSnapshot;
    const name = expect.stringMatching(/^x\.snapshot(, COVERAGE)?$/);
    expect(() => read(bytes, { name: "x.snapshot" })).toThrow(
      expect.objectContaining({
        code: "SNAPSHOT_CORRUPT",
        details: expect.objectContaining({ check, name }),
      }),
    );
  });
});

describe("a file that was taken apart and sealed again", () => {
  it("is the same, and opens", () => {
    for (const file of [
      makeSmallAreaSnapshot(),
      makeSmallCoveredSnapshot(),
      makeSmallLeftOutSnapshot(),
      makeSmallRegisterSnapshot(),
    ]) {
      expect(new Uint8Array(new SnapshotParts(file).seal())).toEqual(new Uint8Array(file));
      verifySnapshot(file);
    }
  });
});

describe("a snapshot of another format version", () => {
  it("is refused with the version found and those supported", () => {
    for (const found of [1, 5]) {
      const file = makeSmallAreaSnapshot();
      new DataView(file).setUint32(HEADER.version, found, true);
      expect(() => openSnapshot(file, { name: "other.snapshot" })).toThrow(
        expect.objectContaining({
          code: "SNAPSHOT_VERSION_UNSUPPORTED",
          message: expect.stringContaining("build the snapshot again from its source"),
          details: { name: "other.snapshot", found, supported: [2, 3, 4] },
        }),
      );
    }
  });
});
