/** Machado, Oliveira and Fernandes 2009, table of severity 1.0; linear RGB to linear RGB. */
export const SIGHTS: Readonly<Record<string, readonly (readonly number[])[]>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** The least distance in OKLab of any two colours, as they are seen. */
export function findLeastDifference(colors: readonly string[], sight: string): number {
  const labs = colors.map((color) => toSeenOklab(color, sight));
  const pairs = labs.flatMap((a, i) =>
    labs.slice(0, i).map((b) => Math.hypot(...a.map((x, k) => x - b[k]!))),
  );
  return Math.min(...pairs);
}

/** OKLab (Ottosson 2020) of a colour as it is seen. */
export function toSeenOklab(color: string, sight: string): number[] {
  const linear = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  const rgb = multiplyMatrix(SIGHTS[sight]!, linear).map((channel) => Math.min(1, Math.max(0, channel)));
  const lms = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ];
  const lab = [
    [0.2104542553, 0.793617785, -0.0040720468],
    [1.9779984951, -2.428592205, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.808675766],
  ];
  return multiplyMatrix(lab, multiplyMatrix(lms, rgb).map(Math.cbrt));
}

function multiplyMatrix(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  return matrix.map((row) => row.reduce((sum, x, i) => sum + x * vector[i]!, 0));
}
