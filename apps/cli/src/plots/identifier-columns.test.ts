import { readFileSync } from "node:fs";
import type { Verdict } from "@groundrule/engine";
import { createSharedFolder } from "@groundrule/testing/folder";
import { createSeededRandom } from "@groundrule/testing/random";
import { createSquarePolygon } from "@groundrule/testing/shapes";
import { beforeAll, describe, expect, it } from "vitest";
import { matchFailedExit, runInProcess, splitCommandWords } from "../../test/in-process.ts";
import { formatNdjson, formatPolygonWkt, formatQuotedCsv, makeFeature } from "../../test/plot-texts.ts";

const RULESET = {
  sets: { parks: { sources: ["demo:parks"] } },
  checks: [{ id: "one", outcome: "WARNING", set: "parks", measure: "overlap_area_m2" }],
};
const PLOT = createSquarePolygon(0.25, 0.25, 0.125);
const VALUES = {
  "br:cnpj": ["11.222.333/0001-81", "11444777000161", "12.ABC.345/01DE-35"],
  "br:cpf": ["111.444.777-35", "52998224725"],
  "us:ein": ["12-3456789", "012345678"],
  "iso:lei": ["5493001KJTIIGC8Y1R12", "HWUPKR0MPOU8FGXBT394"],
  "br:car": ["PA-1500602-0D4D", "MT-5107248-1A2B"],
} as const;
type Type = keyof typeof VALUES;
interface Identifier {
  readonly type: Type;
  readonly value: string;
  readonly role?: string;
}

const COLUMNS = [
  { type: "br:cnpj", role: "owner", column: "CNPJ" },
  { type: "br:cpf", column: "cpf, socio" },
  { type: "us:ein", role: "buyer", column: "Tax ID = EIN" },
  { type: "iso:lei", column: "lei" },
  { type: "br:car", role: "property", column: "cod_imovel" },
  { type: "br:cnpj", role: "owner", column: "CNPJ 2" },
] as const;
const OPTIONS = COLUMNS.map(
  (each) => `--identifier=${each.type}${"role" in each ? `:${each.role}` : ""}=${each.column}`,
);

const { at, write } = createSharedFolder();
const run = (...args: readonly string[]) =>
  runInProcess(
    splitCommandWords`${args} --ruleset ${at("rules.json")} --data ${at("data")} --now 2026-11-27T12:00:00Z`,
  );
const digestsOf = (lines: readonly unknown[]) =>
  (lines as readonly { readonly verdict?: Verdict }[]).map((line) => line.verdict?.input.digest ?? line);

beforeAll(async () => {
  write("rules.json", RULESET);
  write("parks.geojson", makeFeature("P1", createSquarePolygon(0, 0)));
  const build = ["snapshot", "build", "--source", "demo:parks", at("parks.geojson"), "--data", at("data")];
  expect((await runInProcess(build)).code).toBe(0);
});

