import { expect, it } from "vitest";
import { polluteBodies } from "./pollution.ts";

it("T-42: members that name prototypes change none, at whatever depth of whatever body", async () => {
  expect(await polluteBodies()).toMatchObject({
    statuses: { 200: expect.any(Number), 422: expect.any(Number) },
  });
});
