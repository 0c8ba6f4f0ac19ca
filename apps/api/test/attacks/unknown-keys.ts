import { randomBytes } from "node:crypto";
import { createSmallWorld } from "@groundrule/testing/small-world";
import { mintApiKey } from "../../src/keys/api-key.ts";
import { openSqlite } from "../../src/store/sqlite/open-sqlite.ts";
import { HttpCaller } from "../http.ts";
import { createTestOrganization, startService } from "../service.ts";
import { requireNothingOver } from "./figures.ts";

const UNKNOWN_KEYS = 50;
const AT_ONCE = 32;

/**
 * A stranger without a key sends texts that look like keys, new ones and one over and over, while somebody with a key
 * asks: the store is asked for so many a second as is stated, and whoever has a key notices nothing.
 *
 * @param tried keys
 */
export async function tryUnknownKeys(tried: number): Promise<object> {
  const store = await openSqlite(":memory:");
  let looks = 0;
  const counted = {
    ...store,
    findApiKey: (question: Parameters<typeof store.findApiKey>[0]) => {
      looks++;
      return store.findApiKey(question);
    },
  };
  const service = await startService(createSmallWorld(), { store: counted, unknownKeys: UNKNOWN_KEYS });
  try {
    const caller = new HttpCaller(service);
    const over: string[] = [];
    const statuses: Record<string, number> = {};
    if (!(await caller.get("/v1/me")).ok) over.push("a key that was issued is refused");
    looks = 0;
    const beganMs = performance.now();
    const again = mintApiKey("live", randomBytes);
    let sent = 0;
    const stranger = async (): Promise<void> => {
      while (sent < tried) {
        const isAgain = sent++ % 2 === 0;
        const key = isAgain ? again : mintApiKey("live", randomBytes);
        const { status } = await caller.with(key).get("/v1/me");
        statuses[status] = (statuses[status] ?? 0) + 1;
      }
    };
    const known = async (): Promise<void> => {
      while (sent < tried) {
        const { status } = await caller.get("/v1/me");
        if (status !== 200) over.push(`a key that was issued gets ${status}`);
      }
    };
    await Promise.all([...Array.from({ length: AT_ONCE }, stranger), known()]);
    const seconds = (performance.now() - beganMs) / 1_000;
    // As many at once as a second, and twice a second for the key that is known.
    const allowed = UNKNOWN_KEYS * (1 + seconds) + 2 * (1 + seconds);
    if (looks > allowed) over.push(`the store was asked ${looks} times, expected at most ${allowed}`);
    for (const status of Object.keys(statuses)) {
      if (status !== "401" && status !== "503") over.push(`a text that is no key gets ${status}`);
    }
    const late = await createTestOrganization(store);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const { status } = await caller.with(late.key).get("/v1/me");
    if (status !== 200) over.push(`a key that was just made gets ${status}`);
    return requireNothingOver({ tried: sent, looks, statuses }, over);
  } finally {
    await service.stop();
    await store.close();
  }
}
