import { encodeUtf8 } from "@groundrule/engine/internal";
import { statedAccuracy } from "../columns/accuracy-column.ts";
import { cutGeometry } from "../cut/cut-geometry.ts";
import { FINDINGS } from "../finding-codes.ts";
import type { PlotFeature } from "../plot-feature.ts";
import type { PlotFinding } from "../plot-finding.ts";
import type { Profile } from "../profiles/profile.ts";
import { checkPlotSize, checkStatedArea, reportHoles } from "./check-area.ts";
import { checkCountry } from "./check-country.ts";
import { checkDecimalCutFaults } from "./check-cut.ts";
import { checkCoordinateDecimals } from "./check-decimals.ts";
import { checkGeometry } from "./check-geometry.ts";
import { checkPlotIdentifiers } from "./check-identifiers.ts";
import { checkProfileMembers } from "./check-members.ts";
import type { CheckPlotsOptions, QualityChecks } from "./check-options.ts";
import type { ExaminedGeometry } from "./examined-geometry.ts";
import { PlotFindings, toPropertyPointer } from "./plot-findings.ts";

/**
 * Checks plots one after another: a stream of any length in the memory of one plot and of all ids, with `quality` also of
 * a position and the producer's name of each plot.
 */
export class PlotChecker {
  readonly #options: CheckPlotsOptions;
  readonly #ids = new Map<string | number, number>();
  readonly #doubts: ReturnType<QualityChecks["start"]> | undefined;
  #bytes = FILE_FRAME_BYTES;
  #checked = 0;

  /** @param options what the plots are checked against */
  constructor(options: CheckPlotsOptions = {}) {
    this.#options = options;
    this.#doubts = options.quality?.start();
  }

