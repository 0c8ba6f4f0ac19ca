import { expect, it } from "vitest";
import { rotateUnderLoad } from "./key-lifecycle.ts";
import { startPostgres } from "./postgres-cluster.ts";

it("T-40: lets no valid key be refused on two replicas, and no ended one in", async () => {
  const cluster = await startPostgres();
  try {
    const figures = await rotateUnderLoad(await cluster.createDatabase(), 4);
    expect(figures).toMatchObject({ rotations: 10 });
  } finally {
    await cluster.stop();
  }
});
