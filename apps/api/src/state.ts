/** The service's state without HTTP, for commands that manage it. */
export { isApiKey, type KeyMode } from "./api-key.ts";
export { apiKeyDigest, type Pepper } from "./api-key-digest.ts";
export * from "./manage.ts";
export { openPepper, type PepperOptions, pepperTrouble } from "./open-pepper.ts";
export { type OpenOptions, openStore, sqlitePathOf } from "./store/open-store.ts";
export type * from "./store/port.ts";
export { findLaxModes, type LaxMode } from "./store/sqlite/lax-modes.ts";
export { pepperBeside } from "./store/sqlite/state-file.ts";
export { StoreError, type StoreErrorCode } from "./store/store-error.ts";
