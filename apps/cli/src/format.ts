/** Square metres for people: hectares from one up. */
export function formatArea(squareMeters: number): string {
  return squareMeters < 10_000 ? `${decimal(squareMeters, 2)} m²` : `${decimal(squareMeters / 10_000, 2)} ha`;
}

/** Metres for people: kilometres from one up. */
export function formatDistance(meters: number): string {
  return meters < 1000 ? `${decimal(meters, 1)} m` : `${decimal(meters / 1000, 3)} km`;
}

/** A share of one for people, in percent; a little is never shown as nothing, nor almost all as all. */
export function formatShare(ratio: number): string {
  const percent = ratio * 100;
  if (percent > 0 && percent < 0.01) return "<0.01 %";
  if (percent < 100 && percent > 99.99) return ">99.99 %";
  return `${decimal(percent, 2)} %`;
}

/** A decimal with thousands apart, the same on every host. */
export function decimal(value: number, digits: number): string {
  const [whole, fraction] = value.toFixed(digits).split(".");
  // No number is written with more than 21 digits before its point.
  const grouped = whole!.replace(/\B(?=(?:\d{3}){1,7}$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
