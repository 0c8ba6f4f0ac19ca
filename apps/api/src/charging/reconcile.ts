import type { Store, Violation } from "../store/port.ts";

/**
 * Examines the ledgers and freezes those with a broken invariant: they charge nothing until a
 * person has looked; reading and replaying go on. At start with `all`, every minute with `open`.
 */
export async function reconcile(
  store: Pick<Store, "findViolations" | "freeze">,
  extent: "open" | "all",
): Promise<readonly Violation[]> {
  const violations = await store.findViolations({ extent });
  const ledgers = new Map(
    violations.map((violation) => [`${violation.mode} ${violation.organization}`, violation]),
  );
  for (const { organization, mode, invariant, message } of ledgers.values()) {
    await store.freeze({ scope: { organization, mode }, reason: `${invariant}: ${message}` });
  }
  return violations;
}
