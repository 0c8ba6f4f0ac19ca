import { randomUUID } from "node:crypto";
import type { Execution } from "../src/charging/charging.ts";
import type { Settlement } from "../src/ledger/arbitrate.ts";
import type { Scope } from "../src/ledger/scope.ts";
import type { Store } from "../src/store/port/port.ts";

/** A settlement with nothing remarkable about it, but for what is said. */
export function makeSettlement(scope: Scope, more: Partial<Settlement> = {}): Settlement {
  return {
    scope,
    decisionId: `dec_${randomUUID()}`,
    units: 1,
    key: null,
    fingerprint: "fingerprint",
    route: "/v1/evaluate",
    requestId: "req_1",
    referenceId: null,
    mediaType: "application/json",
    request: '{"input":{}}',
    response: '{"data":{"verdict":"COMPLIANT"}}',
    digests: "{}",
    retentionMs: 86_400_000,
    ...more,
  };
}

/** An execution that ends with an answer to charge for. */
export function makeCompleteExecution(response: string): Extract<Execution<never>, { kind: "complete" }> {
  const mediaType = "application/json";
  return { kind: "complete", request: "{}", response, mediaType, digests: "{}", referenceId: null };
}

/** A new organization's live scope. */
export async function createLiveScope(
  store: Store,
  quota: number,
  more: { readonly anchorMs?: number } = {},
): Promise<Scope> {
  const id = `org_${randomUUID()}`;
  await store.createOrganization({ id, name: id, quota: { live: quota, test: quota }, ...more });
  return { organization: id, mode: "live" };
}
