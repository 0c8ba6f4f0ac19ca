import { crsTable } from "@groundrule/crs";
import type { VerdictRecord } from "@groundrule/engine/records";
import { DataError, loadKernel } from "@groundrule/node";
import { EditionArchive } from "@groundrule/node/internal";
import { gatherMaterial, type ReportOptions, renderReport } from "@groundrule/report";
import { formatLandContext, measureContext } from "@groundrule/report/context";
import { getTongue } from "@groundrule/words/languages";

/** A report's page, and the result of evaluating its record again. */
export interface ArchivedPage {
  readonly page: string;
  /** Parts of the record that differ; empty if it is confirmed, or was not evaluated again. */
  readonly differs: readonly string[];
  /** The reason why it was not evaluated again: a sentence. */
  readonly lack: string | undefined;
}

/**
 * Writes reports from records and the archived editions that they name; these stay open from one record to the next.
 */
export class ArchivedPages {
  readonly #archive: EditionArchive;
  readonly #options: ReportOptions;

  constructor(dir: string, options: ReportOptions) {
    this.#archive = new EditionArchive(dir);
    this.#options = options;
  }

  /** Fails: {@link DataError} for archived editions that cannot be read. */
  async write(record: VerdictRecord): Promise<ArchivedPage> {
    const { engine, lack } = await this.#open(record);
    const material = gatherMaterial(record, { engine, lack, crs: crsTable });
    const tongue = getTongue(this.#options.language ?? "en");
    const context = engine && formatLandContext(measureContext(record, engine), tongue);
    const page = renderReport(record, { ...material, context }, this.#options);
    const differs = (material.replay?.differs ?? []).filter((part) => part !== "description");
    return { page, differs, lack };
  }

  async #open({ request, response, groups }: VerdictRecord) {
    const { sources, semantics } = response.data;
    try {
      const kernel = await loadKernel(semantics === 0 ? "reference" : "default");
      return { engine: this.#archive.open({ sources, groups, live: request.live, kernel }), lack: undefined };
    } catch (error) {
      if (!(error instanceof DataError) || !error.code.startsWith("EDITION_")) throw error;
      return { engine: undefined, lack: `${error.message}.` };
    }
  }
}
