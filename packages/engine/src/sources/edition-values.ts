import type { ColumnSummary, LeafSnapshot } from "../snapshot/snapshot.ts";
import { type CommonProperty, countHiddenValues } from "./common-properties.ts";

/**
 * Summaries of the values of all areas of an edition. Each is found by a pass over the areas when it is first needed,
 * and kept with the edition, which never changes.
 */
export class EditionValues {
  readonly #snapshot: LeafSnapshot;
  readonly #summaries = new Map<string, ColumnSummary | undefined>();
  readonly #hidden = new Map<CommonProperty, number>();

  constructor(snapshot: LeafSnapshot) {
    this.#snapshot = snapshot;
  }

  /** The summary of a column, or of the areas' own `name` or `country_iso3`; undefined where there is no such column. */
  summary(name: string): ColumnSummary | undefined {
    if (!this.#summaries.has(name)) this.#summaries.set(name, this.#summarize(name));
    return this.#summaries.get(name);
  }

  #summarize(name: string): ColumnSummary | undefined {
    const { attributes } = this.#snapshot;
    if (name === "name" || name === "country_iso3") return attributes.summary(name);
    const column = attributes.columns.findIndex((each) => each.name === name);
    return column < 0 ? undefined : attributes.summary(column);
  }

  /** In how many areas a column of the same name has another value than a common property. */
  hidden(name: CommonProperty): number {
    let count = this.#hidden.get(name);
    if (count === undefined) {
      count = countHiddenValues(this.#snapshot, name);
      this.#hidden.set(name, count);
    }
    return count;
  }
}
