import type { ArchiveQuestion } from "@groundrule/node/internal";
import type { ArchivedHost, BodyResult, BodyTask, EngineHost } from "@groundrule/service";
import type { JobTerms } from "./job-terms.ts";

/** Opens editions that may be older than the current ones. */
export type OpenArchive = (question: Omit<ArchiveQuestion, "kernel" | "borders">) => ArchivedHost;

/**
 * Answers the plots of one job on the job's editions: with the current engine while it has them, and afterwards in a
 * worker that opens the archived ones.
 */
export class JobEngine {
  readonly #terms: JobTerms;
  readonly #current: Pick<EngineHost, "answer">;
  readonly #openArchive: OpenArchive | undefined;
  /**
   * Names of the job's sources, the only ones the current engine may use: a source added to a group later is ignored.
   */
  readonly #within: readonly string[];
  #archive: ArchivedHost | undefined;

  /** @param openArchive absent: there is no archive, and only current editions can be used */
  constructor(terms: JobTerms, current: Pick<EngineHost, "answer">, openArchive?: OpenArchive) {
    this.#terms = terms;
    this.#current = current;
    this.#openArchive = openArchive;
    const { editions, failed, live } = terms;
    const failing = failed.map(({ source_name }) => source_name);
    this.#within = [...Object.keys(editions), ...failing, ...Object.keys(live)];
  }

  /**
   * Fails: with a `DataError`, `EDITION_MISSING` or `EDITION_DAMAGED`, if an edition is neither current nor archived.
   */
  async answer(task: BodyTask, signal?: AbortSignal): Promise<BodyResult | "missing"> {
    if (this.#archive === undefined) {
      const result = await this.#current.answer(
        { ...task, within: this.#within, pinned: this.#terms.editions },
        { signal },
      );
      const isOther = result.kind === "other editions" || isOfOtherSources(result);
      if (!isOther) return result;
      if (this.#openArchive === undefined) return "missing";
      const { editions, failed, live, groups } = this.#terms;
      this.#archive ??= this.#openArchive({
        sources: [
          ...Object.entries(editions).map(([source_name, edition]) => ({
            source_name,
            edition,
            status: "ok" as const,
          })),
          ...failed.map((source) => ({ ...source, status: "failed" as const })),
          ...Object.keys(live).map((source_name) => ({ source_name, status: "ok" as const })),
        ],
        groups: groups ?? {},
        live,
      });
    }
    const result = await this.#archive.answer(task, { signal });
    // Not the plot's fault: the ruleset compiled when the job was created.
    return isOfOtherSources(result) ? "missing" : result;
  }

  /** Ends the worker, if one was started. */
  async close(): Promise<void> {
    await this.#archive?.close();
  }
}

/** True if a ruleset that compiled earlier no longer does, because one of its sources is gone. */
function isOfOtherSources(result: BodyResult): boolean {
  return result.kind === "refused" && SOURCE_CODES.has(result.refusal.code);
}

const SOURCE_CODES: ReadonlySet<string> = new Set(["RULESET_INVALID", "SOURCE_UNKNOWN"]);
