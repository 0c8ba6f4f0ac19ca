import type { ChargeRequest } from "../../src/charging/charging.ts";
import type { Outcome } from "../simulation/world.ts";

/** A request to a process, and what its execution there shall bring. */
export interface Order {
  readonly request: ChargeRequest;
  readonly degrades: boolean;
}

/**
 * A running service that can be asked and can be killed: {@link forkTarget} is one over the store
 * and the protocol alone. Experiments are written against this, so that they can be made over HTTP too.
 */
export interface Target {
  /** Rejects where no answer came: the process or the link died. */
  ask(order: Order): Promise<Outcome>;
  /** Ends the process at once, as the machine would: nothing of it runs on. */
  kill(): Promise<void>;
  /** Resolves when the process is gone, however it came to. */
  readonly gone: Promise<void>;
  stop(): Promise<void>;
}
