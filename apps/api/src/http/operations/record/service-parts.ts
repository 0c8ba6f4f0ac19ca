import type { AnsweredBody } from "@groundrule/service";
import type { RulesetCatalog } from "../../../catalog/ruleset-catalog.ts";
import type { Charging } from "../../../charging/charging.ts";
import type { HoldingLimits } from "../../../ledger/holdings.ts";
import type { Store, Violation } from "../../../store/port/port.ts";
import type { BodyContext } from "../../exchange/request/request-parts.ts";
import type { BurstLimit } from "../../gates/limit-bursts.ts";

/** The parts of the service that handlers work with; each handler declares the few that it uses. */
export interface ServiceParts extends BodyContext {
  readonly store: Store;
  readonly charging: Charging;
  readonly rulesets: RulesetCatalog;
  /** The most that an organization may hold in each mode. */
  readonly holdings: HoldingLimits;
  readonly burst: BurstLimit;
  /** The runner of jobs in this process; undefined where another process runs them. */
  readonly runner: { wake(): void; drop(jobId: string): void } | undefined;
  /** Receives the status of the sources of an answer. */
  readonly onSources: (sources: AnsweredBody["sources"]) => void;
  /** True once the service is stopping. */
  readonly draining: () => boolean;
  /** Why the data folder cannot be read now; undefined if it can. */
  readonly dataTrouble: () => DataTrouble | undefined;
  /** Invariants of charging that were found broken; their scopes are frozen. */
  readonly violations: () => readonly Violation[];
  /** Reports a sentence to the operator. */
  readonly tell: (words: string) => void;
  /** The metrics in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  readonly documentation: Documentation;
}

/** Why a data folder cannot be read: it has no catalog, or one that does not open. */
export type DataTrouble = "DATA_FOLDER_MISSING" | "DATA_FOLDER_UNREADABLE";

/** Renders a page by its name, or the first one without; undefined where there is none. */
export type RenderPage = (name: string | undefined) => string | undefined;

/** Pages about the service. */
export interface Documentation {
  /** The OpenAPI description, as JSON. */
  readonly openapi: string;
  /** The description as pages. */
  readonly reference: RenderPage;
  readonly guides: RenderPage;
  readonly errors: RenderPage;
}
