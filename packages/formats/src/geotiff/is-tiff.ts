/**
 * True if a file is a TIFF image, by its first bytes.
 *
 * @param first four of them
 */
export function isTiff(first: Uint8Array): boolean {
  const [a, b, c, d] = first;
  const version = a === 0x49 ? c : d;
  return (
    a === b && (a === 0x49 ? d : c) === 0 && (a === 0x49 || a === 0x4d) && (version === 42 || version === 43)
  );
}
