import { migration as state } from "./0001-state.ts";
import { migration as publication } from "./0002-publication.ts";
import { migration as writeReceipts } from "./0003-write-receipts.ts";
import { migration as storeState } from "./0004-standing.ts";
import { migration as jobs } from "./0005-jobs.ts";
import { migration as decisionFilters } from "./0006-decision-filters.ts";
import { migration as sumsByRoute } from "./0007-sums-by-route.ts";
import { migration as holdings } from "./0008-holdings.ts";
import type { Migration } from "./migrate.ts";

/**
 * In order. A released migration is never edited, and none removes what the previous release uses, so that both can run
 * side by side during a deployment.
 */
export const MIGRATIONS: readonly Migration[] = [
  state,
  publication,
  writeReceipts,
  storeState,
  jobs,
  decisionFilters,
  sumsByRoute,
  holdings,
];
