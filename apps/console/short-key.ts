/** A number that stands for a text, in base 36: FNV-1a of its UTF-16 code units, 32 bits. */
export function computeShortKey(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36);
}
