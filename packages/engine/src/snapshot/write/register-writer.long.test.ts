import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import { describe, expect, it } from "vitest";
import { openSnapshot } from "../read/reader.ts";
import type { RegisterSnapshot } from "../snapshot.ts";
import { createRegisterWriter } from "./register-writer.ts";
import { MemorySpill, type Spill } from "./spill.ts";

/** More than a chunk of the writer's lists. */
const COUNT = 66_000;
const sha256 = () => createHash("sha256");

describe("createRegisterWriter", () => {
  it("writes the same bytes whether records leave the memory or not, and as they came or with identifiers later", () => {
    const spill = new MemorySpill();
    const spilled = write(spill, false);
    expect(Buffer.compare(Buffer.from(spilled), Buffer.from(write(undefined, true)))).toBe(0);
    const { attributes, identifiers, meta } = openSnapshot(spilled) as RegisterSnapshot;
    expect([identifiers.count, meta.schemes]).toEqual([COUNT * 1.5, ["a:a", "b:b"]]);
    const last = COUNT - 1;
    expect([attributes.id(last), attributes.name(last)]).toEqual([`id-${last}`, `name ${last}`]);
    expect({ ...attributes.properties(last) }).toEqual({
      n: null,
      flag: false,
      day: "2020-01-22",
      text: `t${last % 999}`,
    });
    expect(identifiers.find("b:b", `B${last - 1}`)).toEqual([
      { scheme: "b:b", value: `b-${last - 1}`, row: last - 1 },
    ]);
  });
});

function write(spill: Spill | undefined, isLater: boolean): ArrayBuffer {
  const writer = createRegisterWriter(
    { source_name: "test:register", kind: "subject_register" },
    { spill, crc32, sha256 },
  );
  for (let i = 0; i < COUNT; i++) {
    const id = `id-${i}`;
    const identifiers = [
      { scheme: "a:a", value: `${(i * 7_919) % COUNT}` },
      ...(i % 2 === 0 ? [{ scheme: "b:b", value: `b-${i}` }] : []),
    ];
    const properties = {
      n: i % 3 === 2 ? null : i / 2,
      flag: i % 2 === 0,
      day: `2020-01-${10 + (i % 19)}`,
      text: `t${i % 999}`,
    };
    writer.add({ id, name: `name ${i}`, properties, identifiers: isLater ? [] : identifiers });
    if (isLater) for (const identifier of identifiers) writer.addIdentifier(i, id, identifier);
  }
  return joinFileBytes(writer.finish());
}
