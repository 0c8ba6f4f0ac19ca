import type { FactColumns } from "@groundrule/plots";
import type { Geometry } from "geojson";
import type { Answer, AnswerProblem } from "../answering/answerer.ts";

/** A plot of the page's list. */
export interface PagePlot {
  /** Unique in the page, and never reused. */
  readonly key: string;
  /** Its name for people. */
  readonly id: string;
  readonly geometry: Geometry | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  /**
   * `input` of `POST /v1/evaluate`, with every fact entered for the plot alone: only those that the ruleset asks for
   * are sent. Null withdraws the file's value. Undefined if the plot could not be read.
   */
  readonly input: object | undefined;
  /** Facts in its file, as found; entered facts take precedence. Absent: none. */
  readonly fileFacts?: {
    /** Facts by name. */
    readonly facts?: Readonly<Record<string, unknown>>;
    /** Cells of its columns of facts. */
    readonly columns?: FactColumns;
  };
  /** The plot's origin: `drawn`, `pasted`, `example` or the name of its file. */
  readonly origin: string;
  readonly state: PlotState;
  /** The answer that it had until its answers or the ruleset changed; of no use for another geometry. */
  readonly outdated?: Outdated | undefined;
}

/** An answer that does not fit any more. */
export interface Outdated {
  readonly answer: Answer;
  readonly geometry: Geometry | undefined;
  /** The part that has changed since then. */
  readonly changed: "answers" | "ruleset";
}

/** The answer of a plot that is about to lose it, or lost it before. */
export function outdateAnswer(
  { state, geometry, outdated }: PagePlot,
  changed: Outdated["changed"],
): Outdated | undefined {
  return state.kind === "answered" ? { answer: state.answer, geometry, changed } : outdated;
}

export type PlotState =
  | { readonly kind: "new" }
  | { readonly kind: "asking" }
  | { readonly kind: "answered"; readonly answer: Answer }
  /** The plot itself is at fault. */
  | { readonly kind: "refused"; readonly problem: AnswerProblem }
  /** The service, the key, the quota or the ruleset is at fault. */
  | { readonly kind: "unanswered"; readonly problem: AnswerProblem }
  | { readonly kind: "unread"; readonly error: { readonly code: string; readonly message: string } };
