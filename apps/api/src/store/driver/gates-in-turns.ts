import type { Scope } from "../../ledger/scope.ts";
import { openGates } from "../operations/charges/gate.ts";
import type { Gate, StoreReads } from "../port/port.ts";
import type { Driver } from "./driver.ts";

/** Maximum gates opened by one statement. */
const BATCH = 64;

interface GateRequest {
  readonly key: string | null;
  readonly resolve: (gate: Gate | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Opens all gates requested in one turn of the event loop together, one statement per scope: the scope's own data is
 * read once for all its requests. Each request sees a state no older than its request.
 */
export function createBatchedOpenGate(read: Driver["read"]): StoreReads["openGate"] {
  let turn: Map<string, { readonly scope: Scope; readonly requests: GateRequest[] }> | undefined;
  const openBatch = async (scope: Scope, batch: readonly GateRequest[]): Promise<void> => {
    const keys = batch.map(({ key }) => key);
    try {
      const gateOf = await read(() => openGates(scope, keys), "latest");
      for (const { key, resolve } of batch) resolve(gateOf?.(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const open = (): void => {
    const scopes = [...turn!.values()];
    turn = undefined;
    for (const { scope, requests } of scopes) {
      for (let from = 0; from < requests.length; from += BATCH)
        void openBatch(scope, requests.slice(from, from + BATCH));
    }
  };
  return ({ scope, key }) =>
    new Promise((resolve, reject) => {
      if (turn === undefined) {
        turn = new Map();
        setImmediate(open);
      }
      const name = `${scope.mode} ${scope.organization}`;
      const known = turn.get(name);
      if (known === undefined) turn.set(name, { scope, requests: [{ key, resolve, reject }] });
      else known.requests.push({ key, resolve, reject });
    });
}
