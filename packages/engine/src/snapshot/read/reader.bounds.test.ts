import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CHECKING_SOURCES, FAULTS, REFUSAL } from "../../../test/snapshot-faults.ts";
import { SnapshotParts } from "../../../test/snapshot-file.ts";
import { smallAreaSnapshot, smallRegisterSnapshot } from "../../../test/snapshot-fixtures.ts";
import { HEADER } from "../format.ts";
import { openSnapshot, verifySnapshot } from "./reader.ts";

describe("the reader's checks", () => {
  it.each(FAULTS.map((fault) => [fault.check, fault.fault, fault] as const))(
    "%s finds %s",
    (check, _, fault) => {
      const file = fault.make();
      if (fault.onVerify) expect(() => openSnapshot(file)).not.toThrow();
      const read = fault.onVerify ? verifySnapshot : openSnapshot;
      expect(() => read(file, { name: "x.snapshot" })).toThrow(
        expect.objectContaining({
          code: "SNAPSHOT_CORRUPT",
          details: expect.objectContaining({ check, name: "x.snapshot" }),
        }),
      );
    },
  );

  it("each have a fault made for them", () => {
    const sources = CHECKING_SOURCES.map((source) => readFileSync(source, "utf8")).join("\n");
    const named = new Set([...sources.matchAll(REFUSAL)].map((match) => match[2]));
    expect([...new Set(FAULTS.map(({ check }) => check))].sort()).toEqual([...named].sort());
    expect(named.size).toBeGreaterThan(40);
  });

  it("let a valid file pass after it was taken apart and sealed again", () => {
    for (const file of [smallAreaSnapshot(), smallRegisterSnapshot()]) {
      expect(new Uint8Array(new SnapshotParts(file).seal())).toEqual(new Uint8Array(file));
      verifySnapshot(file);
    }
  });
});

describe("a snapshot of another format version", () => {
  it("is refused with the version found and the one supported", () => {
    const file = smallAreaSnapshot();
    new DataView(file).setUint32(HEADER.version, 2, true);
    expect(() => openSnapshot(file, { name: "new.snapshot" })).toThrow(
      expect.objectContaining({
        code: "SNAPSHOT_VERSION_UNSUPPORTED",
        details: { name: "new.snapshot", found: 2, supported: 1 },
      }),
    );
  });
});
