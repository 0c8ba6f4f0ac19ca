import * as z from "zod";

// Query parameters are text on the wire. Their metadata describe the parsed value.

/** A whole number. */
export function wholeNumberParameter(least: number, most: number): z.ZodType<number, unknown> {
  return z
    .string()
    .transform((text) => (/^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN))
    .refine((value) => value >= least && value <= most, `expected a whole number from ${least} to ${most}`)
    .meta({ type: "integer", minimum: least, maximum: most });
}

/** `true` or `false`; false if absent. */
export function flagParameter(description: string): z.ZodType<boolean, unknown> {
  return z
    .string()
    .refine((text) => text === "true" || text === "false", "expected true or false")
    .transform((text) => text === "true")
    .meta({ type: "boolean", description })
    .default(false);
}
