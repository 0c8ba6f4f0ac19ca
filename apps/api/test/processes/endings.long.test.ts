import { join } from "node:path";
import { describe, it } from "vitest";
import { seedOr, withSeed } from "../seed.ts";
import { folderOfTest } from "../temporary-folder.ts";
import { endServing, endWhileLoading } from "./endings.ts";
import { deploy } from "./serve-target.ts";

const seed = seedOr(9);

describe("a worker thread that loads its modules", () => {
  it("T-33-start: lets the process end in each way there is", async () => {
    await withSeed(seed, (random) => endWhileLoading(3, random));
  });
});

describe("groundrule serve, as it starts", () => {
  it("T-33-start: ends with its own code where the port is taken, and on a signal", async () => {
    const dir = await folderOfTest();
    const deployment = await deploy(dir);
    const store = `sqlite:${join(dir, "state.db")}`;
    await withSeed(seed, (random) => endServing(deployment, store, 2, random));
  });
});
