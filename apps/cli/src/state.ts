import { homedir } from "node:os";
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
  help: "the secret that API keys are stored under, made where there is none (default: the SQLite file's name with .pepper, else groundrule/pepper in the user's configuration)",
};

export const STATE_OPTIONS: readonly OptionSpec[] = [STORE_OPTION, PEPPER_OPTION];

export function storeUrl(args: Arguments): string {
  return args.find("store") ?? `sqlite:${join(dataFolder(args), "state.db")}`;
}

/**
 * The pepper of the store: whoever names the same store finds the same one, whatever data folder the
 * command has. It lies beside a SQLite file, not in it; a server's store says nothing of this machine,
 * so there it is the user's.
 */
export function pepperFor(args: Arguments): Pepper {
  return openPepper(args.find("pepper") ?? pepperPath(storeUrl(args)));
}

function pepperPath(store: string): string {
  if (store.startsWith("sqlite:")) return `${store.slice("sqlite:".length)}.pepper`;
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "groundrule/pepper");
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
