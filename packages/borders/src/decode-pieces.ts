/** A part of the land, all of whose positions lie in the widened territory of the same countries. */
export interface BorderPiece {
  /**
   * Polygons, outer ring first, flat `[lon, lat, …]` in degrees: valid, closed, outer rings counter-clockwise, holes
   * clockwise. Pieces never overlap, and share edges bit for bit.
   */
  readonly polygons: readonly (readonly Float64Array[])[];
  /** The countries whose widened territory holds it, ISO 3166-1 alpha-3, ascending; none for land without a code. */
  readonly countries: readonly string[];
}

/**
 * Reads what the file of the borders holds, which `npm run tool -- write-borders` writes: a line of JSON and whole
 * numbers. The line tells `stepsPerDegree` and, for each piece, its countries joined by commas. The numbers, seven bits
 * a byte, low bits first, are for each piece the count of its polygons, of each polygon's rings, of each ring's
 * positions but the last, then the positions as steps from the one before in the file, twice the number or, below
 * zero, twice its complement and one.
 *
 * @param bytes of the file, decompressed
 *
 * Fails: with a `SyntaxError` or a `RangeError` for anything else.
 */
export function decodePieces(bytes: Uint8Array): BorderPiece[] {
  const end = bytes.indexOf(0x0a);
  const { stepsPerDegree, pieces } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as {
    stepsPerDegree: number;
    pieces: string[];
  };
  let at = end + 1;
  const readCount = (): number => {
    let [value, unit] = [0, 1];
    for (;;) {
      const byte = bytes[at++]!;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
      unit *= 0x80;
    }
  };
  const readDifference = (): number => {
    const twice = readCount();
    return twice % 2 === 0 ? twice / 2 : -(twice + 1) / 2;
  };
  const readEach = <T>(read: () => T): T[] => Array.from({ length: readCount() }, read);
  let [x, y] = [0, 0];
  const readRing = (): Float64Array => {
    const count = readCount();
    const ring = new Float64Array(2 * count + 2);
    for (let i = 0; i < 2 * count; i += 2) {
      x += readDifference();
      y += readDifference();
      ring[i] = x / stepsPerDegree;
      ring[i + 1] = y / stepsPerDegree;
    }
    ring.copyWithin(2 * count, 0, 2);
    return ring;
  };
  return pieces.map((codes) => ({
    countries: codes === "" ? [] : codes.split(","),
    polygons: readEach(() => readEach(readRing)),
  }));
}
