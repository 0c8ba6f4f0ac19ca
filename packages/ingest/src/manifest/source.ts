import type { Fault, SourceManifest } from "@groundrule/engine";
import {
  anything,
  boolean,
  checkShape,
  choice,
  type JsonSchema,
  number,
  object,
  optional,
  record,
  type Shape,
  sourceManifestShape,
  text,
  toJsonSchema,
} from "@groundrule/engine/internal";
import { isObject } from "@groundrule/engine/internal/json";
import { FORMAT_NAMES, type FormatName, type ReadOptions } from "@groundrule/formats";
import { type GranulePlan, granulesShape, isTemplate } from "./granule-plan.ts";
import { checkManifest, manifestInvalidError, toShapeFault } from "./manifest-faults.ts";

/** How the file of a source is read, if its bytes do not show it: the member `read` of its manifest. */
export interface ReadPlan {
  /** Absent: detected by the first bytes of the file. */
  readonly format?: FormatName | undefined;
  /** The layer of a file that has several. */
  readonly layer?: string | undefined;
  /** The encoding of its text, e.g. `windows-1252`. */
  readonly encoding?: string | undefined;
  /** True if its positions have the latitude first, against their format. */
  readonly swap_axes?: boolean | undefined;
  /** CSV: the column of the geometry as WKT. */
  readonly wkt?: string | undefined;
  /** CSV: the column of a point's longitude (or easting). */
  readonly longitude?: string | undefined;
  /** CSV: the column of its latitude (or northing). */
  readonly latitude?: string | undefined;
  /** Columns that get another name, by their name in the file. The manifest itself has the new names. */
  readonly rename?: Readonly<Record<string, string>> | undefined;
}

/** How a build reads a file. */
export interface BuildReadOptions extends ReadOptions {
  /** Columns that get another name, by their name in the file; {@link ReadPlan.rename}. */
  readonly rename?: Readonly<Record<string, string>> | undefined;
}

/**
 * Where the file of a source comes from: the member `fetch` of its manifest. Either `file` or `url`; all but
 * `sha256`, `bytes` and `max_bytes` is for URLs alone.
 */
export interface FetchPlan {
  /**
   * A file on this machine, relative to the manifest's folder, or to the folder that a sync is passed instead. It
   * cannot lead out of that folder.
   */
  readonly file?: string | undefined;
  /** An `https` address; `http` only for this machine itself, or with `allow_http`. */
  readonly url?: string | undefined;
  /** True if an `http` address is accepted, although anybody on the way can change the response. */
  readonly allow_http?: boolean | undefined;
  /** SHA-256 of the file, 64 hexadecimal digits: a file with another one is refused. */
  readonly sha256?: string | undefined;
  /** Bytes of the file of that digest, so that people know before. */
  readonly bytes?: number | undefined;
  /** Address of the publisher's list of SHA-256 digests, in the form of `sha256sum`, or of the digest alone. */
  readonly sha256_url?: string | undefined;
  /** Most bytes of the file as it is sent; absent: 4 GiB. */
  readonly max_bytes?: number | undefined;
  /** Longest time for the whole download, its repetitions included, in seconds; absent: 7200. */
  readonly timeout_s?: number | undefined;
  /** Longest time without a byte, in seconds; absent: 60. */
  readonly stall_s?: number | undefined;
  /** How often a download that failed is taken up again; absent: 4. */
  readonly retries?: number | undefined;
  /**
   * For a raster in many files: the arrangement of the files; `url` or `file` is then a template of their addresses.
   */
  readonly granules?: GranulePlan | undefined;
  /** For people, and for the error where `file` is missing: where the file comes from. */
  readonly origin?: FileOrigin | undefined;
}

/** Origin of a file on this machine, besides `source_url` (the publisher's page) and `collected_at`. */
export interface FileOrigin {
  /** Under which terms it was published, in words. */
  readonly license: string;
  /** Where this copy was taken from: repository, path, commit. */
  readonly taken_from: string;
  /** Description of later changes to the file. */
  readonly changes?: string | undefined;
}

/** Content of one manifest file: about the source, and how to read its data. */
export interface Source {
  /**
   * The manifest that goes into the snapshot. Nothing else does, so that an edition does not depend on where its file
   * came from.
   */
  readonly manifest: SourceManifest;
  /** How its file is read; absent: its bytes determine it. */
  readonly read?: ReadPlan | undefined;
  /** Where its file comes from; absent: a sync passes it over. */
  readonly fetch?: FetchPlan | undefined;
  /** A database that is queried in place of a snapshot; `@groundrule/node` defines its members. */
  readonly provider?: Readonly<Record<string, unknown>> | undefined;
  /** True if nobody has tried this manifest on the publisher's data yet. */
  readonly untested?: boolean | undefined;
}

