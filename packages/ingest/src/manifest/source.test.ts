import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { IngestError } from "../ingest-error.ts";
import { manifestFromOptions, sourceFromOptions } from "./manifest.ts";
import { manifestJsonSchema, parseSource } from "./source.ts";

const areas = { source_name: "demo:parks", kind: "leaf" };
const web = (members: object = {}) => ({
  ...areas,
  fetch: { url: "https://example.org/parks.gpkg", ...members },
});

const granules = (
  plan: object = {},
  fetch: object = {},
  cells: object | undefined = { values: [{ value: 1 }] },
) => ({
  ...areas,
  cells,
  fetch: {
    url: "https://example.org/loss_{lat:2}{ns}_{lon:3}{ew}.tif",
    granules: { degrees: 10, bounds: [-180, -60, 180, 80], ...plan },
    ...fetch,
  },
});

function findFaults(value: unknown) {
  try {
    parseSource(value);
  } catch (error) {
    if (error instanceof IngestError)
      return error.details.faults?.map(({ pointer, code }) => [pointer, code]);
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("parseSource", () => {
  it("parts what goes into the snapshot from how the file comes and is read", () => {
    const read = { format: "csv", longitude: "x", latitude: "y", encoding: "latin1", swap_axes: true };
    const fetch = { file: "2026/parks.csv.gz", sha256: "a".repeat(64) };
    const value = { $schema: "x.json", ...areas, id: "code", read, fetch, untested: true };
    expect(parseSource(value)).toEqual({ manifest: { ...areas, id: "code" }, read, fetch, untested: true });
    expect(manifestFromOptions({ id: "name" }, value)).toEqual({ ...areas, id: "name" });
    expect(sourceFromOptions({ id: "name" }, value).read).toEqual(read);
  });

  it.each<[string, unknown, string, string]>([
    ["neither a file nor a URL", { ...areas, fetch: {} }, "/fetch", "FETCH_AMBIGUOUS"],
    ["a file and a URL", web({ file: "a" }), "/fetch", "FETCH_AMBIGUOUS"],
    ["a path from the root", { ...areas, fetch: { file: "/etc/passwd" } }, "/fetch/file", "MEMBER_INVALID"],
    ["a path with a drive", { ...areas, fetch: { file: "C:x" } }, "/fetch/file", "MEMBER_INVALID"],
    ["a path out of its folder", { ...areas, fetch: { file: "a/../../b" } }, "/fetch/file", "MEMBER_INVALID"],
    ["a path of Windows", { ...areas, fetch: { file: "a\\..\\b" } }, "/fetch/file", "MEMBER_INVALID"],
    [
      "patience with a file",
      { ...areas, fetch: { file: "a", retries: 3 } },
      "/fetch/retries",
      "MEMBER_FOREIGN",
    ],
    ["http", web({ url: "http://example.org/a" }), "/fetch/url", "MEMBER_INVALID"],
    ["a list over http", web({ sha256_url: "http://example.org/a" }), "/fetch/sha256_url", "MEMBER_INVALID"],
    ["another scheme", web({ url: "file:///etc/passwd" }), "/fetch/url", "MEMBER_INVALID"],
    ["no URL", web({ url: "https://exa mple.org:99999/" }), "/fetch/url", "MEMBER_INVALID"],
    ["a short checksum", web({ sha256: "abc" }), "/fetch/sha256", "MEMBER_INVALID"],
    ["the bytes of any file", web({ bytes: 12 }), "/fetch/bytes", "MEMBER_FOREIGN"],
    ["no bytes at all", web({ max_bytes: 0 }), "/fetch/max_bytes", "MEMBER_INVALID"],
    ["a typo", web({ max_byte: 1 }), "/fetch/max_byte", "MEMBER_UNKNOWN"],
    ["half a position", { ...areas, read: { latitude: "y" } }, "/read/longitude", "MEMBER_MISSING"],
    ["an unknown format", { ...areas, read: { format: "gml" } }, "/read/format", "MEMBER_INVALID"],
    ["a file for a database", { ...web(), provider: { kind: "postgis" } }, "/fetch", "MEMBER_FOREIGN"],
    ["no object", [], "", "MEMBER_INVALID"],
    ["granules of areas", { ...granules(), cells: undefined }, "/fetch/granules", "MEMBER_FOREIGN"],
    ["granules that do not fit", granules({ degrees: 7 }), "/fetch/granules/degrees", "MEMBER_INVALID"],
    ["half a box of granules", granules({ bounds: [0, 1] }), "/fetch/granules/bounds", "MEMBER_INVALID"],
    [
      "one address of many",
      granules({}, { url: "https://example.org/{lat}{ns}.tif" }),
      "/fetch/url",
      "MEMBER_INVALID",
    ],
    ["one digest of many", granules({}, { sha256: "a".repeat(64) }), "/fetch/sha256", "MEMBER_FOREIGN"],
    [
      "a mask of no value",
      granules({ mask: "https://example.org/{lat}{ns}_{lon}{ew}" }),
      "/fetch/granules/mask",
      "MEMBER_FOREIGN",
    ],
  ])("refuses %s", (_, value, pointer, code) => {
    expect(findFaults(value)).toContainEqual([pointer, code]);
  });

  it("takes http for this machine, and elsewhere where the manifest allows it", () => {
    for (const host of ["localhost:8080", "127.0.0.1", "[::1]:1"]) {
      expect(parseSource(web({ url: `http://${host}/a` })).fetch?.url).toBe(`http://${host}/a`);
    }
    expect(parseSource(web({ url: "http://example.org/a", allow_http: true })).fetch?.allow_http).toBe(true);
  });

  it("never repeats the password of an address", () => {
    const url = "http://reader:secret@example.org/a";
    expect(() => parseSource(web({ url }))).toThrow(/^(?!.*secret).*example\.org/);
  });

  it("reports the faults of both parts together", () => {
    expect(findFaults({ ...areas, source_name: "A", fetch: { file: "a", sha256: "b" } })).toEqual([
      ["/source_name", "MEMBER_INVALID"],
      ["/fetch/sha256", "MEMBER_INVALID"],
    ]);
  });

  it("has the JSON Schema that is published, of every member", () => {
    const path = new URL("../../schema/manifest.schema.json", import.meta.url);
    expect(JSON.parse(readFileSync(path, "utf8")), "npm run tool -- write-schemas writes it").toEqual(
      manifestJsonSchema(),
    );
    const { properties } = manifestJsonSchema() as { properties: object };
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(["source_name", "coverage", "read", "fetch", "provider", "untested"]),
    );
  });
});
