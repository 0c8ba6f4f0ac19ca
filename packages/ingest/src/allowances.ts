import type { SourceManifest } from "@groundrule/engine";
import type { BuildAllowance } from "@groundrule/engine/internal";
import { IngestError } from "./ingest-error.ts";
import type { LeftOut, RepairedArea, Where } from "./report.ts";

/** A step of a build that stops it unless its manifest allows it. */
interface Doubtful {
  readonly leftOut: readonly LeftOut[];
  readonly repaired: readonly RepairedArea[];
  /** A repair of the polygons of a declared coverage. */
  readonly coverage?: readonly RepairedArea[] | undefined;
}

/**
 * Refuses a build that left out features of which it is not known how far they reach, or whose repairs leave out more
 * than a tenth of another reading.
 *
 * Fails: `PLACE_UNKNOWN`, `AREA_LOST`, unless the manifest allows `left_out` and `repaired`.
 */
export function refuseUnlessAllowed(
  { allow = [], kind }: Pick<SourceManifest, "allow" | "kind">,
  { leftOut, repaired, coverage = [] }: Doubtful,
): void {
  const placeless = leftOut.filter(({ place }) => place === "unknown");
  const [first] = placeless;
  if (first !== undefined && !allow.includes("left_out")) {
    const unit = kind === "leaf" ? "feature" : "row";
    const found = `${placeless.length} ${unit}${placeless.length === 1 ? "" : "s"} that cannot be stored`;
    const why =
      kind === "leaf"
        ? "whose geometry does not tell how far it reaches, so that any plot may lie in it"
        : "so that anybody may be listed in it";
    throwAllowanceError(
      "PLACE_UNKNOWN",
      `found ${found}, ${why}; the first: ${first.reason}`,
      "left_out",
      first,
      unit,
    );
  }
  if (allow.includes("repaired")) return;
  const lossy = repaired.filter(({ loss }) => loss !== undefined);
  const [area] = lossy;
  if (area !== undefined)
    throwAllowanceError("AREA_LOST", describeAmbiguousRepairs(lossy.length, area), "repaired", area);
  const lossyPolygons = coverage.filter(({ loss }) => loss !== undefined);
  const [polygon] = lossyPolygons;
  if (polygon === undefined) return;
  throwAllowanceError(
    "AREA_LOST",
    `polygons of the coverage: ${describeAmbiguousRepairs(lossyPolygons.length, polygon)}`,
    "repaired",
  );
}

function describeAmbiguousRepairs(count: number, { id, loss }: RepairedArea): string {
  const found = `${count} area${count === 1 ? " that has" : "s that have"} two readings`;
  return `found ${found}, more than a tenth apart; the first, "${id}": ${loss}`;
}

function throwAllowanceError(
  code: "PLACE_UNKNOWN" | "AREA_LOST",
  message: string,
  allowance: BuildAllowance,
  where?: Where,
  unit: "feature" | "row" = "feature",
): never {
  const keep = allowance === "repaired" ? "keep the repair" : "allow it";
  const mend = `correct the file, or ${keep}: --allow ${allowance}, or "allow": ["${allowance}"] in the manifest`;
  const place = where && {
    [unit]: where.number,
    ...(where.line !== undefined && { line: where.line }),
  };
  throw new IngestError(code, `${message}; ${mend}`, { place });
}
