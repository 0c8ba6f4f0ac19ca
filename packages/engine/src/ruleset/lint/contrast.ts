/**
 * Contrast of two colours `#rrggbb`, 1 to 21: (L₁ + 0.05) / (L₂ + 0.05) of the lighter and the darker
 * one's relative luminance (WCAG 2.2).
 */
export function computeContrast(a: string, b: string): number {
  const [x, y] = [computeLuminance(a), computeLuminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

/** Relative luminance, 0 to 1. */
function computeLuminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) =>
    linearizeChannel(Number.parseInt(color.slice(at, at + 2), 16) / 255),
  );
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function linearizeChannel(channel: number): number {
  if (channel <= 0.04045) return channel / 12.92;
  const base = (channel + 0.055) / 1.055;
  return base * base * fifthRoot(base * base);
}

/** The fifth root of a number in (0, 1] by Newton's method, which falls from 1 towards it. */
function fifthRoot(x: number): number {
  let root = 1;
  for (;;) {
    const fourth = root * root * root * root;
    const next = root - (root * fourth - x) / (5 * fourth);
    if (!(next < root)) return root;
    root = next;
  }
}