  /**
   * Every problem of one plot, at most 100 of a code, the last of which states how many more there are. Pointers lead
   * into the Feature.
   *
   * Fails: `GEOMETRY_TOO_COMPLEX` once the work that `meter` allows for all plots is done; never without `meter`.
   */
  check(plot: PlotFeature): readonly PlotFinding[] {
    const { profile } = this.#options;
    this.#checked++;
    const findings = new PlotFindings(plot);
    const { properties } = plot;
    const geometries = checkGeometry(
      plot.geometry,
      "/geometry",
      { ...this.#options, crs: plot.crs, isClockwise: plot.isClockwise },
      findings,
    );
    for (const { code, message } of plot.notes ?? []) {
      findings.add(code, "/geometry", { found: message, expected: "the border of the plot as a Polygon" });
    }
    checkPlotSize(geometries, findings);
    checkCountry(properties, geometries, this.#options, findings);
    this.#checkId(plot, findings);
    checkPlotIdentifiers(properties.scheme, findings);
    checkIdDigits(plot.misnamed?.value ?? plot.id, findings);
    checkStatedAccuracy(properties, findings);
    if (profile === undefined) checkStatedArea(properties, geometries, this.#options, findings);
    else this.#checkProfile(plot, profile, geometries, findings);
    this.#doubts?.check(plot, geometries, this.#options, findings);
    return findings.conclude();
  }

  /**
   * The faults of all plots together, once every one was checked.
   *
   * @param unread plots of the file that could not be read, and were not checked
   */
  finish(unread = 0): readonly PlotFinding[] {
    const { profile } = this.#options;
    if (this.#checked + unread === 0) {
      const { mend } = FINDINGS.NO_PLOTS;
      const found = { found: "no plot", expected: "one plot or more" };
      return [{ plot: 0, id: "", code: "NO_PLOTS", severity: "warning", pointer: "", ...found, mend }];
    }
    const doubts = this.#doubts?.finish() ?? [];
    if (profile === undefined || this.#bytes <= profile.greatestFileBytes) return doubts;
    return [
      ...doubts,
      {
        plot: 0,
        id: "",
        code: "FILE_TOO_LARGE",
        severity: "error",
        pointer: "",
        found: `${this.#bytes} bytes as one GeoJSON file`,
        expected: `${profile.greatestFileBytes} bytes or fewer`,
        mend: FINDINGS.FILE_TOO_LARGE.mend,
      },
    ];
  }

  #checkProfile(
    plot: PlotFeature,
    profile: Profile,
    geometries: readonly ExaminedGeometry[],
    findings: PlotFindings,
  ): void {
    const { properties } = plot;
    for (const geometry of geometries) {
      if (!profile.takesHoles) reportHoles(geometry, findings);
      checkDecimalCutFaults(geometry, profile, this.#options, findings);
    }
    checkCoordinateDecimals(geometries, profile, findings);
    reportForeignCrs(geometries, findings);
    checkStatedArea(properties, geometries, this.#options, findings);
    checkProfileMembers(properties, profile, this.#options.countries, findings);
    if (Number.isFinite(profile.greatestFileBytes))
      this.#bytes += measureWrittenBytes(plot, profile.decimals);
  }

  #checkId({ id, number, misnamed }: PlotFeature, findings: PlotFindings): void {
    if (misnamed !== undefined) {
      const { column, value, first } = misnamed;
      if (value === undefined) {
        findings.add("ID_MISSING", toPropertyPointer(column), {
          found: `no ${column}, so the plot gets the id ${JSON.stringify(id)}`,
          expected: "a unique id",
        });
      } else {
        findings.add("ID_REPEATED", "/id", {
          found: `${JSON.stringify(value)}, which plot ${first} also has, so the plot gets the id ${JSON.stringify(id)}`,
          expected: "a unique id",
        });
      }
      return;
    }
    const first = this.#ids.get(id);
    if (first === undefined) this.#ids.set(id, number);
    else {
      findings.add("ID_REPEATED", "/id", {
        found: `${JSON.stringify(id)}, which plot ${first} also has`,
        expected: "a unique id",
      });
    }
  }
}

/**
 * Every problem of every plot, in order; then those of all plots together.
 *
 * @param options what the plots are checked against
 *
 * Fails: as {@link PlotChecker.check}.
 */
export function* checkPlots(
  plots: Iterable<PlotFeature>,
  options: CheckPlotsOptions = {},
): Generator<PlotFinding, void, undefined> {
  const checker = new PlotChecker(options);
  for (const plot of plots) yield* checker.check(plot);
  yield* checker.finish();
}

/** Digits of a number that a spreadsheet keeps. */
const KEPT_DIGITS = 15;

/** Reports an id that a spreadsheet shortened: `4.68E+17`, or a number with zeros in the place of its last digits. */
function checkIdDigits(id: string | number, findings: PlotFindings): void {
  const isShortened = typeof id === "string" && /^[1-9](?:[.,]\d+)?E\+?\d{2,3}$/i.test(id.trim());
  const isRounded =
    typeof id === "number" && Number.isInteger(id) && id >= 10 ** KEPT_DIGITS && isRoundedTo(id, KEPT_DIGITS);
  if (!isShortened && !isRounded) return;
  findings.add("ID_DIGITS_LOST", "/id", {
    found: isShortened ? JSON.stringify(id) : `${id}, of which a spreadsheet keeps ${KEPT_DIGITS} digits`,
    expected: "an id with all of its digits",
  });
}

function isRoundedTo(id: number, digits: number): boolean {
  const text = BigInt(id).toString();
  return /^0+$/.test(text.slice(digits)) || !Number.isSafeInteger(id);
}

/** Metres above which a position is worth another visit. */
const DOUBTFUL_METERS = 10;

function checkStatedAccuracy(properties: PlotFeature["properties"], findings: PlotFindings): void {
  const stated = statedAccuracy(properties);
  if (stated === undefined || stated.meters <= DOUBTFUL_METERS) return;
  findings.add("GPS_ACCURACY_LOW", toPropertyPointer(stated.column), {
    found: `an accuracy of ${stated.meters} m`,
    expected: `${DOUBTFUL_METERS} m or better`,
  });
}

function reportForeignCrs(geometries: readonly ExaminedGeometry[], findings: PlotFindings): void {
  for (const { read, pointer } of geometries) {
    if (read.crs === undefined || /(?:CRS84|EPSG:+(?:[0-9.]*:)?4326)$/i.test(read.crs)) continue;
    findings.add("CRS_NOT_WGS84", pointer, {
      found: `coordinates in ${read.crs}`,
      expected: "longitude and latitude on WGS 84",
    });
  }
}

/** `{"type":"FeatureCollection","features":[]}` */
const FILE_FRAME_BYTES = 43;

/** Bytes of a plot in a GeoJSON file, its coordinates cut, with the comma after it. */
function measureWrittenBytes({ geometry, properties }: PlotFeature, decimals: number): number {
  try {
    const feature = { type: "Feature", properties, geometry: cutGeometry(geometry, decimals) };
    return encodeUtf8(JSON.stringify(feature)).length + 1;
  } catch {
    return 0; // not a value of JSON: its geometry is reported, or its properties are not written
  }
}
