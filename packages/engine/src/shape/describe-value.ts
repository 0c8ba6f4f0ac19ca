/**
 * What was found, short enough for a sentence: `nothing`, `an array of 3`, `"forest"`.
 *
 * @param value of any kind, however hostile
 */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "undefined":
      return "nothing";
    case "object":
      if (value === null) return "null";
      return describeObject(value);
    case "bigint":
      return `${value}n`;
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    default: {
      const printed = typeof value === "string" ? JSON.stringify(value) : String(value);
      return printed.length > 80 ? `${printed.slice(0, 80)}…` : printed;
    }
  }
}

/** A revoked proxy does not tell what it is; another may throw at any question. */
function describeObject(value: object): string {
  try {
    return Array.isArray(value) ? `an array of ${value.length}` : "an object";
  } catch {
    return "an object";
  }
}
