import { computeTextDigest } from "../../ledger/text-digest.ts";
import type { Answer, Decision, DecisionRecord, StoredRuleset } from "./port.ts";
import { StoreError } from "./store-error.ts";

// Database pages carry no checksums, so a row that is read may differ from the one that was written. Anything shown as
// evidence is compared with its digest first.

/**
 * Checks a decision's members before it is shown.
 *
 * Fails: `STORAGE_UNAVAILABLE` if a member has the wrong type.
 */
export function requireSoundDecision<Row extends Decision>(row: Row): Row {
  const { id, createdAtMs, digests } = row;
  if (Math.abs(createdAtMs) > LATEST_MS)
    throw rowDamagedError(`decision ${id} was made at ${createdAtMs} ms`);
  if (!isJsonObject(digests)) throw rowDamagedError(`the digests of decision ${id} cannot be read`);
  return row;
}

/** Checks the same, and that request and answer are those that were charged, unless erased. */
export function requireSoundRecord(row: DecisionRecord): DecisionRecord {
  const { id, request, requestDigest, response, responseDigest } = requireSoundDecision(row);
  for (const [what, text, digest] of [
    ["request", request, requestDigest],
    ["answer", response, responseDigest],
  ] as const) {
    if (text === null || computeTextDigest(text) === digest) continue;
    throw rowDamagedError(`I15: the stored ${what} of decision ${id} is not the one that was charged`);
  }
  return row;
}

/**
 * Checks a stored answer before it is sent; its digest shows if it is the one that was charged.
 *
 * Fails: `STORAGE_UNAVAILABLE` if a text to be sent as a header cannot be one.
 */
export function requireSoundAnswer(row: Answer): Answer {
  if (PRINTABLE.test(row.mediaType) && PRINTABLE.test(row.requestId)) return row;
  throw rowDamagedError(
    `the answer of request ${JSON.stringify(row.requestId)} has no sound media type or request id`,
  );
}

/** Fails: `STORAGE_UNAVAILABLE` if the body is not the one that was published. */
export function requireSoundRuleset({
  bodyDigest,
  ...ruleset
}: StoredRuleset & { readonly bodyDigest: string }): StoredRuleset {
  if (computeTextDigest(ruleset.body) === bodyDigest) return ruleset;
  const { name, version } = ruleset;
  throw rowDamagedError(`I14: ruleset ${name} version ${version} is not the one that was published`);
}

/** The error for a single damaged row; a damaged file is reported otherwise. */
export function rowDamagedError(message: string): StoreError {
  return new StoreError("STORAGE_UNAVAILABLE", message, { damaged: "row" });
}

const PRINTABLE = /^[\x20-\x7e]+$/;
/** The last instant that a JavaScript `Date` can represent. */
const LATEST_MS = 8.64e15;

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
