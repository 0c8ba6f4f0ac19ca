import type { ListedSource } from "@groundrule/contract";
import type { Plan } from "@groundrule/engine/rulesets";
import type { ReportMaterial } from "@groundrule/report";
import type { Answer, FoundRuleset, NamedRuleset, Question, RulesetFinding } from "../answering/answerer.ts";
import type { PublishedRuleset } from "./local-catalog.ts";

// What the page and its worker say to each other: plain values.

/** A file that the worker reads: handed over by the reader of the page, or beside the page. */
export type HereFile =
  | File
  | {
      /** Relative to the page. */
      readonly url: string;
    };

/** What became of a file. */
export interface OpenedFile {
  readonly name: string;
  readonly kind: "snapshot" | "catalog" | "notes" | "ruleset" | "unknown";
  readonly state: "open" | "failed" | "left aside";
  /** Of a snapshot, and of a source whose file is missing. */
  readonly source_name?: string;
  readonly edition?: string;
  /** Why it is not open. */
  readonly code?: string;
  readonly message?: string;
}

/** What the worker is asked to do. */
export type Ask =
  | { readonly do: "open"; readonly files: readonly HereFile[]; readonly settings: HereSettings }
  | { readonly do: "evaluate"; readonly question: Question; readonly now: string; readonly requestId: string }
  | { readonly do: "explain"; readonly question: Question; readonly now: string }
  | { readonly do: "material"; readonly record: object }
  /** Asked without files: which tiles the maps of a record's report are drawn from. */
  | { readonly do: "wanted"; readonly record: object }
  /** Asked without files; without tiles, for the plot alone. */
  | { readonly do: "gather"; readonly record: object; readonly tiles?: readonly (readonly SentTile[])[] }
  | { readonly do: "sources"; readonly now: string }
  | { readonly do: "rulesets" }
  | { readonly do: "ruleset"; readonly id: string }
  | { readonly do: "check"; readonly body: object }
  | { readonly do: "save"; readonly name: string; readonly body: object }
  | ({ readonly do: "tile" } & WantedTile);

/** A tile of a source. */
export interface WantedTile {
  readonly source: string;
  readonly z: number;
  readonly x: number;
  readonly y: number;
}

export interface SentTile extends WantedTile {
  readonly bytes: Uint8Array;
}

/** What the worker has to know of the page. */
export interface HereSettings {
  /** Rulesets that were saved in this page. */
  readonly saved: readonly PublishedRuleset[];
  /** Where the borders of countries lie. */
  readonly bordersUrl: string;
  /** Where the presets lie. */
  readonly presetsUrl: string;
}

/** What the worker answers, by what it was asked. */
export interface Replies {
  readonly open: { readonly files: readonly OpenedFile[] };
  readonly evaluate: PlainAnswer;
  readonly explain: Plan;
  readonly material: ReportMaterial;
  /** For each of the maps. */
  readonly wanted: readonly (readonly WantedTile[])[];
  readonly gather: ReportMaterial;
  readonly sources: readonly ListedSource[];
  readonly rulesets: readonly NamedRuleset[];
  readonly ruleset: FoundRuleset;
  readonly check: readonly RulesetFinding[];
  readonly save: PublishedRuleset;
  readonly tile: Uint8Array<ArrayBuffer> | undefined;
}

/** An answer as it crosses from the worker to the page. */
export type PlainAnswer = Pick<Answer, "verdict" | "warnings" | "record">;

/** Why there is no answer, as it crosses from the worker to the page. */
export interface PlainProblem {
  readonly code: string;
  readonly detail: string;
  /** The status that the service would answer with. */
  readonly status: number | undefined;
  readonly errors: readonly { readonly pointer: string; readonly code: string; readonly message: string }[];
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AskMessage {
  readonly id: number;
  readonly ask: Ask;
}

export type WorkerMessage =
  | { readonly id: number; readonly reply: unknown }
  | { readonly id: number; readonly problem: PlainProblem }
  | { readonly id: number; readonly bug: string }
  | { readonly id: number; readonly progress: Progress };

/** How much of a file has been read. */
export interface Progress {
  readonly name: string;
  readonly readBytes: number;
  /** Undefined where nobody told. */
  readonly bytes: number | undefined;
}