/**
 * Reads a manifest file with its members `read`, `fetch` and `provider` from its parsed JSON.
 *
 * @param value the parsed JSON, of any shape
 *
 * Fails: `MANIFEST_INVALID` with every fault and its JSON pointer.
 */
export function parseSource(value: unknown): Source {
  const members = splitSourceMembers(value);
  const checked = checkShape(sourcePartShape, members.source, { exact: true });
  const { manifest, faults } = checkManifest(members.manifest);
  const ofSource =
    checked.faults === undefined
      ? listSourceFaults(checked.value, manifest)
      : checked.faults.map(toShapeFault);
  if (manifest === undefined || checked.faults !== undefined || faults.length + ofSource.length > 0) {
    throw manifestInvalidError([...faults, ...ofSource]);
  }
  return { manifest, ...checked.value };
}

/** The options of a build that `read` of a manifest stands for. */
export function readOptions({ swap_axes, ...plan }: ReadPlan = {}): BuildReadOptions {
  return { ...plan, swapAxes: swap_axes };
}

/** Splits the members of a manifest file into those that go into a snapshot and the others. */
function splitSourceMembers(value: unknown): { source: object; manifest: unknown } {
  if (!isObject(value)) return { source: {}, manifest: value };
  // Editors find the schema by "$schema", which does not describe the source.
  const members = Object.entries(value).filter(([name]) => name !== "$schema");
  const isOfSource = ([name]: [string, unknown]) => SOURCE_MEMBERS.has(name);
  return {
    source: Object.fromEntries(members.filter(isOfSource)),
    manifest: Object.fromEntries(members.filter((member) => !isOfSource(member))),
  };
}

/** The JSON Schema (2020-12) of a manifest file, for editors. {@link parseSource} checks more, with better words. */
export function manifestJsonSchema(): JsonSchema {
  const { schema } = toJsonSchema(sourceManifestShape);
  const { schema: partSchema } = toJsonSchema(sourcePartShape);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "groundrule source manifest",
    ...schema,
    properties: {
      $schema: { type: "string" },
      ...(schema.properties as object),
      ...(partSchema.properties as object),
    },
  };
}

type SourcePart = Omit<Source, "manifest">;

const line = text({ min: 1, max: 1024 });
const digest = text({ pattern: /^[0-9a-f]{64}$/, words: "64 hexadecimal digits, lowercase" });
const webUrl = text({ max: 4096, pattern: /^https?:\/\/[^\s/]\P{Cc}*$/iu, words: "an https URL" });
const seconds = number({ above: 0, max: 7 * 24 * 3600 });

const readShape: Shape<ReadPlan> = object<ReadPlan>({
  format: optional(choice(...FORMAT_NAMES)),
  layer: optional(line),
  encoding: optional(text({ min: 1, max: 64 })),
  swap_axes: optional(boolean()),
  wkt: optional(line),
  longitude: optional(line),
  latitude: optional(line),
  rename: optional(record(line, line)),
});

const fetchShape: Shape<FetchPlan> = object<FetchPlan>({
  file: optional(line),
  url: optional(webUrl),
  allow_http: optional(boolean()),
  sha256: optional(digest),
  bytes: optional(number({ whole: true, min: 1 })),
  sha256_url: optional(webUrl),
  max_bytes: optional(number({ whole: true, min: 1 })),
  timeout_s: optional(seconds),
  stall_s: optional(seconds),
  retries: optional(number({ whole: true, min: 0, max: 20 })),
  granules: optional(granulesShape),
  origin: optional(object<FileOrigin>({ license: line, taken_from: line, changes: optional(line) })),
});

const sourcePartShape: Shape<SourcePart> = object<SourcePart>({
  read: optional(readShape),
  fetch: optional(fetchShape),
  provider: optional(record(line, anything())),
  untested: optional(boolean()),
});

const SOURCE_MEMBERS: ReadonlySet<string> = new Set(["read", "fetch", "provider", "untested"]);
const OF_URLS = ["allow_http", "sha256_url", "timeout_s", "stall_s", "retries"] as const;

