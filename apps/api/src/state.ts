/** The service's state without HTTP, for commands that manage it. */

export * from "./admin/api-keys.ts";
export * from "./admin/backups.ts";
export * from "./admin/doctor.ts";
export * from "./admin/ledgers.ts";
export { openPepper, type PepperOptions, pepperTrouble } from "./admin/open-pepper.ts";
export { type ModeReport, type OrganizationReport, reportOrganizations } from "./admin/organization-list.ts";
export {
  createOrganization,
  getOrganization,
  type ManagePorts,
  setSubscription,
} from "./admin/organizations.ts";
export { isApiKey } from "./keys/api-key.ts";
export { apiKeyDigest, type Pepper } from "./keys/api-key-digest.ts";
export { KEY_SCOPES, type KeyScope } from "./keys/key-scopes.ts";
export type { KeyMode } from "./ledger/scope.ts";
export type { SubscriptionStatus } from "./ledger/subscription.ts";
export type { Usage, UsageReport } from "./ledger/usage.ts";
export { findSqlitePath, openStore } from "./store/open-store.ts";
export type { OpenOptions } from "./store/port/open-options.ts";
export type * from "./store/port/port.ts";
export { StoreError, type StoreErrorCode } from "./store/port/store-error.ts";
export { assertPrivate, findLaxModes, type LaxMode } from "./store/sqlite/lax-modes.ts";
export { defaultPepperPath } from "./store/sqlite/state-file.ts";
