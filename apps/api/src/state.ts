/** The service's state without HTTP, for commands that manage it. */

export * from "./admin/manage.ts";
export { openPepper, type PepperOptions, pepperTrouble } from "./admin/open-pepper.ts";
export { isApiKey, type KeyMode } from "./keys/api-key.ts";
export { apiKeyDigest, type Pepper } from "./keys/api-key-digest.ts";
export { type OpenOptions, openStore, sqlitePathOf } from "./store/open-store.ts";
export type * from "./store/port/port.ts";
export { StoreError, type StoreErrorCode } from "./store/port/store-error.ts";
export { findLaxModes, type LaxMode } from "./store/sqlite/lax-modes.ts";
export { pepperBeside } from "./store/sqlite/state-file.ts";
