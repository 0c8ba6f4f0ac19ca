import { it } from "vitest";
import { attackExpressions } from "./regular-expressions.ts";

it("T-42: every regular expression of the sources takes time in proportion to a text that all but matches", async () => {
  // In a text of a third, a quadratic one takes a ninth: a good half of a second.
  const isFull = process.env.GROUNDRULE_FULL !== undefined;
  await attackExpressions(isFull ? 200 : 60, { pairs: false, length: isFull ? 100_000 : 30_000 });
});
