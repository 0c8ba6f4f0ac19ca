import type { Arguments } from "./arguments.ts";
import { type OptionSpec, option } from "./command-line.ts";

/** Whether silence of a source that does not say where it speaks proves anything. */
export const STRICT_COVERAGE_OPTION: OptionSpec = option(
  "strict-coverage",
  "treat sources without declared coverage as covering no plot, instead of every plot",
);

/** The option of an evaluation that the flag stands for; none where it is not given. */
export function coverageOptions(args: Arguments): { readonly strictCoverage?: true } {
  return args.flag(STRICT_COVERAGE_OPTION.name) ? { strictCoverage: true } : {};
}
