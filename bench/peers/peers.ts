import type { Polygons } from "@groundrule/testing/shapes";
import type { Missing } from "../kernel/line.ts";
import { GEOS_MISSING, WASM_MISSING } from "../kernel/line.ts";
import { cpuMicros } from "../kernel/timing.ts";
import { startGeos } from "./geos-process.ts";
import { startGeosWasm } from "./geos-wasm.ts";
import { type Peer, PIECE_VERTICES } from "./peer.ts";

/** The peers that this machine has, and what it lacks for the others. */
export interface Peers {
  readonly peers: readonly Peer[];
  readonly missing: readonly Missing[];
  stop(): void;
}

/** Starts GEOS in C, on whole areas and on pieces, and GEOS in WebAssembly. */
export async function startPeers(areas: readonly Polygons[], plots: readonly Polygons[]): Promise<Peers> {
  const geos = await startGeos(areas, plots);
  const wasm = await startGeosWasm(areas, plots);
  const peers: Peer[] = [];
  if (geos !== undefined) {
    for (const mode of ["prepared", ...PIECE_VERTICES.map((most) => `pieces${most}`)]) {
      peers.push({
        name: `GEOS ${geos.version} in C, ${mode.replace("pieces", "pieces of ")}`,
        asks: mode === "prepared" ? "areas" : "pieces",
        pass: async (from, count) => {
          const { micros, hits, sum } = await geos.pass(mode, from, count);
          return { micros, hits, squareDegrees: sum };
        },
      });
    }
  }
  if (wasm !== undefined) {
    peers.push({
      name: "geos-wasm, prepared",
      asks: "areas",
      pass: async (from, count) => {
        let found = { hits: 0, overlap: 0 };
        const used = cpuMicros(() => {
          found = wasm.pass(from, count);
        });
        return { micros: used / count, hits: found.hits, squareDegrees: found.overlap };
      },
    });
  }
  return {
    peers,
    missing: [...(geos === undefined ? [GEOS_MISSING] : []), ...(wasm === undefined ? [WASM_MISSING] : [])],
    stop: () => geos?.stop(),
  };
}
