import type { Answer, DistanceMatch, IntersectionMatch } from "@groundrule/engine";
import { type Data, type DataType, Field, Float64, Int32, Utf8 } from "apache-arrow";
import { NumberColumn, TextColumn, WholeColumn } from "../../screening/stdio/output-stream.ts";
import type { LineError } from "../../terminal/line-error.ts";

type Member = "intersections" | "matches";

/** The columns of texts and numbers of a match, after the row of its plot. */
const TEXTS = ["source_name", "source_id", "name", "country_iso3"] as const;
const NUMBERS = {
  intersections: ["overlap_area_m2", "overlap_ratio", "area_overlap_ratio", "cells"],
  matches: ["distance_m"],
} as const;
const ERRORS = ["error_code", "error_message"] as const;

/** Code of a row for a source that could not be queried, so that a plot's matches are incomplete. */
const SOURCE_FAILED = "DATA_UNAVAILABLE";

/** Pairs of plots and areas as columns, in the making. */
export class MatchColumns {
  readonly #rows = new WholeColumn();
  readonly #texts = TEXTS.map(() => new TextColumn());
  readonly #numbers: readonly NumberColumn[];
  readonly #names: readonly string[];
  readonly #errors = ERRORS.map(() => new TextColumn());
  #length = 0;

  constructor(member: Member) {
    this.#names = NUMBERS[member];
    this.#numbers = this.#names.map(() => new NumberColumn());
  }

  /** The fields of a batch: `row`, the number of the plot in its batch, and the members of a match. */
  static listFields(member: Member): readonly Field[] {
    const optional = (type: DataType) => (name: string) => new Field(name, type, true);
    return [
      new Field("row", new Int32(), false),
      ...TEXTS.map(optional(new Utf8())),
      ...NUMBERS[member].map(optional(new Float64())),
      ...ERRORS.map(optional(new Utf8())),
    ];
  }

  get length(): number {
    return this.#length;
  }

  /** Adds the matches of a plot, and a row with an error for each source that could not be queried. */
  addAnswer(row: number, { matches, sources }: Answer<IntersectionMatch | DistanceMatch>): void {
    for (const match of matches) this.#add(row, match, undefined);
    for (const source of sources) {
      if (source.status !== "failed") continue;
      const { source_name } = source;
      const message = `the source ${source_name} could not be queried: the matches of this plot are incomplete`;
      this.#add(row, { source_name }, { code: SOURCE_FAILED, message });
    }
  }

  /** Adds the row of a plot without an answer. */
  addError(row: number, error: LineError): void {
    this.#add(row, {}, error);
  }

  /** The columns, in the order of the fields. */
  build(): readonly Data[] {
    return [this.#rows, ...this.#texts, ...this.#numbers, ...this.#errors].map((column) => column.build());
  }

  #add(row: number, match: object, error: LineError | undefined): void {
    const values = match as Readonly<Record<string, unknown>>;
    this.#length++;
    this.#rows.add(row);
    for (let i = 0; i < TEXTS.length; i++) this.#texts[i]!.add((values[TEXTS[i]!] ?? null) as string | null);
    for (let i = 0; i < this.#names.length; i++)
      this.#numbers[i]!.add((values[this.#names[i]!] ?? null) as number | null);
    this.#errors[0]!.add(error?.code ?? null);
    this.#errors[1]!.add(error?.message ?? null);
  }
}
