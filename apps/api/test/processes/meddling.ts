import { setTimeout as sleep } from "node:timers/promises";
import { runSqlPastStore } from "../store-places.ts";
import type { ServedByCommand, ServeTarget } from "./serve-target.ts";
import { type Answer, makeOrder } from "./target.ts";

/** From the edit, or from the start of the service, until its customer is charged nothing more. */
export type MeddlingReport = Readonly<Record<keyof typeof EDITS, string>>;

/** Edits to one customer's rows by somebody who may write to the database, past everything that guards it. */
const EDITS = {
  used: (org: string) => `UPDATE period SET used = used + 1 WHERE organization = '${org}'`,
  decision: (org: string) => `DELETE FROM decision WHERE organization = '${org}' AND seq = 2`,
  body: (org: string) =>
    `UPDATE record SET response = '{}' WHERE decision_id = (SELECT id FROM decision WHERE organization = '${org}' AND seq = 2)`,
} as const;

/**
 * T-46. One customer's use, another's decision, a third's stored answer are edited by hand. Each is
 * found, and charges nothing until somebody has looked; what each was told before is told again,
 * decisions are read, and a fourth customer is charged as ever.
 *
 * @param finding who finds it: the service that runs, within a minute; or a service as it starts
 */
export async function meddleWithCharges(
  newCustomer: () => Promise<ServedByCommand>,
  url: string,
  finding: "running" | "starting",
): Promise<MeddlingReport> {
  const names = Object.keys(EDITS) as (keyof typeof EDITS)[];
  const customers = new Map<string, ServedByCommand>();
  for (const name of [...names, "untouched"]) customers.set(name, await newCustomer());
  let service = await customers.get("untouched")!.start();
  try {
    for (const [name, customer] of customers) {
      for (let i = 0; i < 3; i++)
        expectAnswerKind(await sendOrderByKey(service, customer, `${name}-${1_000 + i}`), "charged");
    }
    if (finding === "starting") await service.kill();
    await editDatabaseUnguarded(
      url,
      names.map((name) => EDITS[name](customers.get(name)!.scope.organization)),
    );
    if (finding === "starting") service = await customers.get("untouched")!.start();
    const began = performance.now();
    const report: Record<string, string> = {};
    const missing = new Set<string>(names);
    const foundBy = async (who: string, withinMs: number): Promise<void> => {
      const deadline = performance.now() + withinMs;
      while (missing.size > 0 && performance.now() < deadline) {
        for (const name of missing) {
          // Nothing is asked of it: a charge would be one that the customer did not want.
          if (!(await isFrozen(url, customers.get(name)!))) continue;
          missing.delete(name);
          report[name] = `${who} after ${((performance.now() - began) / 1_000).toFixed(1)} s`;
        }
        await sleep(100);
      }
    };
    if (finding === "running") {
      await foundBy("the running service", 62_000);
    } else {
      await foundBy("the starting service", Number.POSITIVE_INFINITY);
    }
    if (missing.size > 0) throw new Error(`not found: ${[...missing].join(", ")}`);
    for (const name of names) await expectFrozenForCharging(service, customers.get(name)!, name);
    expectAnswerKind(await sendOrderByKey(service, customers.get("untouched")!, "untouched-new"), "charged");
    return report as MeddlingReport;
  } finally {
    await service.kill();
  }
}

async function expectFrozenForCharging(
  service: ServeTarget,
  customer: ServedByCommand,
  name: string,
): Promise<void> {
  const refused = await sendOrderByKey(service, customer, `${name}-new`);
  if (refused.kind !== "refused" || refused.code !== "STORAGE_UNAVAILABLE") {
    throw new Error(`with its ${name} edited a customer was answered ${JSON.stringify(refused)}`);
  }
  // The first of three was left alone.
  const replayed = await sendOrderByKey(service, customer, `${name}-1000`);
  expectAnswerKind(replayed, "replayed");
  const { decisionId } = replayed as { readonly decisionId: string };
  for (const path of ["/v1/usage", "/v1/decisions", `/v1/decisions/${decisionId}`]) {
    const { status } = await service.as(customer.key).get(path);
    if (status !== 200) throw new Error(`with its ${name} edited a customer got ${status} of ${path}`);
  }
}

function sendOrderByKey(
  service: ServeTarget,
  { key, scope }: ServedByCommand,
  name: string,
): Promise<Answer> {
  return service.as(key).ask(makeOrder(scope, name));
}

function expectAnswerKind(answer: Answer, kind: Answer["kind"]): void {
  if (answer.kind !== kind) throw new Error(`expected ${kind}, found ${JSON.stringify(answer)}`);
}

async function isFrozen(url: string, { scope }: ServedByCommand): Promise<boolean> {
  const where = `organization = '${scope.organization}' AND mode = '${scope.mode}'`;
  const [row] = await runSqlPastStore(url, `SELECT frozen FROM ledger WHERE ${where}`);
  return row!.frozen !== null;
}

async function editDatabaseUnguarded(url: string, statements: readonly string[]): Promise<void> {
  const unguarded = url.startsWith("sqlite:")
    ? ["PRAGMA foreign_keys = OFF", "DROP TRIGGER decision_no_delete", "DROP TRIGGER record_no_update"]
    : ["SET session_replication_role = replica"];
  await runSqlPastStore(url, ...unguarded, ...statements);
}
