import type { ToldFacts } from "@groundrule/plots";
import type { Geometry } from "geojson";
import type { Answer, AnswerProblem } from "../answering/answerer.ts";

/** A plot of the page's list. */
export interface PagePlot {
  /** Unique in the page, and never used again. */
  readonly key: string;
  /** What people call it. */
  readonly id: string;
  readonly geometry: Geometry | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
  /**
   * `input` of `POST /v1/evaluate`, with every fact that a person told of the plot alone: those are sent that the ruleset
   * asks for. Null takes back what its file tells. Undefined where the plot could not be read.
   */
  readonly input: object | undefined;
  /** What its file tells of facts, as found; what a person tells goes before it. Absent: nothing. */
  readonly told?: {
    /** By name. */
    readonly facts?: Readonly<Record<string, unknown>>;
    /** Cells of its columns of facts. */
    readonly columns?: ToldFacts;
  };
  /** `drawn`, `pasted`, `example` or the name of its file. */
  readonly origin: string;
  readonly state: PlotState;
}

export type PlotState =
  | { readonly kind: "new" }
  | { readonly kind: "asking" }
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly problem: AnswerProblem }
  | { readonly kind: "unread"; readonly error: { readonly code: string; readonly message: string } };
