/**
 * Describes a value briefly enough for a sentence: `nothing`, `an array of length 3`, `"forest"`.
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
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    default: {
      const printed = typeof value === "string" ? JSON.stringify(value) : String(value);
      return printed.length > 80 ? `${printed.slice(0, 80)}…` : printed;
    }
  }
}

/** A revoked proxy hides what it is, and any other proxy may throw at each question. */
function describeObject(value: object): string {
  try {
    if (!Array.isArray(value)) return "an object";
    return value.length === 0 ? "an empty array" : `an array of length ${value.length}`;
  } catch {
    return "an object";
  }
}
