import type { Settlement, SettleOutcome } from "../../ledger/arbitrate.ts";
import type { ReadCall, WriteCall } from "../port/calls.ts";
import type { Company, Store } from "../port/port.ts";
import type { Operation } from "../sql/operation.ts";

/** What a database must be able to do; the rest of a store is the same for each. */
export interface Driver {
  readonly kind: Store["kind"];
  /** Whether the gates that a turn of the event loop asks for are opened together. */
  readonly opensGatesInTurns?: true;
  /** Runs an operation; in a `snapshot` all its statements see one state. */
  read<Result>(operation: () => Operation<Result>, view: "snapshot" | "latest"): Promise<Result>;
  /**
   * Makes a read that may take long where it delays nobody, such as in a thread of its own. Absent: where the others are
   * made, which is none of this process's business.
   */
  readApart?(call: ReadCall): Promise<unknown>;
  /** Runs a write in a transaction that is durable when this resolves. */
  write(call: WriteCall): Promise<unknown>;
  settle(settlement: Settlement, company?: Company): Promise<SettleOutcome>;
  backup(path: string): Promise<void>;
  trouble(): Promise<string | undefined>;
  close(): Promise<void>;
}
