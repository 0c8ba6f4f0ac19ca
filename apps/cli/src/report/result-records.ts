import { presetVersions } from "@groundrule/data/rulesets";
import { EngineError } from "@groundrule/engine";
import { parseRecord, type VerdictRecord } from "@groundrule/engine/records";
import { parseRuleset, rulesetDigest } from "@groundrule/engine/rulesets";
import type { FactDeclarations } from "@groundrule/plots";
import type { PortfolioVerdict } from "@groundrule/report";
import { withColumnFacts } from "../plots/judged-plots.ts";
import type { ScreenedPlot } from "./screened-plots.ts";

/** What a run was asked with, beside its plots. */
export interface AskedWith {
  /** As `--ruleset` names it; absent: the verdicts are of presets, or have no report. */
  readonly ruleset: object | undefined;
  readonly strictCoverage: boolean;
}

/** A ruleset, and the facts that it asks for. */
interface KnownRuleset {
  readonly ruleset: object;
  readonly facts: FactDeclarations;
}

/**
 * Records of results, which hold neither plot nor ruleset: each is put together with the plot of the file that was
 * screened, and with the ruleset that has the verdict's digest.
 */
export class ResultRecords {
  readonly #asked: AskedWith;
  /** By digest. */
  readonly #rulesets = new Map<string, KnownRuleset>();
  #hasPresets = false;

  /** Fails: `RULESET_INVALID` for what is none. */
  constructor(asked: AskedWith) {
    this.#asked = asked;
    if (asked.ruleset !== undefined) this.#add(asked.ruleset);
  }

  /** The record of a result; undefined where it cannot be put together. */
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
      ...(this.#asked.strictCoverage && { strict_coverage: true }),
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
      if (error instanceof EngineError) return undefined; // a verdict with less than a report shows
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
