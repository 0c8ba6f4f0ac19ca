import type { CheckResult, SourceOutcome, Verdict, VerdictStatus } from "@groundrule/engine";
import type { VerdictRecord } from "@groundrule/engine/records";
import { createRulesetTongue, type Tongue, translateVerdict } from "@groundrule/words";

/** A plot of a portfolio, with its verdict or why it has none. */
export interface PortfolioRow {
  /** Id of the plot in its file. */
  readonly id: string | number;
  /** Name of the plot, shown next to the id. */
  readonly name?: string | undefined;
  /** GeoJSON geometry, or a Feature around one, in longitude and latitude on WGS 84; absent: the record's. */
  readonly geometry?: unknown;
  /** The verdict with its request. */
  readonly record?: VerdictRecord | undefined;
  /** The verdict, where there is no record of it. */
  readonly verdict?: PortfolioVerdict | undefined;
  /** Reason for the missing verdict; the code `NOT_ASKED`, or no error at all, if the plot was not evaluated. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** Where the plot's own report is, from the page of the portfolio: `reports/1.html`. */
  readonly link?: string | undefined;
  /** Columns of the plot's own table, in the CSV and the workbook after all others. */
  readonly own?: Readonly<Record<string, string | number>> | undefined;
}

/** The part of a verdict that a portfolio shows; a {@link Verdict} has it. */
export interface PortfolioVerdict
  extends Pick<Verdict, "verdict" | "at_least" | "evaluated_at" | "digest">,
    Partial<Pick<Verdict, "ruleset">> {
  /** The caller's own name for the question. */
  readonly reference_id?: string | null;
  /** Its area in square metres and its extent, where it has them. */
  readonly input?: Pick<Verdict["input"], "area_m2" | "bbox" | "disc">;
  /** The sources that were queried, with the doubts about them, and their own descriptions. */
  readonly sources?: readonly (Pick<SourceOutcome, "source_name" | "fictional" | "coverage_known" | "scope"> &
    Partial<Pick<SourceOutcome, "status">>)[];
  /** Declared facts, if the ruleset has any. */
  readonly facts?: Verdict["facts"];
  /** Each check with what became of it, and what would make it not trigger. */
  readonly checks: readonly (Pick<CheckResult, "id" | "title" | "status" | "outcome" | "triggered"> &
    Partial<Pick<CheckResult, "open" | "resolve_by">>)[];
}

/** Status of a plot: its verdict, an error, or not evaluated. */
export type PlotStatus = VerdictStatus | "ERROR" | "UNASKED";

/** The worst first: the order in which people look at them. */
export const PLOT_STATUSES: readonly PlotStatus[] = [
  "NON_COMPLIANT",
  "ERROR",
  "DEGRADED",
  "WARNING",
  "UNASKED",
  "COMPLIANT",
];

/** Outcome of one check on one plot, in a word for programs. */
export type CheckState =
  | "NON_COMPLIANT"
  | "WARNING"
  | "NOTICE"
  | "not_triggered"
  | "not_covered"
  | "undetermined"
  | "not_declared"
  | "failed";

/** The worst first; it is also the order in which they are sorted. */
export const CHECK_STATES: readonly CheckState[] = [
  "NON_COMPLIANT",
  "WARNING",
  "NOTICE",
  "failed",
  "not_covered",
  "undetermined",
  "not_declared",
  "not_triggered",
];

/** A row with what is read from it. */
export interface PortfolioEntry {
  readonly row: PortfolioRow;
  readonly status: PlotStatus;
  readonly verdict: PortfolioVerdict | undefined;
  /** Longitude and latitude of the middle of its extent, degrees; absent where its place is not known. */
  readonly middle: readonly [number, number] | undefined;
  /** Outer rings of its polygons, and its points as rings of one position. */
  readonly rings: readonly (readonly (readonly number[])[])[];
  /** By check id. */
  readonly checks: ReadonlyMap<string, CheckState>;
}

/** A check of some verdict of a portfolio. */
export interface PortfolioCheck {
  /** As the ruleset names it. */
  readonly id: string;
  /** The ruleset's title of it, else its id. */
  readonly title: string;
}

/** Input of a portfolio's outputs. */
export interface Portfolio {
  readonly entries: readonly PortfolioEntry[];
  /** Every check of any verdict, in the order in which they come first. */
  readonly checks: readonly PortfolioCheck[];
  /** Names of the own columns of any row, in the order in which they come first. */
  readonly own: readonly string[];
}

/**
 * Reads rows once; whatever iterates them.
 *
 * @param tongue of the titles of checks; absent: as the rulesets write them
 */
