import { FINDINGS, type FindingCode } from "@groundrule/plots";

/** The checker's own texts for its findings. */
export const findingsEn: Readonly<Record<FindingCode, string>> = Object.fromEntries(
  Object.entries(FINDINGS).map(([code, { meaning }]) => [code, meaning]),
) as Record<FindingCode, string>;
