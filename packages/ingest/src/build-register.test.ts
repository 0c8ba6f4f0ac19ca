import { openSnapshot, type RegisterSnapshot } from "@groundrule/engine/build";
import { createSourceEntry } from "@groundrule/engine/internal";
import { describe, expect, it } from "vitest";
import { buildSnapshot } from "./build.ts";
import { IngestError } from "./ingest-error.ts";
import { parseManifest } from "./manifest/manifest.ts";
import { renderReport } from "./report.ts";

async function* inChunks(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const listed = {
  source_name: "demo:listed",
  kind: "subject_register",
  id: "no",
  name: "company",
  value: "tax_id",
  scheme: "br:cnpj",
} as const;

async function build(text: string, manifest: Parameters<typeof buildSnapshot>[1] = listed, size = 9) {
  const { file, report } = await buildSnapshot(inChunks(text, size), manifest);
  const snapshot = openSnapshot(new Uint8Array(Buffer.concat([...file.chunks])).buffer) as RegisterSnapshot;
  return { snapshot, report };
}

describe("buildSnapshot of a register", () => {
  it("makes one record of the rows of one id, and reports in which columns they differ", async () => {
    const text =
      "no;company;tax_id;since;workers;code;open\n" +
      "7;Ápis Ltda;02.387.202/0001-63;31/12/2020;12;007;true\n" +
      "9;Second;08.691.264/0001-40;;3;12;false\n" +
      "7;Ápis Ltda;02.387.202/0002-44;30/12/2020;12;007;true\n" +
      "7;Apis;02.387.202/0003-25;31/12/2020;12;;true\n";
    const { snapshot, report } = await build(text, { ...listed, date_formats: { since: "dd/MM/yyyy" } });
    const { attributes, identifiers, meta } = snapshot;
    expect(attributes.rowCount).toBe(2);
    expect([attributes.id(0), attributes.name(0)]).toEqual(["7", "Ápis Ltda"]);
    expect(attributes.columns).toEqual(
      [
        ["no", "number"],
        ["company", "string"],
        ["since", "date"],
        ["workers", "number"],
        ["code", "string"],
        ["open", "boolean"],
      ].map(([name, type]) => ({ name, type })),
    );
    expect(attributes.properties(0)).toEqual({
      no: 7,
      company: "Ápis Ltda",
      since: "2020-12-31",
      workers: 12,
      code: "007",
      open: true,
    });
    expect(attributes.properties(1)).toMatchObject({ since: null, code: "12" });
    expect(identifiers.count).toBe(4);
    expect(identifiers.find("br:cnpj", "02387202000244")).toEqual([
      { scheme: "br:cnpj", value: "02.387.202/0002-44", row: 0 },
    ]);
    expect(meta.schemes).toEqual(["br:cnpj"]);
    expect(report).toMatchObject({ read: 4, stored: 2, left_out: [], without_identifier: 0, format: "csv" });
    expect(report.differing_columns).toEqual([
      { value: "since", count: 1, first_id: "7" },
      { value: "company", count: 1, first_id: "7" },
      { value: "code", count: 1, first_id: "7" },
    ]);
  });

  it("maps type names to schemes and counts those that are not mapped or not used", async () => {
    const text =
      "no,kind,tax_id\n1,Tax ID No.,35.116\n1,Phone,555\n2,Phone,556\n3,Fax,1\n4,Tax ID No.,\n4,Tax ID No.,( - )\n";
    const { scheme: _, name: __, ...rest } = listed;
    const manifest = {
      ...rest,
      scheme_from: "kind",
      schemes: { "Tax ID No.": "ofac:tax_id_no", NIT: "co:nit" },
    };
    const { snapshot, report } = await build(text, manifest);
    expect(snapshot.attributes.rowCount).toBe(4);
    expect(snapshot.attributes.columns).toEqual([{ name: "no", type: "number" }]);
    expect(snapshot.identifiers.count).toBe(1);
    expect(report).toMatchObject({
      unmapped_schemes: [
        { value: "Phone", count: 2 },
        { value: "Fax", count: 1 },
      ],
      unused_schemes: ["NIT"],
      empty_identifiers: 2,
      without_identifier: 3,
    });
  });

  describe("whose manifest maps type names by country", () => {
    const { scheme: _, name: __, ...rest } = listed;
    const manifest = {
      ...rest,
      scheme_from: "kind",
      scheme_country: "country",
      schemes: {
        Tax: { BRA: "br:cnpj", Burma: "mm:tax", COD: "cd:tax", CIV: "ci:tax", "*": "us:tax" },
        NIT: { COL: "co:nit", PER: "pe:nit" },
      },
    };
    const listSchemes = (snapshot: RegisterSnapshot) =>
      Array.from({ length: snapshot.attributes.rowCount }, (_each, row) => {
        const found = snapshot.meta.schemes.filter(
          (type) => snapshot.identifiers.find(type, `V${row}`).length > 0,
        );
        return found.join();
      });

    it("takes the country by its code or its English name, and first as the register spells it", async () => {
      const countries = [
        "Brazil",
        "BRA",
        "br",
        "Burma",
        "Myanmar",
        "MMR",
        "Congo, Democratic Republic of the",
      ];
      const others = ["côte d'ivoire", "Peru", "", "Cali"];
      const rows = [...countries, ...others].map((country, row) => `${row},Tax,"${country}",v-${row}\n`);
      const { snapshot, report } = await build(`no,kind,country,tax_id\n${rows.join("")}`, manifest);
      expect(listSchemes(snapshot)).toEqual([
        ...["br:cnpj", "br:cnpj", "br:cnpj", "mm:tax", "us:tax", "us:tax", "cd:tax"],
        ...["ci:tax", "us:tax", "us:tax", "us:tax"],
      ]);
      expect(snapshot.attributes.columns.map(({ name }) => name)).toEqual(["no"]);
      expect(report).toMatchObject({ unmapped_schemes: [], unused_schemes: ["NIT (COL)", "NIT (PER)"] });
    });

    it("leaves out identifiers of other countries where no default is mapped, and reports them", async () => {
      const text =
        "no,kind,country,tax_id\n0,NIT,Colombia,v0\n1,NIT,Brazil,v1\n2,NIT,,v2\n3,NIT,Brazil,v3\n4,Fax,Peru,v4\n";
      const { snapshot, report } = await build(text, manifest);
      expect(listSchemes(snapshot)).toEqual(["co:nit", "", "", "", ""]);
      expect(report.unmapped_schemes).toEqual([
        { value: "NIT (Brazil)", count: 2 },
        { value: "NIT (no country)", count: 1 },
        { value: "Fax", count: 1 },
      ]);
      expect(report.unused_schemes).toContain("Tax (*)");
    });

    it("refuses a column of countries that the source lacks", async () => {
      await expect(build("no,kind,land,tax_id\n", manifest)).rejects.toThrow(
        '"scheme_country" of the manifest names column "country", which the source does not have',
      );
    });

    it("declares the types of every country, for a register that does not open", () => {
      const { supported_schemes } = createSourceEntry(parseManifest(manifest), undefined);
      expect(supported_schemes).toEqual([
        ...["br:cnpj", "cd:tax", "ci:tax", "co:nit", "mm:tax", "pe:nit", "us:tax"],
      ]);
    });
  });

  it("takes type names that are schemes as they are, where none is mapped", async () => {
    const text = "no,kind,tax_id\n1,br:cnpj,11\n1,co:nit,35\n2,Phone,556\n3,BR:CNPJ,1\n";
    const { scheme: _, name: __, ...rest } = listed;
    const { snapshot, report } = await build(text, { ...rest, scheme_from: "kind" });
    expect(snapshot.meta.schemes).toEqual(["br:cnpj", "co:nit"]);
    expect(snapshot.identifiers.count).toBe(2);
    expect(report).toMatchObject({
      unmapped_schemes: [
        { value: "Phone", count: 1 },
        { value: "BR:CNPJ", count: 1 },
      ],
      unused_schemes: [],
    });
  });

  it("leaves out ragged rows, each with its line, and no others", async () => {
    const { snapshot, report } = await build("no,company,tax_id\n1,A,11\n2,B\n3,C,33,x\n4,D,44,\n", {
      ...listed,
      allow: ["left_out"],
    });
    expect(snapshot.attributes.rowCount).toBe(2);
    expect(report.left_out).toEqual([
      {
        number: 2,
        line: 3,
        id: "2",
        code: "ROW_RAGGED",
        reason: "found 2 cells, expected 3, as in the header",
        place: "unknown",
      },
      {
        number: 3,
        line: 4,
        id: "3",
        code: "ROW_RAGGED",
        reason: "found 4 cells, expected 3, as in the header",
        place: "unknown",
      },
    ]);
  });

  it("keeps rows without an id apart, from each other and from ids that look like their number", async () => {
    const { snapshot, report } = await build("no,company,tax_id\n2,A,11\n,B,22\n,C,33\n");
    expect([0, 1, 2].map((row) => snapshot.attributes.id(row))).toEqual(["2", "2#2", "3"]);
    expect(report.without_id).toBe(2);
    expect(report.duplicate_ids).toEqual([{ id: "2", stored_as: "2#2", number: 2, line: 3 }]);
    const { id: _, ...noId } = listed;
    const numbered = await build("no,company,tax_id\n2,A,11\n2,B,22\n", noId);
    expect(numbered.snapshot.attributes.rowCount).toBe(2);
  });

  it("names a mapped column that does not exist, the nearest one, and all of them", async () => {
    const error: unknown = await build("no,company,tax id\n1,A,11\n").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(IngestError);
    expect(error).toMatchObject({
      code: "COLUMN_UNKNOWN",
      message:
        '"value" of the manifest names column "tax_id", which the source does not have; did you mean "tax id"? (its columns are no, company, tax id)',
    });
  });

  it("names the line of a value that does not fit its declared type", async () => {
    const text = "no,company,tax_id,since\n1,A,11,2020-01-01\n2,B,22,soon\n";
    await expect(build(text, { ...listed, columns: { since: "date" } })).rejects.toThrow(
      'row 2, line 3: found "soon" in column "since", expected a day, YYYY-MM-DD',
    );
  });

  it("gives the same snapshot however the source is cut into chunks", async () => {
    const text = 'no,company,tax_id\n1,"Ç ""x"", y",11\n2,B,22\n';
    const whole = await build(text, listed, 1 << 16);
    for (let size = 1; size < 20; size++) {
      const cut = await build(text, listed, size);
      expect(cut.snapshot.meta).toEqual(whole.snapshot.meta);
      expect(cut.report).toEqual(whole.report);
    }
  });
});

describe("the identifiers of a register", () => {
  const lines = (...cells: string[]) =>
    ["no,company,tax_id", ...cells.map((cell, i) => `${i + 1},C${i + 1},"${cell}"`)].join("\n");

  it("are separated where a cell has several of them, or words around one", async () => {
    const text = lines(
      "11222333000181;11.444.777/0001-61",
      "CNPJ n. 06.990.590/0001-23 (matriz)",
      "33.000.167/0001-01",
    );
    const { snapshot, report } = await build(text);
    const rows = ["11222333000181", "11444777000161", "06990590000123", "33000167000101"].map((value) =>
      snapshot.identifiers.find("br:cnpj", value).map(({ row }) => row),
    );
    expect(rows).toEqual([[0], [0], [1], [2]]);
    expect(report).toMatchObject({
      split_identifiers: 1,
      unwrapped_identifiers: 1,
      malformed_identifiers: { count: 0, of: 3, first: [] },
    });
  });

  it("are stored as they are where their scheme excludes them, and reported with a proposal", async () => {
    const text = lines("6990590000123", "11222333000181;BR-77-001", "***.222.333/0001-**", "11222333000180");
    const { snapshot, report } = await build(text);
    expect(snapshot.identifiers.find("br:cnpj", "6990590000123")).toHaveLength(1);
    expect(snapshot.identifiers.find("br:cnpj", "06990590000123")).toEqual([]);
    expect(snapshot.identifiers.find("br:cnpj", "11222333000181")).toHaveLength(1);
    expect(report.malformed_identifiers.count).toBe(4);
    expect(report.malformed_identifiers.first).toMatchObject([
      { number: 1, line: 2, id: "1", value: "6990590000123", proposed: "06990590000123" },
      { number: 2, id: "2", value: "BR-77-001", code: "IDENTIFIER_MALFORMED" },
      { number: 3, id: "3", value: "***.222.333/0001-**" },
      { number: 4, id: "4", value: "11222333000180", code: "CHECK_DIGITS_WRONG" },
    ]);
    const sentence = "identifiers that their scheme excludes, stored as they are, in 4 of 4 rows (4)";
    expect(renderReport({ ...report }).replace(/\n\s+/g, " ")).toContain(sentence);
  });

  it("are left as they are where the form of their scheme is not known", async () => {
    const { snapshot, report } = await build(lines("A;B", "NIT 7"), { ...listed, scheme: "co:nit" });
    expect(snapshot.identifiers.find("co:nit", "A;B")).toHaveLength(1);
    expect(report.malformed_identifiers).toEqual({ count: 0, of: 0, first: [] });
  });
});
