import { createHash, randomUUID } from "node:crypto";
import { createSmallWorld, createSquarePlot } from "@groundrule/testing/small-world";
import type { Scope } from "../src/ledger/scope.ts";
import { findDearestStatement } from "./count-steps.ts";
import { fillLedger } from "./fill-ledger.ts";
import { HttpCaller } from "./http.ts";
import { PLAIN_READS } from "./operations.ts";
import { createTestOrganization, startService, type TestService } from "./service.ts";
import type { StorePlace } from "./store-places.ts";

/** Steps that a statement in the thread of HTTP may take, whatever is stored: some hundred rows. */
export const MOST_STEPS = 2_000;

export interface ReadsReport {
  readonly requests: number;
  /** By what was asked, those that took more steps than they may. */
  readonly dear: Readonly<Record<string, { readonly steps: number; readonly text: string }>>;
  /** The cost of the dearest of the others. */
  readonly most: number;
  /** Requests that were not answered with 200. */
  readonly refused: readonly string[];
}

/** A service with a ledger of that many decisions, and a caller with its key. */
export async function serveFilledLedger(
  place: StorePlace,
  decisions: number,
): Promise<{ readonly service: TestService; readonly caller: HttpCaller; readonly scope: Scope }> {
  const made = await place.openIfThere({ absent: "make" });
  const { organization, key } = await createTestOrganization(made, { quota: 1_000_000_000 });
  const scope = { organization, mode: "test" } as const;
  await made.close();
  await fillLedger(place, scope, decisions);
  const service = await startService(createSmallWorld(), {
    store: await place.openIfThere({ role: "serve" }),
  });
  return { service, caller: new HttpCaller(service).with(key), scope };
}

/** Every list, and whatever else is read of a ledger, by every filter that there is. */
export async function listReadPaths(caller: HttpCaller, decisions: number): Promise<readonly string[]> {
  const first = await (await caller.get("/v1/decisions?page_size=1")).json();
  const [newest] = (first as { data: { items: { decision_id: string; created_at: string }[] } }).data.items;
  const { decision_id, created_at } = newest!;
  const middle = new Date(Date.parse(created_at) - decisions / 2).toISOString();
  const deep = `page=${Math.floor(decisions / 200)}&page_size=200`;
  return [
    // Documentation reads nothing that is stored.
    ...PLAIN_READS.map(({ path }) => path).filter((path) => !/^\/(?:docs|openapi)/.test(path)),
    `/v1/decisions/${decision_id}`,
    ...[
      "",
      deep,
      `from=${middle}`,
      `to=${middle}`,
      `from=${middle}&${deep}`,
      `before=${decision_id}&page_size=200`,
      "reference_id=plot&page=50&page_size=200",
      "request_id=req_1",
      "reference_id=plot&request_id=none",
      "verdict=COMPLIANT&page=50&page_size=200",
      "verdict=WARNING&reference_id=plot",
      `ruleset=${createHash("sha256").update("none").digest("hex")}&verdict=COMPLIANT`,
      `verdict=COMPLIANT&from=${middle}&before=${decision_id}`,
    ].map((query) => `/v1/decisions?${query}`),
  ];
}

/** Asks each question of a service whose ledger holds that many decisions, and counts what its thread does for it. */
export async function measureLedgerReads(place: StorePlace, decisions: number): Promise<ReadsReport> {
  const { service, caller } = await serveFilledLedger(place, decisions);
  try {
    const questions = await listReadPaths(caller, decisions);
    const dear: Record<string, { steps: number; text: string }> = {};
    const refused: string[] = [];
    let most = 0;
    const count = async (name: string, ask: () => Promise<Response>): Promise<void> => {
      const dearest = await findDearestStatement(async () => {
        const response = await ask();
        await response.arrayBuffer();
        if (response.status !== 200) refused.push(`${name}: ${response.status}`);
      });
      if (dearest.steps > MOST_STEPS) dear[name] = dearest;
      else most = Math.max(most, dearest.steps);
    };
    const body = { input: { geometry: createSquarePlot(0.1, 0.05) } };
    const key = randomUUID();
    for (const what of ["a charge", "its replay"]) {
      await count(what, () => caller.post("/v1/intersections", body, { "Idempotency-Key": key }));
    }
    for (const path of questions) await count(path, () => caller.get(path));
    return { requests: questions.length + 2, dear, most, refused };
  } finally {
    await service.stop();
    await service.store.close();
  }
}
