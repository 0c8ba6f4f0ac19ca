import { encodeUtf8 } from "@groundrule/engine/internal";
import { computeCountryKey, normalizeProducerName } from "../columns/producer-key.ts";
import type { PlotFeature } from "../plot-feature.ts";
import type { Profile } from "../profiles/profile.ts";

/** One producer a file, or several grouped by name and country (GeoJSON description §9.3). */
export type ExportType = "I" | "II";

/** A GeoJSON file as the system takes it. */
export interface ExportFile {
  /** `0001-BR-Maria-Silva.geojson`, `plots-0001.geojson`. */
  readonly name: string;
  /** The FeatureCollection. */
  readonly text: string;
  /** Bytes of the text in UTF-8. */
  readonly bytes: number;
  /** The plots in it, in order. */
  readonly plots: readonly Pick<PlotFeature, "number" | "id" | "line">[];
}

/** Plots as files; and those that alone are more than a file may hold. */
export interface ExportedPlots {
  readonly files: readonly ExportFile[];
  /** In none of the files. */
  readonly tooLarge: readonly PlotFeature[];
  /** Names of producers that were written in the most frequent spelling of theirs. */
  readonly respelt: readonly RespeltProducer[];
}

/** A producer whose name differs between plots in case, accents or spaces. */
export interface RespeltProducer {
  /** The spelling in the files. */
  readonly written: string;
  /** The other spellings, as the plots have them. */
  readonly others: readonly string[];
}

/**
 * Puts plots into the files that a profile's system takes. Features carry their id and the properties that the system
 * reads, nothing else. No file is larger than the profile allows **in base64**, the form in which geometry travels
 * (`geometryGeojson`, §2.3, §10.3), so three quarters of that as text.
 *
 * Producers come in the order of their first plot, and plots of one in the order of the input: the same plots give the
 * same files, byte for byte. Spellings of a name that differ in case, accents and spaces alone are one producer of a
 * country, and all of its plots get the most frequent one, of several the first, without needless spaces. Memory holds the text of all.
 *
 * @param plots as `fixPlot` leaves them: nothing is checked here
 * @param type `I`: one producer a file, named by number, country and name; `II`: all in turn
 */
export function exportPlots(plots: Iterable<PlotFeature>, profile: Profile, type: ExportType): ExportedPlots {
  const all = [...plots];
  const producers = chooseProducerSpellings(all);
  const groups = new Map<string, Written[]>();
  const tooLarge: PlotFeature[] = [];
  const limit = textLimit(profile);
  for (const plot of all) {
    const key = toKey(plot);
    const name = producers.get(key)?.written;
    const text = formatFeature(plot, profile, name);
    const bytes = encodeUtf8(text).length;
    if (bytes + FRAME_BYTES > limit) {
      tooLarge.push(plot);
      continue;
    }
    const { ProducerCountry: country = "" } = plot.properties;
    const { number, id, line } = plot;
    const source = { number, id, ...(line !== undefined && { line }) };
    const group = groups.get(key);
    const written = { source, text, bytes, stem: `${toSlug(country)}-${toSlug(name ?? "")}` };
    if (group === undefined) groups.set(key, [written]);
    else group.push(written);
  }
  const ordered = [...groups.values()];
  const filled =
    type === "I"
      ? ordered.flatMap((group) => splitPlotsIntoFiles(group, limit))
      : splitPlotsIntoFiles(ordered.flat(), limit);
  const files = filled.map((own, i) => {
    const number = String(i + 1).padStart(4, "0");
    const name = type === "I" ? `${number}-${own[0]!.stem}.geojson` : `plots-${number}.geojson`;
    const text = `${FRAME_START}${own.map((one) => one.text).join(",\n")}${FRAME_END}`;
    return {
      name,
      text,
      bytes: encodeUtf8(text).length,
      plots: own.map(({ source }) => source),
    };
  });
  const respelt = [...producers.values()].filter(({ others }) => others.length > 0);
  return { files, tooLarge, respelt };
}

/** Producer of a plot whose properties have the names and codes that the profile reads. */
function toKey({ properties: { ProducerName: name, ProducerCountry: country } }: PlotFeature): string {
  return JSON.stringify([
    typeof name === "string" ? normalizeProducerName(name) : "",
    computeCountryKey(country),
  ]);
}

/** The spelling that each producer gets, and its others; none where no plot has a name. */
function chooseProducerSpellings(plots: readonly PlotFeature[]): Map<string, RespeltProducer> {
  const names = new Map<string, string[]>();
  for (const plot of plots) {
    const { ProducerName: name } = plot.properties;
    if (typeof name !== "string") continue;
    const key = toKey(plot);
    const known = names.get(key);
    if (known === undefined) names.set(key, [name]);
    else known.push(name);
  }
  return new Map(
    Array.from(names, ([key, all]) => {
      const counts = new Map<string, number>();
      for (const name of all.map(normalizeSpaces)) counts.set(name, (counts.get(name) ?? 0) + 1);
      const written = [...counts].sort(([, a], [, b]) => b - a)[0]![0];
      return [key, { written, others: [...new Set(all)].filter((name) => name !== written) }];
    }),
  );
}

/** A name without spaces around it, and one between its words. */
function normalizeSpaces(name: string): string {
  return name.trim().split(/\s+/).join(" ");
}

/** Bytes of text that base64 makes `greatestFileBytes` of. */
export function textLimit({ greatestFileBytes }: Profile): number {
  return 3 * Math.floor(greatestFileBytes / 4);
}

const FRAME_START = '{"type":"FeatureCollection","features":[\n';
const FRAME_END = "\n]}\n";
const FRAME_BYTES = FRAME_START.length + FRAME_END.length;
/** `,\n` */
const SEPARATOR_BYTES = 2;

interface Written {
  readonly source: ExportFile["plots"][number];
  readonly text: string;
  readonly bytes: number;
  readonly stem: string;
}

function splitPlotsIntoFiles(plots: readonly Written[], limit: number): Written[][] {
  const files: Written[][] = [];
  let room = 0;
  for (const plot of plots) {
    if (plot.bytes + SEPARATOR_BYTES > room) {
      files.push([]);
      room = limit - FRAME_BYTES + SEPARATOR_BYTES;
    }
    files.at(-1)!.push(plot);
    room -= plot.bytes + SEPARATOR_BYTES;
  }
  return files;
}

function formatFeature(
  { id, properties, geometry }: PlotFeature,
  { members }: Profile,
  producer: string | undefined,
): string {
  const own = members.flatMap(({ name }) => {
    if (!Object.hasOwn(properties, name)) return [];
    return [[name, name === "ProducerName" ? (producer ?? properties[name]) : properties[name]]];
  });
  // Numbers of at most six decimals: JSON writes an exponent only below 0.000001.
  return JSON.stringify({ type: "Feature", id, properties: Object.fromEntries(own), geometry });
}

/** Letters and digits of a name as a part of a file's name: `Ana Lima & Co.` as `Ana-Lima-Co`. */
function toSlug(value: unknown): string {
  const plain = String(value)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .join("-")
    .slice(0, 40);
  return plain === "" ? "unnamed" : plain;
}
