import { canonicalJson } from "@groundrule/engine/records";
import type { ReadBody } from "./body-reading.ts";

/** Canonical JSON of a body, written once. */
export function canonicalBody({ value, written }: ReadBody): string {
  const text = canonicalJson(value, written);
  if (typeof value === "object" && value !== null) written.set(value, text);
  return text;
}
