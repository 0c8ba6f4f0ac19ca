import { presetVersions } from "@groundrule/data/rulesets";
import { EngineError } from "@groundrule/engine";
import { parseRecord, type VerdictRecord } from "@groundrule/engine/records";
import { parseRuleset, rulesetDigest } from "@groundrule/engine/rulesets";
import type { FactDeclarations } from "@groundrule/plots";
import type { PortfolioVerdict } from "@groundrule/report";
import { withColumnFacts } from "../plots/judged-plots.ts";
import type { ScreenedPlot } from "./screened-plots.ts";

/** The parameters of a run, apart from its plots. */
export interface RunParameters {
  /** The ruleset of `--ruleset`; absent: the verdicts are of presets, or have no report. */
  readonly ruleset: object | undefined;
  readonly strictCoverage: boolean;
}

/** A ruleset and its declared facts. */
interface KnownRuleset {
  readonly ruleset: object;
  readonly facts: FactDeclarations;
}

/**
 * Builds records from results, which contain neither plot nor ruleset: each is combined with its plot from the screened
 * file, and with the ruleset that has the verdict's digest.
 */
export class ResultRecords {
  readonly #parameters: RunParameters;
  /** Rulesets by digest. */
  readonly #rulesets = new Map<string, KnownRuleset>();
  #hasPresets = false;

  /** Fails: `RULESET_INVALID` for an invalid one. */
  constructor(parameters: RunParameters) {
    this.#parameters = parameters;
    if (parameters.ruleset !== undefined) this.#add(parameters.ruleset);
  }

  /** The record of a result; undefined if it cannot be built. */
  of(
    id: string | number,
    verdict: PortfolioVerdict,
    plot: ScreenedPlot | undefined,
  ): VerdictRecord | undefined {
    const known = this.#rulesetOf(verdict);
    if (plot?.judged === undefined || known === undefined) return undefined;
    const { ruleset, facts } = known;
    const judged = withColumnFacts(plot.judged, facts);
    if ("error" in judged) return undefined;
    const { input, submittedAs } = judged;
    const without = (verdict.sources ?? []).flatMap(({ source_name, status }) =>
      status === "without" ? source_name : [],
    );
    const options = {
      ...(this.#parameters.strictCoverage && { strict_coverage: true }),
      ...(without.length > 0 && { without }),
    };
    const request = {
      input,
      ruleset,
      ...(Object.keys(options).length > 0 && { options }),
      ...(submittedAs !== undefined && { as_submitted: submittedAs }),
    };
    try {
      return parseRecord({ id, request, response: { data: verdict, meta: { warnings: [] }, errors: [] } });
    } catch (error) {
      if (error instanceof EngineError) return undefined; // the verdict lacks members that a report shows
      throw error;
    }
  }

  #rulesetOf({ ruleset }: PortfolioVerdict): KnownRuleset | undefined {
    if (ruleset === undefined) return undefined;
    const known = this.#rulesets.get(ruleset.digest);
    if (known !== undefined || this.#hasPresets) return known;
    this.#hasPresets = true;
    for (const preset of presetVersions()) this.#add(preset.ruleset);
    return this.#rulesets.get(ruleset.digest);
  }

  #add(ruleset: object): void {
    const parsed = parseRuleset(ruleset);
    this.#rulesets.set(rulesetDigest(parsed), { ruleset, facts: parsed.facts ?? {} });
  }
}
