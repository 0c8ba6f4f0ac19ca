import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Polygons } from "@groundrule/testing/shapes";
import { newestGeos } from "./geos-library.ts";

/** bench/peers/geos.c at work on one scenario. */
export interface GeosProcess {
  readonly version: string;
  /** One pass over some of the plots in a mode of geos.c. */
  pass(mode: string, from: number, count: number, radius?: number): Promise<GeosPass>;
  /** Square degrees, hits and failures of each plot, one after another. */
  overlaps(from: number, count: number): Promise<Float64Array>;
  stop(): void;
}

export interface GeosPass {
  /** CPU microseconds a plot. */
  readonly micros: number;
  readonly hits: number;
  /** Square degrees, or degrees of distance. */
  readonly sum: number;
  /** Intersections that GEOS could not construct. */
  readonly failures: number;
}

let folder: string | undefined;

/** Compiles geos.c and hands it areas and plots; undefined where libgeos_c or a compiler is missing. */
export async function startGeos(
  areas: readonly Polygons[],
  plots: readonly Polygons[],
): Promise<GeosProcess | undefined> {
  folder ??= compile();
  if (folder === undefined) return undefined;
  const scenario = join(folder, "scenario.bin");
  writeFileSync(scenario, Buffer.concat([geometries(areas), geometries(plots)]));
  const child = spawn(join(folder, "geos"), [scenario], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const version = (await ask(child, lines, "version")).split("-")[0]!;
  const pass = async (command: string): Promise<GeosPass> => {
    const [micros, hits, sum, failures] = (await ask(child, lines, command)).split(" ").map(Number);
    return { micros: micros!, hits: hits!, sum: sum!, failures: failures! };
  };
  return {
    version,
    pass: (mode, from, count, radius) => pass(`${mode} ${from} ${count} ${radius ?? ""}`),
    async overlaps(from, count) {
      const file = join(folder!, "overlaps.bin");
      await pass(`overlaps ${from} ${count} ${file}`);
      const bytes = readFileSync(file);
      return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
    },
    stop: () => {
      child.stdin.end();
    },
  };
}

function compile(): string | undefined {
  const made = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  const source = join(import.meta.dirname, "geos.c");
  const library = newestGeos();
  const linked = library === undefined ? ["-lgeos_c"] : [library, `-Wl,-rpath,${dirname(library)}`];
  try {
    execFileSync("cc", ["-O2", "-o", join(made, "geos"), source, ...linked], { stdio: "pipe" });
    return made;
  } catch {
    return undefined;
  }
}

function ask(child: ChildProcess, lines: Interface, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error(`geos ended while asked for "${command}"`));
    child.once("exit", ended);
    lines.once("line", (line) => {
      child.off("exit", ended);
      resolve(line);
    });
    child.stdin!.write(`${command}\n`);
  });
}

/** See geos.c. */
function geometries(all: readonly Polygons[]): Buffer {
  let size = 4;
  for (const polygons of all) {
    size += 4;
    for (const rings of polygons) {
      size += 4;
      for (const ring of rings) size += 4 + ring.byteLength;
    }
  }
  const bytes = Buffer.alloc(size);
  let at = bytes.writeUInt32LE(all.length, 0);
  for (const polygons of all) {
    at = bytes.writeUInt32LE(polygons.length, at);
    for (const rings of polygons) {
      at = bytes.writeUInt32LE(rings.length, at);
      for (const ring of rings) {
        at = bytes.writeUInt32LE(ring.length / 2, at);
        bytes.set(new Uint8Array(ring.buffer, ring.byteOffset, ring.byteLength), at);
        at += ring.byteLength;
      }
    }
  }
  return bytes;
}
