import {
  array,
  choice,
  describedAs,
  number,
  objectOf,
  optional,
  text,
  type ValueOf,
} from "@groundrule/engine/internal";

const count = number({ whole: true, min: 0 });

export const healthResponseShape = objectOf({
  status: describedAs(choice("ok"), "The process serves requests"),
});
/** Answer of `GET /healthz`. */
export type HealthResponse = ValueOf<typeof healthResponseShape>;

const reasonShape = choice(
  "STOPPING",
  "STORAGE_UNAVAILABLE",
  "DATA_FOLDER_MISSING",
  "DATA_FOLDER_UNREADABLE",
  "SOURCES_MISSING",
  "SOURCES_FAILED",
  "LEDGER_FROZEN",
);
/** The reason why a service is not ready, or degraded. Callers of `/readyz` have no key: the details are in the log. */
export type ReadyReason = ValueOf<typeof reasonShape>;

export const readyResponseShape = objectOf({
  status: describedAs(
    choice("ready", "degraded", "unready", "stopping"),
    "`ready` and `degraded` have status 200, the others 503",
  ),
  reasons: describedAs(array(reasonShape), "Why the service is not ready"),
  detail: optional(
    text(),
    "What the data folder lacks, and what mends it; present with a reason that is about it",
  ),
  failed_sources: describedAs(
    count,
    "Number of sources that cannot be queried now; the log has their names and the reasons",
  ),
  overdue_sources: describedAs(
    count,
    "Number of sources that are older than their `refresh_interval_days`; the status does not depend on them",
  ),
});
/** Answer of `GET /readyz`. */
export type ReadyResponse = ValueOf<typeof readyResponseShape>;