/** Faults that no member has on its own. */
function listSourceFaults(
  { read, fetch, provider }: SourcePart,
  manifest: SourceManifest | undefined,
): Fault[] {
  const faults: Fault[] = [];
  const fault = (pointer: string, code: string, message: string) => faults.push({ pointer, code, message });
  if (provider !== undefined && (fetch !== undefined || read !== undefined)) {
    const found = fetch === undefined ? "read" : "fetch";
    fault(`/${found}`, "MEMBER_FOREIGN", `"${found}" is for files, but "provider" names a database`);
  }
  if ((read?.longitude === undefined) !== (read?.latitude === undefined)) {
    const missing = read?.longitude === undefined ? "longitude" : "latitude";
    fault(`/read/${missing}`, "MEMBER_MISSING", `"read" names one column of a position, expected both`);
  }
  if (fetch !== undefined) reportFetchFaults(fetch, fault);
  if (fetch?.granules !== undefined) reportGranuleFaults(fetch, fetch.granules, manifest, fault);
  return faults;
}

function reportFetchFaults(
  fetch: FetchPlan,
  fault: (pointer: string, code: string, message: string) => void,
): void {
  const { file, url, allow_http } = fetch;
  if (fetch.bytes !== undefined && fetch.sha256 === undefined) {
    fault("/fetch/bytes", "MEMBER_FOREIGN", '"bytes" is for the file of one "sha256": others may have more');
  }
  if ((file === undefined) === (url === undefined)) {
    const found = file === undefined ? "neither" : "both";
    fault("/fetch", "FETCH_AMBIGUOUS", `found ${found} of "file" and "url", expected one of them`);
  }
  if (file !== undefined && !staysInsideFolder(file)) {
    const expected = "a relative path with / between its parts that does not lead out of its folder";
    fault("/fetch/file", "MEMBER_INVALID", `found "${file}", expected ${expected}`);
  }
  if (url === undefined) {
    for (const member of OF_URLS) {
      if (fetch[member] === undefined) continue;
      fault(`/fetch/${member}`, "MEMBER_FOREIGN", `"${member}" is for URLs, but "fetch" names a file`);
    }
  }
  for (const member of ["url", "sha256_url"] as const) {
    const address = fetch[member];
    if (address === undefined) continue;
    const why = findAddressFault(address, allow_http === true);
    if (why !== undefined) fault(`/fetch/${member}`, "MEMBER_INVALID", why);
  }
}

function reportGranuleFaults(
  fetch: FetchPlan,
  { degrees, mask }: GranulePlan,
  manifest: SourceManifest | undefined,
  fault: (pointer: string, code: string, message: string) => void,
): void {
  if (manifest !== undefined && manifest.cells === undefined) {
    fault("/fetch/granules", "MEMBER_FOREIGN", '"granules" is for rasters, but the manifest has no "cells"');
  }
  if (!Number.isInteger(90 / degrees)) {
    fault("/fetch/granules/degrees", "MEMBER_INVALID", `found ${degrees}, expected a divisor of 90`);
  }
  for (const member of ["sha256", "sha256_url"] as const) {
    if (fetch[member] === undefined) continue;
    fault(`/fetch/${member}`, "MEMBER_FOREIGN", `"${member}" is for one file, but "granules" are many`);
  }
  const templates = [
    ["/fetch/url", fetch.url],
    ["/fetch/file", fetch.file],
    ["/fetch/granules/mask", mask],
  ] as const;
  for (const [pointer, address] of templates) {
    if (address === undefined || isTemplate(address)) continue;
    fault(pointer, "MEMBER_INVALID", "expected {lat}, {lon}, {ns} and {ew}, by which granules differ");
  }
  if (mask === undefined) return;
  if (manifest !== undefined && manifest.cells?.mask === undefined) {
    fault(
      "/fetch/granules/mask",
      "MEMBER_FOREIGN",
      'found a mask, but "cells" does not say which of its values hide a cell',
    );
  }
  const why = fetch.url === undefined ? undefined : findAddressFault(mask, fetch.allow_http === true);
  if (why !== undefined) fault("/fetch/granules/mask", "MEMBER_INVALID", why);
  if (fetch.url === undefined && !staysInsideFolder(mask)) {
    fault("/fetch/granules/mask", "MEMBER_INVALID", `found "${mask}", expected a relative path`);
  }
}

function staysInsideFolder(path: string): boolean {
  const isAbsolute = /^(?:[/\\]|[a-z]:)/i.test(path);
  return !isAbsolute && !path.includes("\\") && !path.includes("\0") && !path.split("/").includes("..");
}

/** Does not repeat the address, which may hold a password. */
function findAddressFault(address: string, allowHttp: boolean): string | undefined {
  if (!URL.canParse(address)) return "found no URL that can be read, expected an https URL";
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" || allowHttp || isLoopback(hostname)) return undefined;
  return `found ${protocol}//${hostname}, expected https; "allow_http": true takes it all the same`;
}

/**
 * True if a host of a URL is this machine itself: `localhost`, `127.n.n.n` or `[::1]`.
 *
 * @param hostname as `URL` has it
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
