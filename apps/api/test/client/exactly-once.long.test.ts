import { expect, it } from "vitest";
import { readSeed } from "../seed.ts";
import { chargeExactlyOnce } from "./exactly-once.ts";

it("the experiment on the client fails where each attempt has a key of its own", async () => {
  const broken = chargeExactlyOnce(60, readSeed(1_103), {
    wrap: (fetch) => (url, init) => {
      const headers = new Headers(init.headers);
      if (headers.has("Idempotency-Key")) headers.set("Idempotency-Key", crypto.randomUUID());
      return fetch(url, { ...init, headers });
    },
  });
  await expect(broken).rejects.toThrow("the usage is not the number of calls");
});
