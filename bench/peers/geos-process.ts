import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";

/** bench/peers/geos.c at work on one scenario. */
export interface GeosProcess {
  readonly version: string;
  /** One pass over all plots in a mode of geos.c: CPU microseconds a plot, hits, square degrees. */
  pass(mode: string): Promise<{ micros: number; hits: number; overlap: number }>;
  /** Square degrees and hits of each plot. */
  overlaps(): Promise<Float64Array>;
  stop(): void;
}

/** Compiles geos.c; undefined, with the reason printed, where libgeos or a compiler is missing. */
export function compileGeos(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "groundrule-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  try {
    const source = join(import.meta.dirname, "geos.c");
    execFileSync("cc", ["-O2", "-o", join(folder, "geos"), source, "-lgeos_c"], { stdio: "pipe" });
    return folder;
  } catch {
    console.log("missing peer: GEOS in C (apt-get install -y libgeos-dev)");
    return undefined;
  }
}

export async function startGeos(
  folder: string,
  areas: readonly Float64Array[],
  plots: readonly Float64Array[],
): Promise<GeosProcess> {
  const scenario = join(folder, "scenario.bin");
  writeFileSync(scenario, Buffer.concat([...numbers(areas), ...numbers(plots)]));
  const child = spawn(join(folder, "geos"), [scenario], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout });
  const version = await ask(child, lines, "version");
  const pass = async (mode: string): Promise<{ micros: number; hits: number; overlap: number }> => {
    const [micros, hits, overlap] = (await ask(child, lines, mode)).split(" ").map(Number);
    return { micros: micros!, hits: hits!, overlap: overlap! };
  };
  return {
    version,
    pass,
    async overlaps() {
      const file = join(folder, "overlaps.bin");
      await pass(`overlaps ${file}`);
      const bytes = readFileSync(file);
      return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);
    },
    stop: () => {
      child.stdin.end();
    },
  };
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

function numbers(rings: readonly Float64Array[]): Buffer[] {
  const count = (n: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(n);
    return bytes;
  };
  return [
    count(rings.length),
    ...rings.flatMap((ring) => [
      count(ring.length / 2),
      Buffer.from(ring.buffer, ring.byteOffset, ring.byteLength),
    ]),
  ];
}
