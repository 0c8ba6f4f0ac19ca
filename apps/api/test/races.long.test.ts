import { describe, it } from "vitest";
import { raceOverHttp } from "./races.ts";

describe("T-01, T-03, T-04", () => {
  it("lets through exactly the quota, and one answer a key, of a serving process", async () => {
    await raceOverHttp(2);
  });
});
