import { describe, expect, it } from "vitest";
import { IngestError } from "../ingest-error.ts";
import { manifestFromOptions, parseManifest } from "./manifest.ts";

const areas = { source_name: "demo:parks", kind: "leaf" };
const register = { source_name: "demo:listed", kind: "subject_register", value: "tax_id", scheme: "br:cnpj" };
const mapped = { source_name: "demo:listed", kind: "subject_register", value: "tax_id", scheme_from: "type" };

function findFaults(read: () => unknown) {
  try {
    read();
  } catch (error) {
    if (error instanceof IngestError && error.code === "MANIFEST_INVALID") return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("parseManifest", () => {
  it("takes a manifest of areas and one of a register as they are", () => {
    const full = {
      ...areas,
      id: "ID",
      country_iso3: "BRA",
      columns: { since: "date", code: "string" },
      date_formats: { since: "dd/MM/yyyy" },
      groups: ["demo:all"],
    };
    expect(parseManifest(full)).toEqual(full);
    const typed = {
      source_name: "ofac:sdn",
      kind: "subject_register",
      value: "id_value",
      scheme_from: "id_type",
      schemes: { "Tax ID No.": "ofac:tax_id_no" },
    };
    expect(parseManifest(typed)).toEqual(typed);
  });

  it.each([
    "javascript:alert(1)",
    "JavaScript://example.org/%0aalert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "ftp://example.org/a",
    "example.org",
  ])("refuses an address that is none of the web: %s", (source_url) => {
    const error = findFaults(() => parseManifest({ ...areas, source_url }));
    expect(error.details.faults).toMatchObject([
      { pointer: "/source_url", message: `found "${source_url}", expected an http or https URL` },
    ]);
    expect(() => manifestFromOptions({ source: "demo:parks", url: source_url })).toThrow(IngestError);
  });

  it("is made of options alone, for a register whose rows name their schemes or their types", () => {
    const options = {
      source: "ofac:sdn",
      kind: "subject_register",
      value: "id_value",
      schemeFrom: "id_type",
    };
    expect(manifestFromOptions(options)).toEqual({
      source_name: "ofac:sdn",
      kind: "subject_register",
      value: "id_value",
      scheme_from: "id_type",
    });
    const schemes = ["Tax ID No.=ofac:tax_id_no", "a=b=us:ein"];
    expect(manifestFromOptions({ ...options, schemes })).toMatchObject({
      schemes: { "Tax ID No.": "ofac:tax_id_no", "a=b": "us:ein" },
    });
    expect(
      findFaults(() => manifestFromOptions({ ...options, schemes: ["NIT"] })).details.faults,
    ).toMatchObject([{ pointer: "/schemes", code: "OPTION_MALFORMED" }]);
    expect(
      findFaults(() => manifestFromOptions({ ...options, schemes: ["Tax/ID=No scheme"] })).details.faults,
    ).toMatchObject([{ pointer: "/schemes/Tax~1ID" }]);
  });

  it("takes an address of the web", () => {
    for (const source_url of ["https://example.org/a?b=c", "http://localhost:8080/", "HTTPS://EXAMPLE.ORG"]) {
      expect(parseManifest({ ...areas, source_url })).toMatchObject({ source_url });
    }
  });

  it("names the pointer of every fault, and what a mistyped member most likely meant", () => {
    const error = findFaults(() =>
      parseManifest({ ...areas, source_name: "Demo Parks", licence_spdx: "CC0-1.0", country_iso3: "Brazil" }),
    );
    expect(error.details.faults).toEqual([
      {
        pointer: "/source_name",
        code: "MEMBER_INVALID",
        message: 'found "Demo Parks", expected lowercase words of a-z, 0-9 and _ joined by colons',
      },
      {
        pointer: "/country_iso3",
        code: "MEMBER_INVALID",
        message: 'found "Brazil", expected an ISO 3166-1 alpha-3 code',
      },
      {
        pointer: "/licence_spdx",
        code: "MEMBER_UNKNOWN",
        message: 'unknown member "licence_spdx"; did you mean "license_spdx"?',
      },
    ]);
    expect(error.message).toBe(
      'manifest, /source_name: found "Demo Parks", expected lowercase words of a-z, 0-9 and _ joined by colons (and 2 more)',
    );
    for (const value of [null, [], "x", 1])
      expect(findFaults(() => parseManifest(value)).details.faults).toHaveLength(1);
  });

  it.each([
    [{ ...areas, value: "x" }, "/value", '"value" is for registers, but this is a source of areas'],
    [{ ...register, country: "iso3" }, "/country", '"country" is for areas, but this is a register'],
    [{ ...register, value: undefined }, "/value", 'a register needs "value", the column of its identifiers'],
    [
      { ...register, scheme: undefined },
      "/scheme",
      'found neither of "scheme" and "scheme_from", expected one of them',
    ],
    [
      { ...register, scheme_from: "t", schemes: {} },
      "/scheme",
      'found both of "scheme" and "scheme_from", expected one of them',
    ],
    [{ ...register, schemes: {} }, "/schemes", 'found "schemes" without "scheme_from", expected both'],
    [
      { ...mapped, schemes: { "Tax ID No.": { BRA: "br:cnpj" } } },
      "/scheme_country",
      '"schemes" maps "Tax ID No." by country; name the column of the countries in "scheme_country"',
    ],
    [
      { ...mapped, schemes: { NIT: "co:nit" }, scheme_country: "country" },
      "/scheme_country",
      'found "scheme_country", but "schemes" maps no type name by country',
    ],
    [
      { ...areas, scheme_country: "iso3" },
      "/scheme_country",
      '"scheme_country" is for registers, but this is a source of areas',
    ],
    [
      { ...areas, groups: ["demo:parks"] },
      "/groups",
      'a group cannot have the source\'s own name, "demo:parks"',
    ],
    [
      { ...areas, columns: { d: "string" }, date_formats: { d: "dd/MM/yyyy" } },
      "/date_formats/d",
      'column "d" has a date format, but its declared type is string',
    ],
    [
      { ...areas, date_formats: { "a/b": "DD/MM/YYYY" } },
      "/date_formats/a~1b",
      'the date format "DD/MM/YYYY" has "DD", expected yyyy, MM or M, and dd or d, once each; HH, mm and ss are allowed, and other letters in single quotes',
    ],
  ])("refuses %j", (manifest, pointer, message) => {
    const { faults } = findFaults(() => parseManifest(manifest)).details;
    expect(faults).toHaveLength(1);
    expect(faults![0]).toMatchObject({ pointer, message });
  });
});

describe("manifestFromOptions", () => {
  it("makes a manifest of options alone", () => {
    expect(
      manifestFromOptions({
        source: "demo:parks",
        id: "ID",
        countryIso3: "BRA",
        license: "CC0-1.0",
        collectedAt: "2026-01-02T00:00:00Z",
        date: ["since=dd/MM/yyyy", "a=b=yyyy-MM-dd"],
        column: ["code=string"],
      }),
    ).toEqual({
      source_name: "demo:parks",
      kind: "leaf",
      id: "ID",
      country_iso3: "BRA",
      license_spdx: "CC0-1.0",
      collected_at: "2026-01-02T00:00:00Z",
      date_formats: { since: "dd/MM/yyyy", "a=b": "yyyy-MM-dd" },
      columns: { code: "string" },
    });
  });

  it("lets options replace members of a file, and add to its columns and date formats", () => {
    const file = { ...register, name: "nome", columns: { a: "string" }, date_formats: { b: "dd/MM/yyyy" } };
    expect(manifestFromOptions({ name: "name", column: ["c=number"], date: ["b=yyyy/MM/dd"] }, file)).toEqual(
      {
        ...file,
        name: "name",
        columns: { a: "string", c: "number" },
        date_formats: { b: "yyyy/MM/dd" },
      },
    );
  });

  it("refuses what neither options nor file make whole", () => {
    expect(findFaults(() => manifestFromOptions({})).details.faults![0]!.pointer).toBe("/source_name");
    expect(findFaults(() => manifestFromOptions({ kind: "group" }, areas)).details.faults![0]!.pointer).toBe(
      "/kind",
    );
    expect(findFaults(() => manifestFromOptions({}, [])).details.faults![0]!.pointer).toBe("");
    expect(findFaults(() => manifestFromOptions({ date: ["since"] }, areas)).message).toBe(
      'the date "since" is not COLUMN=FORMAT, e.g. signed=dd/MM/yyyy',
    );
    const { faults } = findFaults(() => manifestFromOptions({ column: ["a=text"] }, areas)).details;
    expect(faults![0]!.pointer).toBe("/columns/a");
  });
});
