import { array, number, object, optional, type Shape, text } from "../shape/shape.ts";
import { leftOutShape } from "./left-out.ts";
import { countryIso3Shape, storedManifestShape } from "./manifest.ts";
import { schemeTypeShape } from "./scheme-type.ts";
import type { SnapshotMeta } from "./snapshot.ts";

/** The digest that names an edition. */
export const editionShape: Shape<string> = text({
  pattern: /^[0-9a-f]{64}$/,
  words: "the 64 hex digits of a digest",
});

/** Shape of the META section of a snapshot. */
export const snapshotMetaShape: Shape<SnapshotMeta> = object<SnapshotMeta>({
  manifest: storedManifestShape,
  edition: editionShape,
  feature_count: number({ whole: true, min: 0 }),
  country_coverage: array(countryIso3Shape),
  schemes: array(schemeTypeShape),
  left_out: optional(leftOutShape),
});
