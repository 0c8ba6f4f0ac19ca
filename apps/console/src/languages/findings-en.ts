import { FINDINGS, type FindingCode } from "@groundrule/plots";

/** The checker's own words for what it finds. */
export const findingsEn: Readonly<Record<FindingCode, string>> = Object.fromEntries(
  Object.entries(FINDINGS).map(([code, { meaning }]) => [code, meaning]),
) as Record<FindingCode, string>;
