import { nearestName } from "@groundrule/engine/internal/json";
import { DataError } from "@groundrule/node";
import { readCatalog } from "@groundrule/node/internal";

/** Fails: `SOURCE_MISSING` for a name that no source with editions has. */
export function assertSources(dir: string, names: readonly string[]): void {
  const known = readCatalog(dir).sources.map(({ manifest }) => manifest.source_name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? "" : `; did you mean "${nearest}"?`;
    throw new DataError("SOURCE_MISSING", `found no source "${name}" with editions in ${dir}${hint}`, {
      source_name: name,
    });
  }
}
