/** The greatest Float32 that is not above `value`; for finite values within Float32's range. */
export function floorFloat32(value: number): number {
  const nearest = Math.fround(value);
  if (nearest <= value) return nearest;
  if (nearest === 0) return -SMALLEST;
  FLOAT[0] = nearest;
  // Floats of one sign are ordered as their bits are.
  BITS[0] = BITS[0]! + (nearest > 0 ? -1 : 1);
  return FLOAT[0]!;
}

/** The least Float32 that is not below `value`; for finite values within Float32's range. */
export function ceilFloat32(value: number): number {
  return -floorFloat32(-value);
}

const SMALLEST = Math.fround(1.401298464324817e-45);
const FLOAT: Float32Array = new Float32Array(1);
const BITS: Int32Array = new Int32Array(FLOAT.buffer);
