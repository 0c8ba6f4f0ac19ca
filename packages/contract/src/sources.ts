import type { SourceEntry } from "@groundrule/engine";
import * as z from "zod";
import { countrySchema } from "./country.ts";

/** Query of `GET /v1/sources`. */
export interface SourcesQuery {
  /** Only sources of this kind. */
  readonly kind?: "leaf" | "group" | "subject_register" | undefined;
  readonly country_iso3?: string | undefined;
}

/** Answer of `GET /v1/sources`. */
export interface SourcesResponse {
  readonly data: { readonly items: readonly SourceEntry[] };
}

const kind = z.enum(["leaf", "group", "subject_register"]);

export const sourcesQuerySchema: z.ZodType<SourcesQuery, unknown> = z.strictObject({
  kind: kind.optional(),
  country_iso3: countrySchema.optional(),
});

export const sourceEntrySchema: z.ZodType<SourceEntry> = z.strictObject({
  source_name: z.string(),
  source_dataset: z
    .string()
    .describe("Title of the data set, or the source's name if the title is not known"),
  source_url: z.string().exactOptional(),
  category: z.string().exactOptional(),
  license_spdx: z.string().exactOptional(),
  kind,
  feature_count: z.int(),
  country_coverage: z.array(z.string()).exactOptional(),
  supported_schemes: z.array(z.string()).exactOptional(),
  collected_at_latest: z.string().exactOptional(),
});

export const sourcesResponseSchema: z.ZodType<SourcesResponse> = z.strictObject({
  data: z.strictObject({
    items: z.array(sourceEntrySchema),
  }),
});
