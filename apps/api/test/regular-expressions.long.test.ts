import { it } from "vitest";
import { attackExpressions } from "./regular-expressions.ts";

it("T-42: every regular expression of the sources takes time in proportion to a text that all but matches", async () => {
  await attackExpressions(200, { pairs: false });
});
