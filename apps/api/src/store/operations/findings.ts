import type { Scope } from "../../ledger/scope.ts";
import type { Violation } from "../port/port.ts";
import { type Operation, rows, type Statement, sql } from "../sql/operation.ts";

/** Violations of an invariant that are told of each ledger; of the others, how many there are. */
const TOLD = 10;

/** Broken invariants as they are found: however many a ledger has, a few are kept, and each ledger has one at least. */
export class Findings {
  readonly #byLedger = new Map<string, { readonly told: Violation[]; count: number }>();

  /** @param count of violations like it, itself among them */
  add(invariant: Violation["invariant"], { organization, mode }: Scope, message: string, count = 1): void {
    const ledger = `${invariant} ${mode} ${organization}`;
    const known = this.#byLedger.get(ledger) ?? { told: [], count: 0 };
    this.#byLedger.set(ledger, known);
    known.count += count;
    if (known.told.length < TOLD) known.told.push({ invariant, organization, mode, message });
  }

  /** The last one told of a ledger says how many more there are. */
  all(): readonly Violation[] {
    return [...this.#byLedger.values()].flatMap(({ told, count }) => {
      const more = count - told.length;
      if (more === 0) return told;
      const last = told.at(-1)!;
      return [...told.slice(0, -1), { ...last, message: `${last.message}; found ${more} more like it` }];
    });
  }
}

/** A row that breaks an invariant, and for how many of its ledger it stands. */
export type Broken<Row> = Row & Scope & { readonly standsFor: number };

/**
 * The first few rows of each ledger that a statement finds, the last of them for all that are left out.
 *
 * @param statement with columns `organization` and `mode`
 */
export function* firstBroken<Row extends object>(statement: Statement): Operation<readonly Broken<Row>[]> {
  // Materialized: else the order of ledgers decides how the statement looks for the rows, of which there mostly are none.
  return yield* rows<Broken<Row>>(sql`
    WITH broken AS MATERIALIZED (${statement})
    SELECT ranked.*, CASE WHEN nth < ${TOLD} THEN 1 ELSE found - nth + 1 END AS "standsFor" FROM (
      SELECT broken.*, row_number() OVER (PARTITION BY organization, mode) AS nth,
        count(*) OVER (PARTITION BY organization, mode) AS found
      FROM broken
    ) AS ranked WHERE nth <= ${TOLD}`);
}
