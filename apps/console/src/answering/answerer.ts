import type { ListedSource } from "@groundrule/contract";
import type { Verdict, Warning } from "@groundrule/engine";
import type { Plan } from "@groundrule/engine/rulesets";
import type { ReportMaterial } from "@groundrule/report";
import type { LandContext } from "@groundrule/report/context";

/** A question about one plot. */
export interface Question {
  /** `input` of `POST /v1/evaluate`, as sent. */
  readonly input: object;
  readonly ruleset: RulesetChoice;
  readonly referenceId?: string;
}

/** A ruleset of the catalog or a preset, by `name` or `name@version`, or an inline body. */
export type RulesetChoice = ({ readonly id: string } | { readonly body: object }) & {
  /** Names of missing sources and groups to leave out, if the page itself answers; a service refuses them. */
  readonly without?: readonly string[];
};

/** The answer about one plot. */
export interface Answer {
  readonly verdict: Verdict;
  readonly warnings: readonly Warning[];
  /** True if it counted against the quota; never if the page itself answers. */
  readonly charged: boolean;
  readonly requestId: string | undefined;
  /** Request and response, from which a report is made. */
  readonly record: { readonly request: object; readonly response: object };
  /** The answerer that gave it. */
  readonly by: Pick<Answerer, "material" | "tile">;
}

/** A ruleset offered for choice. */
export interface NamedRuleset {
  readonly name: string;
  readonly version?: number;
  readonly isPreset: boolean;
  readonly description?: string;
}

/** The body of a ruleset: description, sets and checks. */
export interface FoundRuleset {
  readonly name: string;
  readonly version?: number;
  readonly body: object;
}

/** An error or a likely mistake in a ruleset. */
export interface RulesetFinding {
  readonly severity: "error" | "warning";
  readonly code: string;
  /** JSON pointer into the ruleset, or into a request with the ruleset as its member `ruleset`. */
  readonly pointer: string;
  readonly message: string;
  /** True if the ruleset and the editions in use leave no doubt about it. */
  readonly certain?: true;
  readonly hint?: string;
}

/** The quota of the period. */
export interface PageUsage {
  /** Null if there is no limit. */
  readonly limit: number | null;
  readonly used: number;
  /** The instant at which the next period begins, ISO 8601 UTC. */
  readonly periodEndsAt?: string;
}

/** The owner of an API key. */
export interface KeyHolder {
  /** The organization's name. */
  readonly organization: string;
}

/** A single fault of a request. */
export interface ProblemFault {
  readonly pointer?: string;
  readonly code?: string;
  readonly message: string;
  /** Longitude and latitude of the fault in degrees, if it has a place. */
  readonly position?: readonly [number, number];
}

/** The additional parts of a report on a record answered in this page. */
export interface MaterialHere extends ReportMaterial {
  /** The land of the plot that the ruleset's maps of one year show. */
  readonly land: readonly LandContext[];
}

/** A source of answers: the service, or the engine in this page. Every method rejects with an {@link AnswerProblem}. */
export interface Answerer {
  readonly place: "service" | "here";
  /** The service, and a number that identifies the API key; absent if nothing is charged. */
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
  /** Errors and likely mistakes in a ruleset; empty if there are none. */
  checkRuleset(body: object): Promise<readonly RulesetFinding[]>;
  /** Stores a ruleset as a new version; absent if nothing can be stored. */
  saveRuleset?(name: string, body: object): Promise<{ readonly name: string; readonly version: number }>;
  /** The plan of an evaluation. Never charged. */
  explain(question: Question): Promise<Plan>;
  /** A vector tile with the layers `areas` and `coverage`; undefined if it is empty. */
  tile(
    source: string,
    z: number,
    x: number,
    y: number,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * The additional parts of a report on a record answered in this page: evaluated again, with the shapes of its
   * evidence, and the land that maps of one year show. Absent if that would be charged.
   */
  material?(record: object): Promise<MaterialHere>;
  /**
   * The latest stored answer about the same input, by the same ruleset on other editions than `answer`; undefined if
   * there is none. Absent if answers are not stored. Never charged.
   *
   * @param referenceId of both questions
   */
  earlier?(answer: Answer, referenceId: string): Promise<Answer | undefined>;
  /** The owner of the key in use; absent if there is no key. */
  holder?(): Promise<KeyHolder>;
  /** Undefined if usage is not counted. */
  usage(): Promise<PageUsage | undefined>;
  close(): void;
}

/** Converts any failure to a problem. */
export function toAnswerProblem(error: unknown): AnswerProblem {
  return error instanceof AnswerProblem ? error : new AnswerProblem("INTERNAL_ERROR", String(error));
}

/** The reason why there is no answer. */
export class AnswerProblem extends Error {
  /** A code of the service, or `NETWORK_FAILED`. */
  readonly code: string;
  readonly faults: readonly ProblemFault[];
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** An acceptable geometry to replace the refused one. */
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
