import { join } from "node:path";
import { type ManagePorts, openPepper, openStore, type Pepper, type Store } from "@groundrule/api/state";
import type { Arguments } from "./arguments.ts";
import type { OptionSpec } from "./command.ts";
import { dataFolder } from "./data-folder.ts";

// Where the service's state lies: organizations, keys, rulesets, usage, decisions.

export const STORE_OPTION: OptionSpec = {
  name: "store",
  value: "URL",
  help: "sqlite:FILE or postgres://… (default sqlite:<data>/state.db)",
};

export const PEPPER_OPTION: OptionSpec = {
  name: "pepper",
  value: "FILE",
  help: "the secret that API keys are stored under (default <data>/pepper, made where there is none)",
};

export const STATE_OPTIONS: readonly OptionSpec[] = [STORE_OPTION, PEPPER_OPTION];

export function storeUrl(args: Arguments): string {
  return args.find("store") ?? `sqlite:${join(dataFolder(args), "state.db")}`;
}

export function pepperFor(args: Arguments): Pepper {
  return openPepper(args.find("pepper") ?? join(dataFolder(args), "pepper"));
}

/** Opens the state for the process that serves it. */
export function openServedStore(args: Arguments): Promise<Store> {
  return openStore(storeUrl(args), { sqlite: { role: "serve" } });
}

/** Opens the state beside whoever serves it, and closes it after the work. */
export async function withState<Result>(
  args: Arguments,
  work: (ports: ManagePorts) => Promise<Result>,
): Promise<Result> {
  const pepper = pepperFor(args);
  const store = await openStore(storeUrl(args));
  try {
    return await work({ store, pepper });
  } finally {
    await store.close();
  }
}
