import { textDigest } from "../../ledger/text-digest.ts";
import type { Answer, Decision, DecisionRecord, StoredRuleset } from "./port.ts";
import { StoreError } from "./store-error.ts";

// Pages carry no checksums: a row may be read that is not the one that was written. What is shown as evidence
// is compared with its digest first.

/**
 * Decisions as they can be shown.
 *
 * Fails: `STORAGE_UNAVAILABLE` where a member is not of its kind.
 */
export function soundDecision<Row extends Decision>(row: Row): Row {
  const { id, createdAtMs, digests } = row;
  if (Math.abs(createdAtMs) > LATEST_MS) throw rowDamage(`decision ${id} was made at ${createdAtMs} ms`);
  if (!isJsonObject(digests)) throw rowDamage(`the digests of decision ${id} cannot be read`);
  return row;
}

/** The same, and request and answer are those that were charged, where they are not erased. */
export function soundRecord(row: DecisionRecord): DecisionRecord {
  const { id, request, requestDigest, response, responseDigest } = soundDecision(row);
  for (const [what, text, digest] of [
    ["request", request, requestDigest],
    ["answer", response, responseDigest],
  ] as const) {
    if (text === null || textDigest(text) === digest) continue;
    throw rowDamage(`I15: the stored ${what} of decision ${id} is not the one that was charged`);
  }
  return row;
}

/**
 * A stored answer that can be sent; whether it is the one that was charged, its digest tells.
 *
 * Fails: `STORAGE_UNAVAILABLE` where what is sent as a header cannot be one.
 */
export function soundAnswer(row: Answer): Answer {
  if (PRINTABLE.test(row.mediaType) && PRINTABLE.test(row.requestId)) return row;
  throw rowDamage(
    `the answer of request ${JSON.stringify(row.requestId)} has no sound media type or request id`,
  );
}

/** Fails: `STORAGE_UNAVAILABLE` where the body is not the one that was published. */
export function soundRuleset({
  bodyDigest,
  ...ruleset
}: StoredRuleset & { readonly bodyDigest: string }): StoredRuleset {
  if (textDigest(ruleset.body) === bodyDigest) return ruleset;
  const { name, version } = ruleset;
  throw rowDamage(`I14: ruleset ${name} version ${version} is not the one that was published`);
}

/** What is wrong with one row; a damaged file is another matter. */
export function rowDamage(message: string): StoreError {
  return new StoreError("STORAGE_UNAVAILABLE", message, { damaged: "row" });
}

const PRINTABLE = /^[\x20-\x7e]+$/;
/** The last instant that JavaScript knows. */
const LATEST_MS = 8.64e15;

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
