import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openEngine } from "@groundrule/engine";
import { buildSnapshot, parseManifest } from "@groundrule/ingest";
import { describe, expect, it } from "vitest";

const manifests = readdirSync(import.meta.dirname).filter((file) => file.endsWith(".json"));
const manifestOf = (file: string) =>
  parseManifest(JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8")));

describe("the manifests of real sources", () => {
  it.each(manifests)("%s is one that a build takes", (file) => {
    expect(manifestOf(file).source_name).toMatch(/:/);
  });
});

const folder = process.env.GROUNDRULE_REAL_DATA;
describe.runIf(folder !== undefined)("on the real files", () => {
  it("find the two Brazilian companies of the SDN list by their CNPJ, whichever way it is written", async () => {
    const name = "reg_ofac_sdn_2023_identifiers";
    const { file } = await buildSnapshot(
      createReadStream(`${folder}/${name}.csv.gz`),
      manifestOf(`${name}.json`),
    );
    const engine = openEngine([Buffer.concat([...file.chunks])]);
    const found = (type: string, value: string) =>
      engine.subjects({ type, value }).matches.map(({ source_id }) => source_id);
    expect(found("br:cnpj", "35.116.112/0001-97")).toEqual(["34279"]);
    expect(found("br:cnpj", "31746200000111")).toEqual(["34280"]);
    // Those of other countries, and without one, stay under the list's own name of the type.
    expect(found("ofac:tax_id_no", "35116112000197")).toEqual([]);
    expect(engine.subjects({ type: "ofac:tax_id_no", value: "%0" }, { matchOp: "ilike" }).truncated).toBe(
      true,
    );
    expect(engine.subjects({ type: "br:cnpj", value: "%0%" }, { matchOp: "ilike" }).matches).toHaveLength(2);
  });
});
