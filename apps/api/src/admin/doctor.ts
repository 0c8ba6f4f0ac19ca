import { freezeViolatedLedgers } from "../charging/reconcile.ts";
import type { Store, Violation } from "../store/port/port.ts";
import { pepperTrouble } from "./open-pepper.ts";

/**
 * Examines everything that is stored, including the digest of every answer. It writes only to freeze a ledger.
 *
 * @param open opens the store; it is closed again
 * @param pepperFile if present, its pepper is compared with the store's
 */
export async function doctor(
  open: (role: "read" | "manage") => Promise<Store>,
  pepperFile?: string,
): Promise<DoctorReport> {
  const store = await open("read");
  try {
    const trouble = await store.trouble();
    const pepper =
      pepperFile === undefined || trouble !== undefined ? undefined : await pepperTrouble(pepperFile, store);
    const violations = trouble === undefined ? await store.findViolations({ extent: "all" }) : [];
    if (violations.length > 0) await freezeBrokenAndClose(await open("manage"), violations);
    return { store: store.kind, trouble, pepper, violations };
  } finally {
    await store.close();
  }
}

export interface DoctorReport {
  readonly store: Store["kind"];
  readonly trouble: string | undefined;
  /** The problem with the pepper file, if any. */
  readonly pepper: string | undefined;
  /** A ledger with a violation is frozen: it charges nothing until {@link releaseLedger}. */
  readonly violations: readonly Violation[];
}

async function freezeBrokenAndClose(store: Store, violations: readonly Violation[]): Promise<void> {
  try {
    await freezeViolatedLedgers(store, violations);
  } finally {
    await store.close();
  }
}
