import type { ChargeRequest } from "../../src/charging/charging.ts";
import type { Scope } from "../../src/ledger/scope.ts";

/** A request to a process, and what its execution there shall bring. */
export interface Order {
  /** Plain, so that it can be sent to a process. */
  readonly request: ChargeRequest & { readonly fingerprint: string };
  readonly degrades: boolean;
}

/** An answer that is charged, now or before. */
export interface ChargedAnswer {
  readonly kind: "charged" | "replayed";
  readonly response: string;
  readonly decisionId: string;
}

/** Outcome of an order, as far as experiments look at it. */
export type Answer =
  | ChargedAnswer
  | { readonly kind: "uncharged" | "abandoned" }
  | {
      readonly kind: "refused";
      readonly code: string;
      readonly retryAfterSeconds?: number;
      readonly details: Readonly<Record<string, unknown>>;
    };

/**
 * A running service that can be asked and can be killed: {@link forkChargingProcess} is one over the store
 * and the protocol alone, {@link startServeTarget} the command, asked over HTTP.
 */
export interface Target extends AsyncDisposable {
  /** Rejects where no answer came: the process or the link died. */
  ask(order: Order): Promise<Answer>;
  /** Ends the process at once, as the machine would: nothing of it runs on. */
  kill(): Promise<void>;
  /** Resolves when the process is gone, however it came to. */
  readonly gone: Promise<void>;
  stop(): Promise<unknown>;
}

/** A customer of a store, and the processes that serve it. */
export interface Served {
  readonly scope: Scope;
  /** @param killAt a point where the process dies by itself, and its turn, as `name:count` */
  start(killAt?: string): Promise<Target>;
}

/** Creates the target of an experiment: a customer with that quota in the store at a URL. */
export type Targets = (url: string, quota: number) => Promise<Served>;

/** A request that differs from others by its key alone. */
export function makeOrder(scope: Scope, key: string, degrades = false): Order {
  return {
    // One body a key, so that whoever asks again must be given the answer.
    request: { scope, key, fingerprint: key, route: "/v1/evaluate", requestId: "req" },
    degrades,
  };
}
