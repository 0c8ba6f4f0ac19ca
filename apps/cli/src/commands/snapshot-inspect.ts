import { crc32 } from "node:zlib";
import { openSnapshot } from "@groundrule/engine/build";
import type { Command } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { decimal } from "../format.ts";
import { readSnapshotBytes, snapshotPaths } from "../snapshot-files.ts";
import { printable } from "../terminal.ts";

export const snapshotInspectCommand: Command = {
  path: "snapshot inspect",
  summary: "Show what a snapshot contains",
  operands: "FILE|SOURCE…",
  operandCount: [1, 1024],
  options: [],
  details: ["The name of a source in the data folder means its current edition."],
  async run(args, terminal) {
    for (const { label, path } of snapshotPaths(args)) {
      const bytes = readSnapshotBytes(path);
      const snapshot = openSnapshot(bytes, { name: label, crc32 });
      const { manifest, ...meta } = snapshot.meta;
      const counts =
        snapshot.kind === "leaf"
          ? { rings: snapshot.layer.ringCount, positions: snapshot.layer.positionCount }
          : { identifiers: snapshot.identifiers.count };
      const { columns } = snapshot.attributes;
      if (args.flag("json") || !terminal.human) {
        await terminal.printJson({ ...meta, ...counts, byte_length: bytes.byteLength, columns, manifest });
        continue;
      }
      const { columns: _columns, ...described } = manifest;
      const facts: [string, unknown][] = [
        ...Object.entries(described),
        ...Object.entries(meta),
        ...Object.entries({ ...counts, bytes: bytes.byteLength }),
      ];
      for (const [name, value] of facts) {
        if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
        await terminal.print(`${name.padEnd(21)}  ${printable(inWords(value))}`);
      }
      await terminal.print(terminal.style("bold", "columns"));
      for (const { name, type } of columns) await terminal.print(`  ${type.padEnd(7)}  ${printable(name)}`);
    }
    return EXIT.done;
  },
};

function inWords(value: unknown): string {
  if (typeof value === "number") return decimal(value, 0);
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
