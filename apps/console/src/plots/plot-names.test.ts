import { describe, expect, it } from "vitest";
import { findNameColumn, namePlots } from "./plot-names.ts";

const rows = (columns: Readonly<Record<string, (i: number) => unknown>>, count = 30) =>
  Array.from({ length: count }, (_, i) =>
    Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value(i)])),
  );

describe("findNameColumn", () => {
  it("takes the column of a farm that tells nine of ten plots apart, not its producer's, country's or a number", () => {
    const table = {
      ProducerName: (i: number) => `Producer ${i}`,
      ProducerCountry: () => "BR",
      plot_area: (i: number) => i,
      Farm: (i: number) => `Fazenda ${i === 14 ? 3 : i}`,
    };
    expect(findNameColumn(rows(table))).toBe("Farm");
    expect(findNameColumn(rows({ ...table, Farm: (i) => `Fazenda ${i % 20}` }))).toBe("ProducerName");
    expect(findNameColumn(rows({ "Talhão": (i) => `T${i}`, area: (i) => `${i} ha` }))).toBe("Talhão"); // biome-ignore format: a heading
    expect(
      findNameColumn(rows({ crop: (i) => `soy ${i}`, plot: (i) => (i < 26 ? `P${i}` : "") })),
    ).toBeUndefined();
    expect(findNameColumn([])).toBeUndefined();
  });
});

describe("namePlots", () => {
  const name = async (found: readonly object[], isChosen = false) => {
    const plots = async function* () {
      for (const [i, properties] of found.entries())
        yield { number: i + 1, id: i + 1, geometry: undefined, properties: properties as never };
    };
    const names: unknown[] = [];
    let taken: unknown;
    const read = namePlots(plots(), isChosen, (id) => {
      taken = id;
    });
    for await (const { id } of read) names.push(id);
    return { names, taken };
  };

  it("numbers names that come again, past the plots by which the column was chosen", async () => {
    const { names, taken } = await name(
      rows({ Farm: (i) => (i === 140 ? "Fazenda 7" : `Fazenda ${i}`) }, 150),
    );
    expect([taken, names[7], names[140], names[149]]).toEqual([
      { column: "Farm" },
      "Fazenda 7",
      "Fazenda 7 (2)",
      "Fazenda 149",
    ]);
  });

  it("numbers a name that comes a hundred thousand times, in time in proportion to them", async () => {
    const { names } = await name(rows({ Farm: (i) => (i < 100 ? `Fazenda ${i}` : "Fazenda 7") }, 100_100));
    expect(new Set(names).size).toBe(100_100);
    expect(names.at(-1)).toBe("Fazenda 7 (100001)");
  });

  it("leaves the ids of the column that the reader chose", async () => {
    expect(await name(rows({ Farm: (i) => `F${i}` }, 2), true)).toEqual({ names: [1, 2], taken: undefined });
  });
});