export function readPortfolioRows(rows: Iterable<PortfolioRow>, tongue?: Tongue): Portfolio {
  const checks = new Map<string, PortfolioCheck>();
  const entries: PortfolioEntry[] = [];
  const own = new Set<string>();
  for (const row of rows) {
    for (const name of Object.keys(row.own ?? {})) own.add(name);
    const entry = readPortfolioEntry(row, tongue);
    entries.push(entry);
    for (const { id, title } of entry.verdict?.checks ?? []) {
      if (!checks.has(id)) checks.set(id, { id, title: title ?? id });
    }
  }
  return { entries, checks: [...checks.values()], own: [...own] };
}

/** Reads one row. */
export function readPortfolioEntry(row: PortfolioRow, tongue?: Tongue): PortfolioEntry {
  const verdict = translateRowVerdict(row, tongue);
  const rings = findOuterRings(row, verdict);
  return {
    row,
    verdict,
    status: verdict?.verdict ?? ((row.error?.code ?? "NOT_ASKED") === "NOT_ASKED" ? "UNASKED" : "ERROR"),
    rings,
    middle: computeBoxMiddle(computeRingsExtent(rings) ?? verdict?.input?.bbox),
    checks: new Map((verdict?.checks ?? []).map((check) => [check.id, checkState(check)])),
  };
}

function translateRowVerdict(
  { record, verdict: own }: PortfolioRow,
  tongue: Tongue | undefined,
): PortfolioVerdict | undefined {
  const verdict = record?.response.data ?? own;
  if (verdict === undefined || tongue === undefined) return verdict;
  return translateVerdict(
    verdict,
    createRulesetTongue(tongue, verdict.ruleset?.name, record?.request.ruleset),
  );
}

/** State of a check in its column. */
export function checkState({
  status,
  triggered,
  outcome,
}: Pick<CheckResult, "status" | "triggered" | "outcome">): CheckState {
  if (status !== "ok") return status;
  return triggered && outcome !== null ? outcome : "not_triggered";
}

/** Names under which longitude and latitude on WGS 84 go; a geometry in any other CRS is not drawn. */
const WGS84 = new Set([undefined, null, "OGC:CRS84", "EPSG:4326"]);

function findOuterRings(row: PortfolioRow, verdict: PortfolioVerdict | undefined): PortfolioEntry["rings"] {
  if (verdict?.input?.disc !== undefined) return listOuterRings(verdict.input.disc);
  if (row.geometry !== undefined && row.geometry !== null) return listOuterRings(row.geometry);
  const input = row.record?.request.input;
  return input !== undefined && WGS84.has(input.crs) ? listOuterRings(input.geometry) : [];
}

/** Anything but GeoJSON has no rings: the fault is reported where it came from. */
function listOuterRings(geometry: unknown): PortfolioEntry["rings"] {
  const {
    type,
    coordinates,
    geometry: inner,
    geometries,
  } = Object(geometry) as Readonly<Record<string, unknown>>;
  switch (type) {
    case "Feature":
      return Object(inner).type === "Feature" ? [] : listOuterRings(inner);
    case "GeometryCollection":
      return toList(geometries).flatMap((each) => (Object(each).type === type ? [] : listOuterRings(each)));
    case "Polygon":
      return [listValidPositions(toList(coordinates)[0])];
    case "MultiPolygon":
      return toList(coordinates).map((polygon) => listValidPositions(toList(polygon)[0]));
    case "Point":
      return [listValidPositions([coordinates])];
    case "MultiPoint":
      return toList(coordinates).map((position) => listValidPositions([position]));
    default:
      return [];
  }
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function listValidPositions(value: unknown): readonly (readonly number[])[] {
  return toList(value).filter(
    (position): position is readonly number[] =>
      Array.isArray(position) && Number.isFinite(position[0]) && Number.isFinite(position[1]),
  );
}

/** Rings on both sides of the antimeridian are taken together: east may lie past 180. */
function computeRingsExtent(
  rings: PortfolioEntry["rings"],
): readonly [number, number, number, number] | undefined {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let first: number | undefined;
  for (const ring of rings) {
    for (const [longitude, latitude] of ring) {
      first ??= longitude!;
      const turned = longitude! - 360 * Math.round((longitude! - first) / 360);
      [west, east] = [Math.min(west, turned), Math.max(east, turned)];
      [south, north] = [Math.min(south, latitude!), Math.max(north, latitude!)];
    }
  }
  return first === undefined ? undefined : [west, south, east, north];
}

function computeBoxMiddle(
  box: readonly [number, number, number, number] | undefined,
): readonly [number, number] | undefined {
  if (box === undefined) return undefined;
  const [west, south, east, north] = box;
  const middle = (west + (east < west ? east + 360 : east)) / 2;
  return [middle - 360 * Math.round(middle / 360), (south + north) / 2];
}
