import { startService } from "../../apps/api/test/service.ts";
import { openData } from "../../packages/node/src/index.ts";
import { hostInProcess } from "../../packages/service/src/index.ts";

/** A service for the programs of pages: what they find in the environment, and its end. */
export interface PageService {
  readonly env: { readonly GROUNDRULE_URL: string; readonly GROUNDRULE_KEY: string };
  stop(): Promise<void>;
}

/** Serves a data folder in this process, as `groundrule demo` does: with rulesets in its catalog. */
export async function serveDataFolder(
  dataFolder: string,
  rulesets: readonly unknown[],
): Promise<PageService> {
  const data = openData(dataFolder);
  const { url, key, stop } = await startService(
    hostInProcess(() => data.engine),
    { editions: () => data.editions },
  );
  for (const ruleset of rulesets) {
    const response = await fetch(`${url}/v1/rulesets`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      body: JSON.stringify(ruleset),
    });
    if (response.status !== 201) throw new Error(await response.text());
  }
  return { env: { GROUNDRULE_URL: url, GROUNDRULE_KEY: key }, stop };
}
