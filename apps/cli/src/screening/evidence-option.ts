import { type Arguments, UsageError } from "../command-line/arguments.ts";
import type { OptionSpec } from "../command-line/command-line.ts";
import { EVIDENCE_CHOICES, type EvidenceChoice } from "./results/compact.ts";

export const EVIDENCE_OPTION: OptionSpec = {
  name: "evidence",
  value: "CHECKS",
  help: `the checks whose evidence is listed: ${EVIDENCE_CHOICES.join(", ")} (default: all in ndjson, triggered in the others)`,
};

/**
 * Of which checks the command line wants evidence.
 *
 * @param usual where it does not say
 *
 * Fails: {@link UsageError}.
 */
export function evidenceOption(args: Arguments, usual: EvidenceChoice): EvidenceChoice {
  const found = args.find(EVIDENCE_OPTION.name) ?? usual;
  const evidence = EVIDENCE_CHOICES.find((each) => each === found);
  if (evidence !== undefined) return evidence;
  throw new UsageError(`found --evidence "${found}", expected ${EVIDENCE_CHOICES.join(", ")}`);
}
