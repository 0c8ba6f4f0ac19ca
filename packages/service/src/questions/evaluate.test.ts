import { evaluateRequestSchema } from "@groundrule/contract";
import { createSeededRandom } from "@groundrule/testing/random";
import { expect, it } from "vitest";
import { evaluate } from "./evaluate.ts";

const SEED = 20_261_122;

it("sees no more in a plain request than its schema does, and leaves every other to it", () => {
  const random = createSeededRandom(SEED);
  const one = (...values: readonly unknown[]): unknown => values[random.integer(values.length)];
  const membersOf = (names: readonly string[], value: (name: string) => unknown): object =>
    Object.fromEntries(names.filter(() => random.integer(4) > 0).map((name) => [name, value(name)]));
  const odd = (): unknown => one(null, [], "text", 7, false, {}, { x: 1 });
  const geometry = { type: "Polygon", coordinates: [] };
  let plain = 0;
  for (let turn = 0; turn < 3_000; turn++) {
    const isOdd = random.integer(3) === 0;
    const names =
      random.integer(2) === 0
        ? ["input", "ruleset"]
        : ["input", "ruleset", "ruleset_id", "reference_id", "x"];
    const body = membersOf(names, (name) => {
      if (isOdd && random.integer(2) === 0) return odd();
      if (name !== "input") return name === "ruleset" ? { sets: {}, checks: [] } : "name";
      return membersOf(random.integer(2) === 0 ? ["geometry"] : ["geometry", "crs", "y"], (member) =>
        isOdd ? odd() : member === "geometry" ? geometry : "EPSG:4326",
      );
    });
    const request = evaluate.plainRequest!(body);
    if (request === undefined) continue;
    plain++;
    expect(request).toStrictEqual(evaluateRequestSchema.parse(body));
  }
  expect(plain).toBeGreaterThan(200);
  expect([null, [], "", 1].map((body) => evaluate.plainRequest!(body))).toEqual(Array(4).fill(undefined));
});
