import { hash } from "node:crypto";
import { crsTable } from "@groundrule/crs";
import { EngineError, openEngine, type Policy, type Ruleset, type Verdict } from "@groundrule/engine";
import { verdictDigest } from "@groundrule/engine/records";
import { parseRuleset, rulesetDigest } from "@groundrule/engine/rulesets";
import type { ChangeCode, FixedPlot, PlotFeature } from "@groundrule/plots";
import { type Arguments, UsageError } from "../command-line/arguments.ts";
import { createSettingOption, defineOption, type OptionSpec } from "../command-line/command-line.ts";
import { NOW_OPTION, readInstantOption } from "../data/command-data.ts";
import { readRuleset } from "../files/ruleset-file.ts";
import { DECLARED_OPTIONS, readDeclarations } from "../plots/declared-options.ts";
import { type JudgeOptions, preparePlotLine } from "../plots/judged-plots.ts";
import { toPlotLine } from "../plots/plots.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { formatCount } from "../words/change-tally.ts";
import { readVerdictLines } from "./verdict-lines.ts";

const VERDICTS = "verdicts";
const RULESET = "ruleset";
const MAX_AGE = "verdicts-max-age-days";

/** Age in days up to which a verdict counts, unless an option sets another. */
const USUAL_MAX_AGE_DAYS = 31;

/** Options that export only plots with a verdict. */
export const VERDICT_OPTIONS: readonly OptionSpec[] = [
  defineOption(
    `${VERDICTS} FILE`,
    "leave out plots without a COMPLIANT verdict in this file, which screen or evaluate wrote as JSON lines or records",
  ),
  createSettingOption(RULESET),
  defineOption(
    `${MAX_AGE} N`,
    `with --${VERDICTS}: the oldest verdict that counts (default ${USUAL_MAX_AGE_DAYS})`,
  ),
  ...DECLARED_OPTIONS,
  { ...NOW_OPTION, help: `with --${VERDICTS}: the instant from which their age counts (default: the clock)` },
];

/** Help text on verdicts. */
export const VERDICT_DETAIL: string = `With --${VERDICTS}, a plot is exported if a verdict on its own input (the same input.digest) counts and is COMPLIANT. A verdict counts if it is of the ruleset that --${RULESET} names, has the status ok, and is at most --${MAX_AGE} old. A plot with verdicts that disagree, or that fixing changes after its verdict, is left out. Repeat --fact and --property of the screening. Exits with 0 if each plot that was left out has a verdict that counts, 1 otherwise.`;

/** Why a verdict does not count, in the order in which it is examined, for one and for several. */
const REFUSALS = {
  unreadable: ["is no verdict", "are no verdicts"],
  ruleset: ["is of another ruleset", "are of another ruleset"],
  altered: ["does not fit its own digest", "do not fit their own digests"],
  future: ["lies in the future", "lie in the future"],
  old: ["is too old", "are too old"],
  degraded: ["is degraded", "are degraded"],
} as const;
type Refusal = keyof typeof REFUSALS;

/** Why a plot is left out, with the words for its count. */
const REASONS = {
  VERDICT_NON_COMPLIANT: "NON_COMPLIANT",
  VERDICT_WARNING: "WARNING",
  VERDICTS_DISAGREE: "with verdicts that disagree",
  VERDICT_REFUSED: "with no verdict that counts",
  VERDICT_BEFORE_FIX: "with a verdict on the plot as it was before it was fixed",
  VERDICT_OF_OTHER_INPUT: "with a verdict on another input",
  VERDICT_MISSING: "without a verdict",
} as const;

/** Why a plot is left out. */
export interface VerdictReason {
  readonly code: keyof typeof REASONS;
  readonly message: string;
}

/** The verdicts on one input. */
interface InputVerdicts {
  /** The words of those that count. */
  readonly counting: Set<string>;
  readonly refused: Set<Refusal>;
  /** Doubts about those that count, which do not keep the plot from being exported. */
  readonly notes: Set<keyof typeof NOTES>;
}

const NOTES = {
  open: "with open checks, which the ruleset waives",
  fictional: "on fictional data",
} as const;

