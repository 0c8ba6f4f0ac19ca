import { unstorableTexts } from "@groundrule/contract";
import { jsonPointer } from "@groundrule/engine/json";
import type { Settlement, SettleOutcome } from "../../ledger/arbitrate.ts";
import { READS, WRITES } from "../operations/all.ts";
import type { Company, Store, StoreReads, StoreWrites } from "../port/port.ts";
import { StoreError } from "../port/store-error.ts";
import type { WriteCall } from "../port/write-call.ts";
import type { Operation } from "../sql/operation.ts";

/** What a database must be able to do; the rest of a store is the same for each. */
export interface Driver {
  readonly kind: Store["kind"];
  /** Runs an operation; in a `snapshot` all its statements see one state. */
  read<Result>(operation: () => Operation<Result>, view: "snapshot" | "latest"): Promise<Result>;
  /** Runs a write in a transaction that is durable when this resolves. */
  write(call: WriteCall): Promise<unknown>;
  settle(settlement: Settlement, company?: Company): Promise<SettleOutcome>;
  backup(path: string): Promise<void>;
  trouble(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Reads of one statement, which every request makes. */
const SINGLE_READS: ReadonlySet<string> = new Set<keyof StoreReads>(["openGate", "findAnswer", "findApiKey"]);

/**
 * Every method fails with `VALUE_INVALID` on a text that one of the databases cannot hold, whichever it is of.
 */
export function assembleStore(driver: Driver): Store {
  const reads = Object.entries(READS).map(([name, operation]) => {
    const read = operation as (input: unknown) => Operation<unknown>;
    const view = SINGLE_READS.has(name) ? "latest" : "snapshot";
    return [name, async (input: unknown) => driver.read(() => read(storable(name, input)), view)];
  });
  const writes = Object.keys(WRITES).map((name) => {
    return [
      name,
      async (input: unknown) => driver.write({ name, input: storable(name, input) } as WriteCall),
    ];
  });
  const port = Object.fromEntries([...reads, ...writes]) as StoreReads & StoreWrites;
  return {
    ...port,
    kind: driver.kind,
    settle: async (settlement, company) => driver.settle(storable("settle", settlement), company),
    backup: (path) => driver.backup(path),
    trouble: () => driver.trouble(),
    close: () => driver.close(),
  };
}

function storable<Input>(method: string, input: Input): Input {
  const [first] = unstorableTexts(input);
  if (first === undefined) return input;
  const at = jsonPointer(first.path);
  throw new StoreError("VALUE_INVALID", `${method} at ${at}: ${first.message}`, { method, at });
}
