import type { ListedSource } from "@groundrule/contract";
import type { Plan } from "@groundrule/engine/rulesets";
import type { ReportMaterial } from "@groundrule/report";
import type {
  Answer,
  FoundRuleset,
  MaterialHere,
  NamedRuleset,
  Question,
  RulesetFinding,
} from "../answering/answerer.ts";
import type { PublishedRuleset } from "./local-catalog.ts";

// Messages between the page and its worker: plain values.

/** A file for the worker to read: supplied by the user, or next to the page. */
export type HereFile =
  | File
  | {
      /** Relative to the page. */
      readonly url: string;
    };

/** The state of a file. */
export interface OpenedFile {
  readonly name: string;
  readonly kind: "snapshot" | "catalog" | "notes" | "ruleset" | "unknown";
  readonly state: "open" | "failed" | "left aside";
  /** Set for a snapshot, and for a source whose file is missing. */
  readonly source_name?: string;
  readonly edition?: string;
  /** The reason why it is not open. */
  readonly code?: string;
  readonly message?: string;
}

/** Requests to the worker. */
export type Ask =
  | { readonly do: "open"; readonly files: readonly HereFile[]; readonly settings: HereSettings }
  | { readonly do: "evaluate"; readonly question: Question; readonly now: string; readonly requestId: string }
  | { readonly do: "explain"; readonly question: Question; readonly now: string }
  | { readonly do: "material"; readonly record: object }
  /** Needs no files: returns the tiles from which the maps of a record's report are drawn. */
  | { readonly do: "wanted"; readonly record: object }
  /** Needs no files; without tiles, only the plot is drawn. */
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

/** The page's settings for the worker. */
export interface HereSettings {
  /** Rulesets saved in this page. */
  readonly saved: readonly PublishedRuleset[];
  /** URL of the borders of countries. */
  readonly bordersUrl: string;
  /** URL of the presets. */
  readonly presetsUrl: string;
}

/** The worker's replies, by request. */
export interface Replies {
  readonly open: { readonly files: readonly OpenedFile[] };
  readonly evaluate: PlainAnswer;
  readonly explain: Plan;
  readonly material: MaterialHere;
  /** Tiles for each of the maps. */
  readonly wanted: readonly (readonly WantedTile[])[];
  readonly gather: ReportMaterial;
  readonly sources: readonly ListedSource[];
  readonly rulesets: readonly NamedRuleset[];
  readonly ruleset: FoundRuleset;
  readonly check: readonly RulesetFinding[];
  readonly save: PublishedRuleset;
  readonly tile: Uint8Array<ArrayBuffer> | undefined;
}

/** An answer in the form sent from the worker to the page. */
export type PlainAnswer = Pick<Answer, "verdict" | "warnings" | "record">;

/** The reason for a missing answer, in the form sent from the worker to the page. */
export interface PlainProblem {
  readonly code: string;
  readonly detail: string;
  /** The HTTP status of the service for it. */
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

/** Progress of reading a file. */
export interface Progress {
  readonly name: string;
  readonly readBytes: number;
  /** Size of the file; undefined if it is unknown. */
  readonly bytes: number | undefined;
}
