import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { installPythonPackages } from "@groundrule/testing/python-packages";
import type { Polygons } from "@groundrule/testing/shapes";

/** bench/peers/geos.c at work on areas and plots. */
export interface GeosProcess {
  readonly version: string;
  /** One pass over some of the plots in a mode of geos.c. */
  pass(mode: string, from: number, count: number, radius?: number): Promise<GeosPass>;
  stop(): void;
}

export interface GeosPass {
  /** CPU microseconds a plot. */
  readonly micros: number;
  readonly hits: number;
  /** Square degrees, or degrees of distance. */
  readonly sum: number;
}

export const GEOS_MISSING = {
  missing: "GEOS in C: a C compiler and libgeos_c (apt-get install -y gcc libgeos-dev)",
};

/** The release of shapely whose wheel holds GEOS 3.14.1, newer than Linux distributions have. */
const SHAPELY = "2.2.0";

let folder: string | undefined;

/** Compiles geos.c and hands it areas and plots; undefined where libgeos_c or a compiler is missing. */
export async function startGeos(
  areas: readonly Polygons[],
  plots: readonly Polygons[],
): Promise<GeosProcess | undefined> {
  folder ??= compileGeos();
  if (folder === undefined) return undefined;
  const scenario = join(folder, "scenario.bin");
  writeFileSync(scenario, Buffer.concat([...encodePolygons(areas), ...encodePolygons(plots)]));
  const child = spawn(join(folder, "geos"), [scenario], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const version = (await sendCommand(child, lines, "version")).split("-")[0]!;
  return {
    version,
    async pass(mode, from, count, radius) {
      const line = await sendCommand(child, lines, `${mode} ${from} ${count} ${radius ?? ""}`);
      const [micros, hits, sum] = line.split(" ").map(Number);
      return { micros: micros!, hits: hits!, sum: sum! };
    },
    stop: () => {
      child.stdin.end();
    },
  };
}

/** Links the library of shapely's wheel; where pip has none, the system's, and tables name its version. */
function compileGeos(): string | undefined {
  const made = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  const packages = installPythonPackages(`shapely-${SHAPELY}`, `shapely==${SHAPELY}`);
  const [library] = packages === undefined ? [] : globSync(join(packages, "shapely.libs/libgeos_c*"));
  const linked = library === undefined ? ["-lgeos_c"] : [library, `-Wl,-rpath,${dirname(library)}`];
  const source = join(import.meta.dirname, "geos.c");
  try {
    execFileSync("cc", ["-O2", "-o", join(made, "geos"), source, ...linked], { stdio: "pipe" });
    return made;
  } catch {
    return undefined;
  }
}

function sendCommand(child: ChildProcess, lines: Interface, command: string): Promise<string> {
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
function* encodePolygons(all: readonly Polygons[]): Generator<Uint8Array> {
  const count = (value: number): Uint8Array => new Uint8Array(Uint32Array.of(value).buffer);
  yield count(all.length);
  for (const polygons of all) {
    yield count(polygons.length);
    for (const rings of polygons) {
      yield count(rings.length);
      for (const ring of rings) {
        yield count(ring.length / 2);
        yield new Uint8Array(ring.buffer, ring.byteOffset, ring.byteLength);
      }
    }
  }
}
