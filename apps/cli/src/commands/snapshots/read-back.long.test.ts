import { mkdirSync } from "node:fs";
import { createFolderForEach } from "@groundrule/testing/folder";
import { describe, expect, it } from "vitest";
import { buildAtRandom } from "../../../test/extreme-builds.ts";

const { at } = createFolderForEach();
const FULL = process.env.GROUNDRULE_FULL !== undefined;

describe("10,000 builds of manifests, tables of values and columns with extreme values", () => {
  it("leave a folder that every command and a service read, whether they are accepted or not", async () => {
    let accepted = 0;
    for (let seed = 100; seed < (FULL ? 300 : 106); seed++) {
      mkdirSync(at(`${seed}`));
      accepted += (await buildAtRandom(seed, 50, at(`${seed}`))).accepted;
    }
    expect(accepted).toBeGreaterThan(FULL ? 2500 : 60);
  }, 3_600_000);
});
