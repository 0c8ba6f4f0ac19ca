import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CHECKING_SOURCES, checksIn } from "../../../test/checking-sources.ts";
import { describeChecks } from "../../../test/snapshot-checks.ts";
import { FAULTS } from "../../../test/snapshot-faults.ts";
import { makeVersion1, SnapshotParts } from "../../../test/snapshot-file.ts";
import {
  smallAreaSnapshot,
  smallCoveredSnapshot,
  smallRegisterSnapshot,
} from "../../../test/snapshot-fixtures.ts";
import { HEADER } from "../format.ts";
import { openSnapshot, verifySnapshot } from "./reader.ts";

describeChecks("reader.ts");

describe("the faults made for checks", () => {
  it("are all of checks that there are", () => {
    const checks = new Set(CHECKING_SOURCES.flatMap((source) => [...checksIn(readFileSync(source, "utf8"))]));
    expect(FAULTS.map(({ check }) => check).filter((check) => !checks.has(check))).toEqual([]);
    expect(checks.size).toBeGreaterThan(40);
  });
});

describe("a file that was taken apart and sealed again", () => {
  it("is the same, and opens", () => {
    for (const file of [smallAreaSnapshot(), smallCoveredSnapshot(), smallRegisterSnapshot()]) {
      expect(new Uint8Array(new SnapshotParts(file).seal())).toEqual(new Uint8Array(file));
      verifySnapshot(file);
    }
  });
});

describe("a snapshot of another format version", () => {
  it("is refused with the version found and the one supported", () => {
    const file = smallAreaSnapshot();
    new DataView(file).setUint32(HEADER.version, 3, true);
    expect(() => openSnapshot(file, { name: "new.snapshot" })).toThrow(
      expect.objectContaining({
        code: "SNAPSHOT_VERSION_UNSUPPORTED",
        details: { name: "new.snapshot", found: 3, supported: [1, 2] },
      }),
    );
  });
});

describe("a snapshot of format version 1", () => {
  it("opens as today's does, its coverage undeclared", () => {
    for (const file of [smallAreaSnapshot(), smallRegisterSnapshot()]) {
      const parts = new SnapshotParts(file);
      makeVersion1(parts);
      const old = verifySnapshot(parts.seal());
      const today = openSnapshot(file);
      expect(old.meta).toEqual(today.meta);
      if (old.kind !== "leaf" || today.kind !== "leaf") continue;
      expect(old.coverage).toEqual({ extent: "undeclared" });
      expect(old.layer.chainBoxes).toEqual(today.layer.chainBoxes);
      expect(old.layer.index!.bytes).toEqual(today.layer.index!.bytes);
    }
  });
});
