import type { Settlement, SettleOutcome } from "../../ledger/arbitrate.ts";
import type { ReadCall, WriteCall } from "../port/calls.ts";
import type { Company, Store } from "../port/port.ts";
import type { Operation } from "../sql/operation.ts";

/** The operations that differ by database; the rest of a store is shared. */
export interface Driver {
  readonly kind: Store["kind"];
  /** Set if the gates requested in one turn of the event loop are opened together. */
  readonly opensGatesInTurns?: true;
  /** Runs an operation; in a `snapshot` all its statements see one state. */
  read<Result>(operation: () => Operation<Result>, view: "snapshot" | "latest"): Promise<Result>;
  /**
   * Runs a read that may take long where it delays nothing, such as in a thread of its own. Absent: such reads run like
   * the others, in the database's own process.
   */
  readApart?(call: ReadCall): Promise<unknown>;
  /** Runs a write in a transaction that is durable when this resolves. */
  write(call: WriteCall): Promise<unknown>;
  settle(settlement: Settlement, company?: Company): Promise<SettleOutcome>;
  backup(path: string): Promise<void>;
  trouble(): Promise<string | undefined>;
  close(): Promise<void>;
}
