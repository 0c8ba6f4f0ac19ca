/** Square metres for people: hectares from one up. */
export function formatArea(squareMeters: number): string {
  if (squareMeters === 0) return "0 m²";
  if (squareMeters < 10_000) return `${decimal(squareMeters, 2)} m²`;
  return `${decimal(squareMeters / 10_000, 2)} ha`;
}

/** Metres for people: kilometres from one up. */
export function formatDistance(meters: number): string {
  const [value, unit] = meters < 1000 ? [meters, "m"] : [meters / 1000, "km"];
  return `${decimal(value, Number.isInteger(value) ? 0 : meters < 1000 ? 1 : 2)} ${unit}`;
}

/** A share of one in percent; a little is never shown as nothing, nor almost all as all. */
export function formatShare(ratio: number): string {
  const percent = ratio * 100;
  if (percent === 0 || percent === 100) return `${percent} %`;
  if (percent > 0 && percent < 0.01) return "<0.01 %";
  if (percent < 100 && percent > 99.99) return ">99.99 %";
  return `${decimal(percent, 2)} %`;
}

/** A decimal with thousands apart and no more digits than asked, the same on every host. */
export function decimal(value: number, digits: number): string {
  if (Math.abs(value) >= 1e21) return String(value);
  const [whole, fraction] = value.toFixed(digits).split(".");
  // No number is written with more than 21 digits before its point.
  const grouped = whole!.replace(/\B(?=(?:\d{3}){1,7}$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** A count with its word: `1 area`, `3 areas`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${decimal(count, 0)} ${count === 1 ? one : many}`;
}

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];

/** An ISO 8601 UTC timestamp in words, to the minute; as it is where it is none. */
export function formatInstant(instant: string): string {
  const [, date, time] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):/.exec(instant) ?? [];
  return date === undefined ? instant : `${formatDay(date)}, ${time} UTC`;
}

/** The day of an ISO 8601 date or timestamp in words. */
export function formatDay(instant: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(instant) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? instant : `${Number(day)} ${name} ${year}`;
}

/** Coordinates of a place, five decimals: a metre or so. */
export function formatPlace(lon: number, lat: number): string {
  const east = ((((lon + 180) % 360) + 360) % 360) - 180;
  return `${Math.abs(lat).toFixed(5)}° ${lat < 0 ? "S" : "N"}, ${Math.abs(east).toFixed(5)}° ${east < 0 ? "W" : "E"}`;
}
