import { expect, it } from "vitest";
import { rotateUnderLoad } from "./key-lifecycle.ts";
import { sharedPostgres } from "./shared-postgres.ts";

it("T-40: lets no valid key be refused on two replicas, and no ended one in", async () => {
  const figures = await rotateUnderLoad(await sharedPostgres.createDatabase(), 4);
  expect(figures).toMatchObject({ rotations: 10 });
});
