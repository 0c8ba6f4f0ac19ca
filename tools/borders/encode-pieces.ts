import { brotliCompressSync, constants } from "node:zlib";
import { type CutPiece, STEPS_PER_DEGREE } from "./cut.ts";
import type { Ring } from "./natural-earth.ts";

/** Writes what `decodePieces` of `@groundrule/borders` reads. */
export function encodePieces(pieces: readonly CutPiece[]): Uint8Array {
  const header = {
    stepsPerDegree: STEPS_PER_DEGREE,
    pieces: pieces.map(({ countries }) => countries.join()),
  };
  const bytes: number[] = [...Buffer.from(`${JSON.stringify(header)}\n`)];
  const writeCount = (count: number): void => {
    let rest = count;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
    bytes.push(rest);
  };
  const writeDifference = (difference: number): void =>
    writeCount(difference < 0 ? -2 * difference - 1 : 2 * difference);
  let before: Ring[0] = [0, 0];
  const writeRing = (ring: Ring): void => {
    writeCount(ring.length - 1);
    for (const position of ring.slice(1)) {
      writeDifference(position[0] - before[0]);
      writeDifference(position[1] - before[1]);
      before = position;
    }
  };
  for (const { polygons } of pieces) {
    writeCount(polygons.length);
    for (const rings of polygons) {
      writeCount(rings.length);
      rings.forEach((ring, i) => {
        writeRing(computeDoubledArea(ring) > 0 === (i === 0) ? ring : ring.toReversed());
      });
    }
  }
  return brotliCompressSync(Uint8Array.from(bytes), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
}

/** In steps, positive where the winding is counter-clockwise. */
function computeDoubledArea(ring: Ring): number {
  let doubled = 0;
  for (let i = 1; i < ring.length; i++) {
    const [[x1, y1], [x2, y2]] = [ring[i - 1]!, ring[i]!];
    doubled += (x1 - x2) * (y1 + y2);
  }
  return doubled;
}