/** Changes after which a plot is the same land, but for digits that the system does not keep. */
const SAME_LAND: ReadonlySet<ChangeCode> = new Set<ChangeCode>([
  ...(["CRS_CHANGED", "HEIGHT_DROPPED", "READ_AS_BORDER", "LABEL_DROPPED", "RING_CLOSED"] as const),
  ...([
    "POSITION_DROPPED",
    "COORDINATES_CUT",
    "WINDING_TURNED",
    "HOLES_SPLIT",
    "AREA_SHARED",
    "ANTIMERIDIAN_SPLIT",
  ] as const),
  ...(["MEMBER_RENAMED", "AREA_READ", "COUNTRY_CODE", "COUNTRY_FILLED", "AREA_FILLED"] as const),
]);

/** A verdict may be ahead of this clock by so much, which is a difference of clocks. */
const TOLERATED_MS = 5 * 60_000;
const DAY_MS = 86_400_000;

/** Evidence items of a check that the digest of a verdict covers. */
const DIGEST_EVIDENCE = 20;

const textDigest = (text: string): string => hash("sha256", text);

/** The verdicts of a file, by the inputs that they are on: they decide which plots are exported. */
export class PlotVerdicts {
  /** Members of the export's manifest about the verdicts. */
  readonly described: { readonly ruleset: string; readonly max_age_days: number };
  readonly #byInput = new Map<string, InputVerdicts>();
  readonly #ids = new Set<string>();
  readonly #refused = new Map<Refusal, number>();
  readonly #leftOut = new Map<VerdictReason["code"], number>();
  readonly #notes = new Map<keyof typeof NOTES, number>();
  /** Ids of the ruleset's checks. */
  readonly #checks: string;
  readonly #policy: Policy;
  readonly #judge: JudgeOptions;
  readonly #semantics: number;
  readonly #nowMs: number;
  #counting = 0;

  private constructor(ruleset: Ruleset, maxAgeDays: number, nowMs: number, judge: JudgeOptions) {
    this.described = { ruleset: rulesetDigest(ruleset), max_age_days: maxAgeDays };
    this.#checks = ruleset.checks.map(({ id }) => id).join();
    this.#nowMs = nowMs;
    this.#judge = judge;
    const engine = openEngine([], { crs: crsTable, textDigest });
    this.#semantics = engine.semantics;
    // An evaluation of nothing but the day: it has the digest of its input, as every evaluation of the facts.
    const check = { id: "day", fact: "evaluated_on", op: ">=", value: "0001-01-01", outcome: "NOTICE" };
    this.#policy = engine.compile({ facts: judge.facts, sets: {}, checks: [check] });
  }

