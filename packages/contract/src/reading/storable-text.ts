import type { Fault } from "@groundrule/engine";
import { FAULT_LIMIT } from "@groundrule/engine/internal/json";

/** A text that some store could not keep unchanged, and its place. */
export interface UnstorableText {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Finds texts in a value that some store cannot keep: PostgreSQL refuses U+0000 in a text, and neither database keeps a
 * lone surrogate. Both are refused with either database, so that no answer depends on it.
 *
 * @param value of JSON, at most as deep as bodies are
 * @returns at most 100, in order
 */
export function unstorableTexts(value: unknown): UnstorableText[] {
  const found: UnstorableText[] = [];
  if (!isStorable(value)) collectUnstorableTexts(value, [], found);
  return found;
}

/** The same check without places, since nearly every value passes. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return describeUnstorableText(value) === undefined;
  if (value === null || typeof value !== "object") return true;
  if (Array.isArray(value)) return value.every(isStorable);
  for (const key in value) {
    if (!isStorable(key) || !isStorable((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function collectUnstorableTexts(value: unknown, path: PropertyKey[], found: UnstorableText[]): void {
  if (found.length >= FAULT_LIMIT) return;
  if (typeof value === "string") {
    const message = describeUnstorableText(value);
    if (message !== undefined) found.push({ path: [...path], message });
    return;
  }
  if (value === null || typeof value !== "object") return;
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    path.push(isList ? Number(key) : key);
    const inName = isList ? undefined : describeUnstorableText(key);
    if (inName !== undefined) found.push({ path: [...path], message: `in the member's name: ${inName}` });
    collectUnstorableTexts(member, path, found);
    path.pop();
  }
}

function describeUnstorableText(text: string): string | undefined {
  if (text.includes("\0")) return "found U+0000, expected a text without it";
  return text.isWellFormed() ? undefined : "found a lone surrogate, expected well-formed Unicode";
}

/** Converts those texts to faults of a request. */
export function textFaults(
  texts: readonly UnstorableText[],
  pointerOf: (path: readonly PropertyKey[]) => string,
): Fault[] {
  return texts.map(({ path, message }) => ({ pointer: pointerOf(path), code: "TEXT_INVALID", message }));
}
