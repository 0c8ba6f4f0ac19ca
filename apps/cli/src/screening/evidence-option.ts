import type { Arguments } from "../command-line/arguments.ts";
import { type OptionSpec, option } from "../command-line/command-line.ts";
import { EVIDENCE_CHOICES, type EvidenceChoice } from "./results/compact.ts";

export const EVIDENCE_OPTION: OptionSpec = option(
  "evidence CHECKS",
  `the checks whose evidence is listed: ${EVIDENCE_CHOICES.join(", ")} (default: all in ndjson, triggered in the others)`,
);

/**
 * Of which checks the command line wants evidence.
 *
 * @param usual where it does not say
 *
 * Fails: `UsageError`.
 */
export function evidenceOption(args: Arguments, usual: EvidenceChoice): EvidenceChoice {
  return args.findChoice(EVIDENCE_OPTION.name, EVIDENCE_CHOICES, EVIDENCE_CHOICES.join(", ")) ?? usual;
}
