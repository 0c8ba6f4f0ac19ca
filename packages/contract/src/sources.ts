import { isOverdue, type SourceEntry } from "@groundrule/engine";
import {
  array,
  boolean,
  type Described,
  describedAs,
  named,
  objectOf,
  optional,
  type Shape,
  sourceEntryMembers,
  type ValueOf,
} from "@groundrule/engine/internal";
import * as z from "zod";
import { countrySchema } from "./country.ts";

/** Query of `GET /v1/sources`. */
export interface SourcesQuery {
  /** Only sources of this kind. */
  readonly kind?: "leaf" | "group" | "subject_register" | undefined;
  /** Only sources that cover this country or everything, or whose areas are in it. */
  readonly country_iso3?: string | undefined;
}

const listedMembers = {
  ...sourceEntryMembers,
  overdue: optional(
    boolean(),
    "Whether the source is older than `refresh_interval_days`, or its time of collection is not known. Only for sources with that member",
  ),
};

/** A source of the catalog, as in `GET /v1/sources` and `groundrule sources list`. */
export interface ListedSource extends Described<typeof listedMembers> {}

const listedSourceShape: Shape<ListedSource> = named("Source", () => objectOf(listedMembers));

export const sourcesResponseShape = objectOf({
  data: describedAs(
    objectOf({ items: describedAs(array(listedSourceShape), "The sources that are available") }),
    "The catalog",
  ),
});
/** Answer of `GET /v1/sources`. */
export type SourcesResponse = ValueOf<typeof sourcesResponseShape>;

/**
 * A source of the catalog with the members that depend on the time.
 *
 * @param now ISO 8601 UTC
 *
 * Fails: as {@link isOverdue}.
 */
export function listedSource(entry: SourceEntry, now: string): ListedSource {
  const overdue = isOverdue(entry, now);
  return overdue === undefined ? entry : { ...entry, overdue };
}

const kind = z.enum(["leaf", "group", "subject_register"]);

export const sourcesQuerySchema: z.ZodType<SourcesQuery, unknown> = z.strictObject({
  kind: kind.optional().describe("Only sources of this kind"),
  country_iso3: countrySchema
    .optional()
    .describe("Only sources that cover this country, by its ISO 3166-1 alpha-3 code"),
});
