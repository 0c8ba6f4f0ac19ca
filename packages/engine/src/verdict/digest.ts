import { PureSha256, toHex } from "../base/sha256.ts";
import { encodeUtf8 } from "../base/utf8.ts";
import { canonicalJson, type MemberOrders, type WrittenJson } from "./canonical-json.ts";
import type { Verdict } from "./verdict.ts";

/** Evidence items a check that the digest covers, whatever number of them the answer shows. */
export const DIGEST_EVIDENCE_LIMIT = 20;

/** SHA-256 of a text's UTF-8, as 64 hex digits. A host may pass in its own, which is some ten times as fast. */
export type TextDigest = (text: string) => string;

/** SHA-256 of a text's UTF-8, as 64 hex digits, the same on every host; see {@link TextDigest}. */
export const textDigest: TextDigest = (text) => toHex(new PureSha256().update(encodeUtf8(text)).digest());

/**
 * SHA-256, as 64 hex digits, of the canonical JSON of a value.
 *
 * @param value a JSON value
 *
 * Fails: `VALIDATION_FAILED` for what {@link canonicalJson} refuses.
 */
export function jsonDigest(value: unknown, digest: TextDigest = textDigest): string {
  return digest(canonicalJson(value));
}

/**
 * Digest of the parts that decide a verdict. It leaves out times, names, versions of the engine and the trace of the
 * request, so that the same plot, ruleset and editions have the same digest. It includes all of a check's result.
 *
 * @param verdict its checks must carry their first {@link DIGEST_EVIDENCE_LIMIT} evidence items or all
 *   they have
 * @param orders of members in verdicts of the same ruleset
 *
 * Fails: `VALIDATION_FAILED` for what {@link canonicalJson} refuses.
 */
export function verdictDigest(
  verdict: Omit<Verdict, "digest">,
  digest: TextDigest = textDigest,
  orders?: MemberOrders,
): string {
  const decisive = {
    verdict: verdict.verdict,
    status: verdict.status,
    at_least: verdict.at_least,
    checks: verdict.checks.map((check) =>
      check.evidence.length <= DIGEST_EVIDENCE_LIMIT
        ? check
        : { ...check, evidence: check.evidence.slice(0, DIGEST_EVIDENCE_LIMIT) },
    ),
    sources: verdict.sources.map(({ source_name, status, edition, coverage, overage }) => ({
      source_name,
      status,
      edition,
      coverage,
      overage,
    })),
    ruleset: { digest: verdict.ruleset.digest },
    input: { digest: verdict.input.digest },
    semantics: verdict.semantics,
  };
  return digest(canonicalJson(decisive, undefined, orders));
}

/** The parts of an input that its digest covers, under the names that they have in it. */
export interface DigestedInput {
  /** The checked GeoJSON geometry or Feature as it was sent; only its type and positions count. Null is absent. */
  readonly geometry?: unknown;
  /** Null is absent. */
  readonly crs?: string | null | undefined;
  /** The checked property as it was sent; only its type and positions count. */
  readonly property?: object | undefined;
  /** With canonical values, in the order sent. */
  readonly schemes: readonly {
    /** Type of the identifier, e.g. `br:cnpj`. */
    readonly type: string;
    /** Its canonical value. */
    readonly value: string;
    /** Role of its bearer towards the plot. */
    readonly role?: string;
  }[];
  /** Every other part, as sent. */
  readonly [member: string]: unknown;
}

/**
 * Digest of an evaluation's input: positions and other parts as sent, identifiers in canonical form.
 *
 * @param digest the host's own, where it has a faster one
 * @param written canonical JSON of the geometry's coordinates, where there is one
 * @param orders of members in inputs of the same ruleset
 *
 * Fails: `VALIDATION_FAILED` for what {@link canonicalJson} refuses.
 */
export function computeInputDigest(
  { geometry, crs, property, schemes, ...others }: DigestedInput,
  digest: TextDigest = textDigest,
  written?: WrittenJson,
  orders?: MemberOrders,
): string {
  const decisive = {
    ...others,
    geometry: geometry === undefined || geometry === null ? undefined : pickPositionsAsSent(geometry),
    crs: crs ?? undefined,
    property: property === undefined ? undefined : pickPositionsAsSent(property),
    schemes: schemes.map(({ type, value, role }) => ({ type, value, role })),
  };
  return digest(canonicalJson(decisive, written, orders));
}

interface GeoJsonMembers {
  readonly type?: unknown;
  readonly geometry?: unknown;
  readonly coordinates?: unknown;
}

function pickPositionsAsSent(sent: unknown): GeoJsonMembers {
  const { type, geometry, coordinates } = sent as GeoJsonMembers;
  return type === "Feature" ? pickPositionsAsSent(geometry) : { type, coordinates };
}
