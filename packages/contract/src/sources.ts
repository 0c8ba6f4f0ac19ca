import { isOverdue, type SourceEntry } from "@groundrule/engine";
import * as z from "zod";
import { countrySchema } from "./country.ts";

/** Query of `GET /v1/sources`. */
export interface SourcesQuery {
  /** Only sources of this kind. */
  readonly kind?: "leaf" | "group" | "subject_register" | undefined;
  /** Only sources that speak in this country, everywhere, or whose areas are in it. */
  readonly country_iso3?: string | undefined;
}

/** A source in the catalog, as `GET /v1/sources` and `groundrule sources list` tell it. */
export interface ListedSource extends SourceEntry {
  /** Whether it is older than its `refresh_interval_days`; there where it has them. */
  readonly overdue?: boolean;
}

/** Answer of `GET /v1/sources`. */
export interface SourcesResponse {
  readonly data: { readonly items: readonly ListedSource[] };
}

/**
 * A source of the catalog with what the clock adds to it.
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
  kind: kind.optional(),
  country_iso3: countrySchema.optional(),
});

export const sourceEntrySchema: z.ZodType<ListedSource> = z.strictObject({
  source_name: z.string(),
  source_dataset: z
    .string()
    .describe("Title of the data set, or the source's name if the title is not known"),
  source_url: z.string().exactOptional(),
  category: z.string().exactOptional(),
  license_spdx: z.string().exactOptional(),
  scope: z
    .string()
    .describe("The part of its theme that the source contains, according to its manifest, e.g. federal units")
    .exactOptional(),
  fictional: z.literal(true).describe("The areas or records of the source are invented").exactOptional(),
  kind,
  members: z.array(z.string()).describe("Only for a group: the names of its sources").exactOptional(),
  feature_count: z
    .int()
    .describe("Number of areas or records; 0 for a live source, whose areas are not counted"),
  country_coverage: z
    .array(z.string())
    .describe(
      "ISO 3166-1 alpha-3 codes: those that the source declares as its coverage, else the countries of its areas",
    )
    .exactOptional(),
  coverage: z
    .strictObject({
      extent: z
        .enum(["undeclared", "global", "countries", "polygons"])
        .describe(
          "The land that the source covers. Outside its coverage, that the source has no area proves nothing",
        ),
      known: z
        .enum(["declared", "derived"])
        .describe(
          "Whether the manifest declares the coverage, or it is assumed from the countries of the areas; absent if undeclared",
        )
        .exactOptional(),
    })
    .describe("Only for sources of areas, and groups with areas")
    .exactOptional(),
  supported_schemes: z.array(z.string()).exactOptional(),
  collected_at_latest: z.string().exactOptional(),
  live: z
    .literal(true)
    .describe(
      "A live source, such as a table of a database: it is queried for each evaluation, and has no edition",
    )
    .exactOptional(),
  columns: z
    .record(z.string(), z.enum(["number", "string", "boolean", "date"]))
    .describe(
      "The columns that filters can name (`where`), with their types; for a group, those that every member has with the same type. Absent if there are none",
    )
    .exactOptional(),
  refresh_interval_days: z.number().describe("Days after which a newer edition is expected").exactOptional(),
  overdue: z
    .boolean()
    .describe(
      "Whether the source is older than `refresh_interval_days`, or its time of collection is not known. Only for sources with that member",
    )
    .exactOptional(),
});

export const sourcesResponseSchema: z.ZodType<SourcesResponse> = z.strictObject({
  data: z.strictObject({
    items: z.array(sourceEntrySchema),
  }),
});
