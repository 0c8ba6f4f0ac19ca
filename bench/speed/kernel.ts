/**
 * The kernel alone: intersects and overlap area on real layers, against the fastest peer there is and the fastest
 * over pieces that it cut beforehand.
 *
 *   node bench/speed/kernel.ts [--quick]
 *
 * Real layers lie in the folder that GROUNDRULE_REAL_DATA names.
 */
import { timeRealLayers } from "../kernel/real-layers.ts";
import { atLeast, runAlone, type SpeedMissing, type SpeedResult, type SpeedRow } from "./row.ts";

/** Factors over the fastest peer on whole areas. */
const GOALS: Readonly<Record<string, number>> = {
  "countries of Natural Earth 1:10m": 60,
  "Brazilian municipalities": 25,
  "Brazilian layers together": 15,
  "GSHHG high, land with lakes": 150,
};
const OVER_PIECES = 15;
const COMMAND = "node bench/speed/kernel.ts";

export async function measureKernel(quick = false): Promise<SpeedResult> {
  const options = { quick, rounds: quick ? 3 : 7 };
  const rows: (SpeedRow | SpeedMissing)[] = [];
  for await (const layer of timeRealLayers(options)) {
    if (!("name" in layer)) {
      rows.push(layer);
      continue;
    }
    const [fastest] = layer.peers.filter(({ asks }) => asks === "areas");
    const [onPieces] = layer.peers.filter(({ asks }) => asks === "pieces");
    if (fastest !== undefined) {
      const figure = `kernel alone, ${layer.name}, × ${fastest.name}`;
      rows.push(atLeast(figure, fastest.micros / layer.kernel, GOALS[layer.name]!, "×", COMMAND));
    }
    if (onPieces !== undefined) {
      const figure = `kernel alone, ${layer.name}, × ${onPieces.name}`;
      rows.push(atLeast(figure, onPieces.micros / layer.kernel, OVER_PIECES, "×", COMMAND));
    }
    rows.push(...layer.missing);
  }
  return rows;
}

await runAlone(import.meta, () => measureKernel(process.argv.includes("--quick")));
