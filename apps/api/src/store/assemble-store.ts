import type { Settlement, SettleOutcome } from "../charging/arbitrate.ts";
import type { Operation } from "./operation.ts";
import { READS, WRITES } from "./operations/all.ts";
import type { Store, StoreReads, StoreWrites } from "./port.ts";
import type { WriteCall } from "./write-call.ts";

/** What a database must be able to do; the rest of a store is the same for each. */
export interface Driver {
  readonly kind: Store["kind"];
  /** Runs an operation in one snapshot. */
  read<Result>(operation: () => Operation<Result>): Promise<Result>;
  /** Runs a write in a transaction that is durable when this resolves. */
  write(call: WriteCall): Promise<unknown>;
  settle(settlement: Settlement): Promise<SettleOutcome>;
  trouble(): Promise<string | undefined>;
  close(): Promise<void>;
}

export function assembleStore(driver: Driver): Store {
  const reads = Object.entries(READS).map(([name, operation]) => {
    const read = operation as (input: unknown) => Operation<unknown>;
    return [name, (input: unknown) => driver.read(() => read(input))];
  });
  const writes = Object.keys(WRITES).map((name) => {
    return [name, (input: unknown) => driver.write({ name, input } as WriteCall)];
  });
  const port = Object.fromEntries([...reads, ...writes]) as StoreReads & StoreWrites;
  return {
    ...port,
    kind: driver.kind,
    settle: (settlement) => driver.settle(settlement),
    trouble: () => driver.trouble(),
    close: () => driver.close(),
  };
}
