import type { ListedSource } from "@groundrule/contract";
import type { Verdict, Warning } from "@groundrule/engine";
import type { Plan } from "@groundrule/engine/rulesets";
import type { ReportMaterial } from "@groundrule/report";

/** What is asked about one plot. */
export interface Question {
  /** `input` of `POST /v1/evaluate`, as sent. */
  readonly input: object;
  readonly ruleset: RulesetChoice;
  readonly referenceId?: string;
}

/** A ruleset of the catalog or a preset, by `name` or `name@version`, or a body of its own. */
export type RulesetChoice = ({ readonly id: string } | { readonly body: object }) & {
  /** Names of missing sources and groups to do without, where the page answers by itself; a service refuses them. */
  readonly without?: readonly string[];
};

/** What was answered about one plot. */
export interface Answer {
  readonly verdict: Verdict;
  readonly warnings: readonly Warning[];
  /** Whether it counted against the quota; never, where the page answers by itself. */
  readonly charged: boolean;
  readonly requestId: string | undefined;
  /** Request and response: what a report is made of. */
  readonly record: { readonly request: object; readonly response: object };
  /** Who gave it. */
  readonly by: Pick<Answerer, "material" | "tile">;
}

/** A ruleset that can be chosen. */
export interface NamedRuleset {
  readonly name: string;
  readonly version?: number;
  readonly isPreset: boolean;
  readonly description?: string;
}

/** A ruleset as it is evaluated: description, sets and checks. */
export interface FoundRuleset {
  readonly name: string;
  readonly version?: number;
  readonly body: object;
}

/** An error or a likely mistake in a ruleset. */
export interface RulesetFinding {
  readonly severity: "error" | "warning";
  readonly code: string;
  /** JSON pointer into the ruleset, or into a request of which it is the member `ruleset`. */
  readonly pointer: string;
  readonly message: string;
  /** True if the ruleset and the editions in use leave no doubt about it. */
  readonly certain?: true;
  readonly hint?: string;
}

/** The quota of the period. */
export interface PageUsage {
  /** Null where there is no limit. */
  readonly limit: number | null;
  readonly used: number;
}

/** Whose an API key is. */
export interface KeyHolder {
  /** The organization's name. */
  readonly organization: string;
}

/** One fault of what was asked. */
export interface ProblemFault {
  readonly pointer?: string;
  readonly code?: string;
  readonly message: string;
  /** Longitude and latitude, in degrees, where the fault has a place. */
  readonly position?: readonly [number, number];
}

/** Who answers: the service, or the engine in this page. Every method rejects with an {@link AnswerProblem}. */
export interface Answerer {
  readonly place: "service" | "here";
  /** The service that is asked, and a number that tells API keys apart; absent where nothing is charged. */
  readonly service?: { readonly address: string; readonly apiKey: number };
  /** @param options.key name of the logical call: retries under one key are charged once */
  evaluate(
    question: Question,
    options?: { readonly signal?: AbortSignal; readonly key?: string },
  ): Promise<Answer>;
  sources(): Promise<readonly ListedSource[]>;
  rulesets(): Promise<readonly NamedRuleset[]>;
  /** @param id `name` or `name@version` */
  ruleset(id: string): Promise<FoundRuleset>;
  /** Errors and likely mistakes in a ruleset; empty where there are none. */
  checkRuleset(body: object): Promise<readonly RulesetFinding[]>;
  /** Stores a ruleset as a new version; absent where nothing is stored. */
  saveRuleset?(name: string, body: object): Promise<{ readonly name: string; readonly version: number }>;
  /** The plan of an evaluation. Charged to nobody. */
  explain(question: Question): Promise<Plan>;
  /** A vector tile with the layers `areas` and `coverage`; undefined where it is empty. */
  tile(
    source: string,
    z: number,
    x: number,
    y: number,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * What a report shows beside a record that was answered here: evaluated again, and the shapes of its evidence. Absent
   * where that would be charged.
   */
  material?(record: object): Promise<ReportMaterial>;
  /**
   * The latest stored answer about the same input, by the same ruleset on other editions than `answer`; undefined where
   * there is none. Absent where answers are not stored. Charged to nobody.
   *
   * @param referenceId of both questions
   */
  earlier?(answer: Answer, referenceId: string): Promise<Answer | undefined>;
  /** Whose the key is that questions are asked with; absent where there is none. */
  holder?(): Promise<KeyHolder>;
  /** Undefined where nothing is counted. */
  usage(): Promise<PageUsage | undefined>;
  close(): void;
}

/** Any failure as a problem. */
export function problemIn(error: unknown): AnswerProblem {
  return error instanceof AnswerProblem ? error : new AnswerProblem("INTERNAL_ERROR", String(error));
}

/** Why there is no answer. */
export class AnswerProblem extends Error {
  /** A code of the service, or `NETWORK_FAILED`. */
  readonly code: string;
  readonly faults: readonly ProblemFault[];
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** A geometry that would be taken in the place of the one that was refused. */
  readonly repaired: object | undefined;

  constructor(
    code: string,
    message: string,
    more: {
      readonly faults?: readonly ProblemFault[];
      readonly status?: number | undefined;
      readonly retryAfterSeconds?: number | undefined;
      readonly repaired?: object | undefined;
    } = {},
  ) {
    super(message);
    this.name = "AnswerProblem";
    this.code = code;
    this.faults = more.faults ?? [];
    this.status = more.status;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.repaired = more.repaired;
  }
}
