import type { Scope } from "../../ledger/scope.ts";
import type { Violation } from "../port/port.ts";
import { type Operation, queryRows, type Statement, sql } from "../sql/operation.ts";

/** Violations of an invariant that are listed per ledger; the others are only counted. */
const LISTED = 10;

/** Broken invariants: a few are kept per ledger and at least one, however many there are. */
export class Findings {
  readonly #byLedger = new Map<string, { readonly listed: Violation[]; count: number }>();

  /** @param count number of similar violations, including this one */
  add(invariant: Violation["invariant"], { organization, mode }: Scope, message: string, count = 1): void {
    const ledger = `${invariant} ${mode} ${organization}`;
    const known = this.#byLedger.get(ledger) ?? { listed: [], count: 0 };
    this.#byLedger.set(ledger, known);
    known.count += count;
    if (known.listed.length < LISTED) known.listed.push({ invariant, organization, mode, message });
  }

  /** All findings; the last one listed of a ledger reports how many more there are. */
  all(): readonly Violation[] {
    return [...this.#byLedger.values()].flatMap(({ listed, count }) => {
      const more = count - listed.length;
      if (more === 0) return listed;
      const last = listed.at(-1)!;
      return [...listed.slice(0, -1), { ...last, message: `${last.message}; found ${more} more like it` }];
    });
  }
}

/** A row that breaks an invariant, and how many rows of its ledger it represents. */
export type Broken<Row> = Row & Scope & { readonly standsFor: number };

/**
 * The first few rows of each ledger that a statement returns, the last of which represents all that are left out.
 *
 * @param statement with columns `organization` and `mode`
 */
export function* readFirstBroken<Row extends object>(
  statement: Statement,
): Operation<readonly Broken<Row>[]> {
  // Materialized: otherwise the order of ledgers decides how the statement searches for the rows, of which there are
  // mostly none.
  return yield* queryRows<Broken<Row>>(sql`
    WITH broken AS MATERIALIZED (${statement})
    SELECT ranked.*, CASE WHEN nth < ${LISTED} THEN 1 ELSE found - nth + 1 END AS "standsFor" FROM (
      SELECT broken.*, row_number() OVER (PARTITION BY organization, mode) AS nth,
        count(*) OVER (PARTITION BY organization, mode) AS found
      FROM broken
    ) AS ranked WHERE nth <= ${LISTED}`);
}