  /**
   * Reads the verdicts that the command line names; undefined if it names none.
   *
   * @param assumedHectares of a point without an area, as the receiving system has it
   *
   * Fails: {@link UsageError} without `--ruleset`, and for its options without `--verdicts`; as reading the files.
   */
  static async read(
    args: Arguments,
    terminal: Terminal,
    assumedHectares: number,
  ): Promise<PlotVerdicts | undefined> {
    const path = args.find(VERDICTS);
    if (path === undefined) {
      const other = VERDICT_OPTIONS.find(({ name }) => args.all(name).length > 0);
      if (other === undefined) return undefined;
      throw new UsageError(
        `found --${other.name} without --${VERDICTS}; name the file of verdicts, or leave it out`,
      );
    }
    const named = args.find(RULESET);
    if (named === undefined) {
      throw new UsageError(
        `found --${VERDICTS} without --${RULESET}; name the ruleset of the verdicts that are to count`,
      );
    }
    const ruleset = parseRuleset(readRuleset(named));
    const facts = ruleset.facts ?? {};
    const declared = await readDeclarations(args, facts, terminal);
    const judge = { crs: args.find("crs"), pointHectares: undefined, assumedHectares, facts, declared };
    const maxAgeDays = args.findNumber(MAX_AGE) ?? USUAL_MAX_AGE_DAYS;
    const nowMs = Date.parse(readInstantOption(args) ?? new Date().toISOString());
    const verdicts = new PlotVerdicts(ruleset, maxAgeDays, nowMs, judge);
    for await (const line of readVerdictLines(path)) {
      if ("refusal" in line) continue;
      verdicts.#add(
        line.id,
        "record" in line ? line.record.response.data : "verdict" in line ? line.verdict : {},
      );
    }
    terminal.note(`${path}: ${verdicts.#counts}`);
    return verdicts;
  }

  /** Why a plot may not be exported; undefined if it may. */
  refuse(read: PlotFeature, fixed: FixedPlot): VerdictReason | undefined {
    const own = this.#digest(read, this.#judge);
    const isSameLand = fixed.changes.every(({ code }) => SAME_LAND.has(code));
    const found = fixed.plots.map((plot) => {
      const digests = [this.#digest(plot, { ...this.#judge, crs: undefined }), isSameLand ? own : undefined];
      return mergeInputVerdicts(
        digests.flatMap((digest) => (digest === undefined ? [] : (this.#byInput.get(digest) ?? []))),
      );
    });
    const reason = this.#decide(found, read, !isSameLand && own !== undefined && this.#byInput.has(own));
    if (reason !== undefined) this.#leftOut.set(reason.code, (this.#leftOut.get(reason.code) ?? 0) + 1);
    else {
      const notes = new Set(found.flatMap((each) => [...each.notes]));
      for (const note of notes) this.#notes.set(note, (this.#notes.get(note) ?? 0) + 1);
    }
    return reason;
  }

  /** True if a plot was left out for want of a verdict that counts, or of one alone. */
  get isWanting(): boolean {
    return [...this.#leftOut.keys()].some(
      (code) => code !== "VERDICT_NON_COMPLIANT" && code !== "VERDICT_WARNING",
    );
  }

  /** The plots that were left out, by reason, and doubts about those that were not, a line each. */
  get lines(): string[] {
    const codes = (Object.keys(REASONS) as VerdictReason["code"][]).filter((code) => this.#leftOut.has(code));
    const parts = codes.map((code) => `${this.#leftOut.get(code)} ${REASONS[code]}`);
    return [
      ...(parts.length === 0 ? [] : [`left out by their verdicts: ${parts.join(", ")}`]),
      ...Array.from(this.#notes, ([note, count]) => {
        return `${formatCount(count, "exported plot")} ${count === 1 ? "has" : "have"} a verdict ${NOTES[note]}`;
      }),
    ];
  }

  get #counts(): string {
    const refused = (Object.keys(REFUSALS) as Refusal[]).flatMap((why) => {
      const count = this.#refused.get(why) ?? 0;
      return count === 0 ? [] : [`${count} ${REFUSALS[why][count === 1 ? 0 : 1]}`];
    });
    const others = refused.length === 0 ? "" : `; others do not: ${refused.join(", ")}`;
    return `${formatCount(this.#counting, "verdict")} ${this.#counting === 1 ? "counts" : "count"}${others}`;
  }

  #add(id: string | number, value: object): void {
    const verdict = value as Partial<Verdict>;
    const refusal = this.#refusal(verdict);
    if (refusal === undefined) this.#counting++;
    else this.#refused.set(refusal, (this.#refused.get(refusal) ?? 0) + 1);
    if (refusal === "unreadable") return;
    const { input, verdict: word, at_least, checks, sources } = verdict as Verdict;
    this.#ids.add(String(id));
    const known = this.#byInput.get(input.digest) ?? mergeInputVerdicts([]);
    this.#byInput.set(input.digest, known);
    if (refusal !== undefined) {
      known.refused.add(refusal);
      // A degraded verdict still counts against a plot for the outcome that is certain.
      if (refusal === "degraded" && at_least !== "COMPLIANT") known.counting.add(at_least);
      return;
    }
    known.counting.add(word);
    if (checks.some(({ status }) => status !== "ok")) known.notes.add("open");
    if (sources.some(({ fictional }) => fictional === true)) known.notes.add("fictional");
  }

  #refusal(verdict: Partial<Verdict>): Refusal | undefined {
    const { evaluated_at, ruleset, status, input, sources, checks = [] } = verdict;
    const atMs = typeof evaluated_at === "string" ? Date.parse(evaluated_at) : Number.NaN;
    const digests = [Object(input).digest, Object(ruleset).digest];
    const isWhole =
      sources !== undefined &&
      digests.every((digest) => typeof digest === "string") &&
      checks.every((check) => Array.isArray(check.evidence) && Number.isInteger(check.evidence_total));
    if (!isWhole || Number.isNaN(atMs)) return "unreadable";
    if (ruleset!.digest !== this.described.ruleset) return "ruleset";
    if (this.#isAltered(verdict as Verdict)) return "altered";
    if (atMs > this.#nowMs + TOLERATED_MS) return "future";
    if (atMs < this.#nowMs - this.described.max_age_days * DAY_MS) return "old";
    if (status !== "ok" || verdict.verdict === "DEGRADED") return "degraded";
    const isWorse = checks.some(({ outcome }) => outcome === "WARNING" || outcome === "NON_COMPLIANT");
    const isSound = verdict.verdict === verdict.at_least && !(verdict.verdict === "COMPLIANT" && isWorse);
    return isSound ? undefined : "altered";
  }

  /**
   * True if a verdict has other checks than its ruleset, or another digest than its members make: of one without all of its
   * evidence, or of another meaning of rulesets, the digest cannot be computed.
   */
  #isAltered(verdict: Verdict): boolean {
    const { digest, semantics, checks } = verdict;
    if (digest === null || checks.map(({ id }) => id).join() !== this.#checks) return true;
    const isWhole = checks.every(
      ({ evidence, evidence_total }) => evidence.length >= Math.min(evidence_total, DIGEST_EVIDENCE),
    );
    if (semantics !== this.#semantics || !isWhole) return false;
    try {
      return verdictDigest(verdict, textDigest) !== digest;
    } catch (error) {
      if (error instanceof EngineError) return true;
      throw error;
    }
  }

  /** The digest of a plot's input; undefined where it cannot be evaluated. */
  #digest(plot: PlotFeature, judge: JudgeOptions): string | undefined {
    const line = preparePlotLine(toPlotLine(plot), judge);
    if ("error" in line) return undefined;
    try {
      return this.#policy.evaluate(line.input, { now: new Date(this.#nowMs).toISOString() }).input.digest;
    } catch (error) {
      if (error instanceof EngineError) return undefined;
      throw error;
    }
  }

  /** @param found the verdicts on each plot that is to be exported */
  #decide(
    found: readonly InputVerdicts[],
    { id }: PlotFeature,
    isBeforeFix: boolean,
  ): VerdictReason | undefined {
    const words = new Set(found.flatMap(({ counting }) => [...counting]));
    const disagrees = found.find(({ counting }) => counting.size > 1);
    if (disagrees !== undefined) {
      const message = `found ${[...disagrees.counting].join(" and ")}, expected one verdict: screen the plot again, and leave the earlier results out`;
      return { code: "VERDICTS_DISAGREE", message };
    }
    if ([...words].some((word) => word !== "COMPLIANT")) {
      const worst = words.has("NON_COMPLIANT") ? "NON_COMPLIANT" : "WARNING";
      return { code: `VERDICT_${worst}`, message: `found the verdict ${worst}, expected COMPLIANT` };
    }
    const without = found.find(({ counting }) => counting.size === 0);
    if (without === undefined) return undefined;
    const expected = "expected one that counts: screen the plot with";
    if (without.refused.size > 0) {
      const why = [...without.refused].map((each) => REFUSALS[each][0]);
      const message = `found a verdict that ${why.join(", and one that ")}, ${expected} the ruleset again`;
      return { code: "VERDICT_REFUSED", message };
    }
    if (isBeforeFix) {
      const message = `found a verdict on the plot before it was fixed, ${expected} --as-submitted eudr, or the output of plots fix`;
      return { code: "VERDICT_BEFORE_FIX", message };
    }
    const isOther = this.#ids.has(String(id));
    return {
      code: isOther ? "VERDICT_OF_OTHER_INPUT" : "VERDICT_MISSING",
      message: isOther
        ? `found a verdict on another input of this id, ${expected} its border, area, identifiers and facts as they are here`
        : `found no verdict, ${expected} the ruleset`,
    };
  }
}

/** All verdicts on one plot, of several digests. */
function mergeInputVerdicts(all: readonly InputVerdicts[]): InputVerdicts {
  return {
    counting: new Set(all.flatMap(({ counting }) => [...counting])),
    refused: new Set(all.flatMap(({ refused }) => [...refused])),
    notes: new Set(all.flatMap(({ notes }) => [...notes])),
  };
}