describe("--identifier", () => {
  it("gives the input that the same identifiers in scheme give, from a table, lines and a mapping (seed 4401)", async () => {
    const random = createSeededRandom(4401);
    const pick = <T>(from: readonly T[]): T => from[random.integer(from.length)]!;
    const plots = Array.from({ length: 60 }, (_, i) => {
      const own: Identifier[] = Array.from({ length: random.integer(3) }, () => {
        const type = pick(Object.keys(VALUES) as Type[]);
        return { type, value: pick(VALUES[type]), ...(random.integer(2) === 0 && { role: "owner" }) };
      });
      const inColumns = COLUMNS.map((each) => {
        // A cell lists identifiers of the schemes with a known form.
        const most = each.type === "br:car" ? 2 : 4;
        return Array.from({ length: random.integer(most) }, () => pick(VALUES[each.type]));
      });
      const cells = inColumns.map(
        (values) => values.join(pick(["; ", ", ", " | ", "\n", " e "])) || pick(["", "-"]),
      );
      const added = COLUMNS.flatMap((each, k): Identifier[] =>
        inColumns[k]!.map((value) => ({
          type: each.type,
          value,
          ...("role" in each && { role: each.role }),
        })),
      );
      const seen = new Set(own.map(buildKey));
      const once = added.filter((each) => !seen.has(buildKey(each)) && seen.add(buildKey(each)));
      return { id: `p${i}`, own, cells, all: [...own, ...once] };
    });
    const cell = (own: readonly Identifier[]) => (own.length === 0 ? "" : JSON.stringify(own.length === 1 ? own[0] : own)); // biome-ignore format: one line
    const header = ["id", "wkt", "scheme", ...COLUMNS.map(({ column }) => column)];
    write(
      "plots.csv",
      formatQuotedCsv([
        header,
        ...plots.map(({ id, own, cells }) => [id, formatPolygonWkt(PLOT), cell(own), ...cells]),
      ]),
    );
    const named = (cells: readonly string[]) =>
      Object.fromEntries(COLUMNS.map(({ column }, k) => [column, cells[k]]));
    write("lines.ndjson", formatNdjson(...plots.map(({ id, own, cells }) => makeFeature(id, PLOT, { scheme: own, ...named(cells) })))); // biome-ignore format: one line
    write(
      "scheme.ndjson",
      formatNdjson(...plots.map(({ id, all }) => makeFeature(id, PLOT, { scheme: all }))),
    );

    const expected = digestsOf((await run("evaluate", at("scheme.ndjson"))).lines);
    expect(new Set(expected).size).toBeGreaterThan(40);
    const table = await run("evaluate", at("plots.csv"), ...OPTIONS, "--mapping", at("mapping.json"));
    expect(digestsOf(table.lines)).toEqual(expected);
    expect(JSON.parse(readFileSync(at("mapping.json"), "utf8"))).toMatchObject({ identifiers: COLUMNS });
    for (const args of [
      ["evaluate", at("plots.csv"), "--mapping", at("mapping.json")],
      ["screen", at("plots.csv"), ...OPTIONS],
      ["evaluate", at("lines.ndjson"), ...OPTIONS],
      ["screen", at("lines.ndjson"), "--workers", "2", ...OPTIONS],
    ] as const) {
      expect(digestsOf((await run(...args)).lines), args.join(" ")).toEqual(expected);
    }

    const fixed = await runInProcess([
      "plots",
      "fix",
      at("plots.csv"),
      ...OPTIONS,
      "--output",
      at("fixed.geojson"),
    ]);
    expect(fixed.code).toBe(0);
    const { features } = JSON.parse(readFileSync(at("fixed.geojson"), "utf8")) as {
      readonly features: readonly { readonly properties: { readonly scheme?: readonly Identifier[] } }[];
    };
    const schemes = features.map(({ properties }) => [properties.scheme ?? []].flat().map(buildKey));
    expect(schemes).toEqual(plots.map(({ all }) => all.map(buildKey)));
  });

  it("adds to a mapping, and takes precedence over its entry for the same scheme and role", async () => {
    const identifiers = [
      { type: "br:cnpj", role: "owner", column: "a" },
      { type: "us:ein", column: "b" },
    ];
    write("kept.json", { mapping: 1, identifiers });
    write("kept.csv", formatQuotedCsv([["id", "wkt", "a", "b", "c"], ["p", formatPolygonWkt(PLOT), "11222333000181", "123456789", "11444777000161"]])); // biome-ignore format: one line
    const scheme = [{ type: "us:ein", value: "123456789" }, { type: "br:cnpj", value: "11444777000161", role: "owner" }]; // biome-ignore format: one line
    write("kept.ndjson", formatNdjson(makeFeature("p", PLOT, { scheme })));
    const { lines } = await run(
      "evaluate",
      at("kept.csv"),
      "--mapping",
      at("kept.json"),
      "--identifier=br:cnpj:owner=c",
    );
    expect(digestsOf(lines)).toEqual(digestsOf((await run("evaluate", at("kept.ndjson"))).lines));
  });

  it("leaves a malformed identifier as it is, and plots check and fix read it", async () => {
    write(
      "zeros.csv",
      formatQuotedCsv([
        ["id", "wkt", "tax"],
        ["p", formatPolygonWkt(PLOT), "6990590000123"],
        ["q", formatPolygonWkt(PLOT), "x"],
      ]),
    );
    const args = ["plots", "check", at("zeros.csv"), "--identifier", "br:cnpj:owner=tax"];
    const { lines } = await runInProcess(args);
    expect(lines.filter(({ code }) => code !== "IN_SEA")).toMatchObject([
      { id: "p", code: "IDENTIFIER_MALFORMED", mend: expect.stringContaining('"06990590000123"') },
      { id: "q", code: "IDENTIFIER_MALFORMED" },
    ]);
    const fix = ["plots", "fix", at("zeros.csv"), "--identifier", "br:cnpj:owner=tax"];
    await runInProcess([...fix, "--output", at("zeros.ndjson")]);
    const written = readFileSync(at("zeros.ndjson"), "utf8");
    expect(written).toContain('"scheme":[{"type":"br:cnpj","value":"06990590000123","role":"owner"}]');
    expect(written).toContain('"scheme":[{"type":"br:cnpj","value":"x","role":"owner"}]');
  });

  it.each([
    ["cnpj=tax", 2, 'did you mean "br:cnpj"?'],
    ["CPF:owner=tax", 2, 'did you mean "br:cpf:owner"?'],
    ["car:property=tax", 2, 'did you mean "br:car:property"?'],
    ["lei=tax", 2, 'did you mean "iso:lei"?'],
    ["ein=tax", 2, 'did you mean "us:ein"?'],
    ["passport=tax", 2, 'found "passport" in --identifier "passport=tax", expected <authority>:<name>'],
    ["br:cnpj:Owner=tax", 2, 'did you mean "br:cnpj:owner"?'],
    ["br:cnpj", 2, "expected br:cnpj=COLUMN"],
    ["br:cnpj=", 2, "expected br:cnpj=COLUMN"],
    ["br:cnpj=taxx", 3, 'found no column "taxx", expected one of id, tax; did you mean "tax"?'],
  ])("is refused as %s", async (identifier, code, message) => {
    const input = formatQuotedCsv([
      ["id", "wkt", "tax"],
      ["p", formatPolygonWkt(PLOT), "11222333000181"],
    ]);
    for (const command of [
      ["evaluate", "--ruleset", at("rules.json"), "--data", at("data")],
      ["plots", "check"],
    ]) {
      const { code: found, err } = await runInProcess([...command, `--identifier=${identifier}`], { input });
      expect({ code: found, err }).toEqual(matchFailedExit(code, message));
    }
  });

  it.each([
    [{}, "found identifiers that are no list"],
    [[{ type: "br:cnpj" }], 'found {"type":"br:cnpj"} among identifiers'],
    [[{ type: "cnpj", column: "tax" }], 'did you mean "br:cnpj"?'],
    [[{ type: "br:cnpj", column: "tax", rol: "owner" }], "among identifiers, expected"],
  ])("is refused in a mapping as %j", async (identifiers, message) => {
    const mapping = write("faulty.json", { mapping: 1, identifiers });
    expect(await runInProcess(["plots", "check", "--mapping", mapping])).toEqual(
      expect.objectContaining(matchFailedExit(2, message)),
    );
  });
});

/** Equal for all spellings of an identifier in one role. */
function buildKey({ type, value, role }: Identifier): string {
  return [type, value.replace(/[./-]/g, ""), role].join(" ");
}
