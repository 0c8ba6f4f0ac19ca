import { hasKnownForm, readIdentifierCell } from "@groundrule/engine/internal";
import type { ContentReport, MalformedIdentifier, Where } from "./report.ts";

/** Entries of the report; the count goes on. */
const LISTED = 100;

/** Reads the identifiers of a register's cells, and counts what is not one identifier of its scheme. */
export class RegisterIdentifiers {
  #split = 0;
  #unwrapped = 0;
  #cells = 0;
  #malformed = 0;
  readonly #first: MalformedIdentifier[] = [];

  /** The identifiers of a cell, those that their scheme excludes among them: a look-up may spell them alike. */
  read(scheme: string, cell: string, where: Where, id: string): readonly string[] {
    const { identifiers, isUnwrapped } = readIdentifierCell(scheme, cell);
    if (identifiers.length > 1) this.#split++;
    if (isUnwrapped) this.#unwrapped++;
    if (hasKnownForm(scheme)) this.#cells++;
    const malformed = identifiers.flatMap(({ value, fault }) =>
      fault === undefined ? [] : [{ value, fault }],
    );
    if (malformed.length > 0) this.#malformed++;
    for (const { value, fault } of malformed) {
      const { expected: _, ...reason } = fault;
      if (this.#first.length < LISTED) this.#first.push({ ...where, id, scheme, value, ...reason });
    }
    return identifiers.map(({ value }) => value);
  }

  report(): Pick<ContentReport, "split_identifiers" | "unwrapped_identifiers" | "malformed_identifiers"> {
    return {
      split_identifiers: this.#split,
      unwrapped_identifiers: this.#unwrapped,
      malformed_identifiers: { count: this.#malformed, of: this.#cells, first: this.#first },
    };
  }
}
