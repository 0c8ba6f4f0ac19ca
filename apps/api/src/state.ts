/** The service's state without HTTP, for commands that manage it. */
export { isApiKey, type KeyMode } from "./api-key.ts";
export { apiKeyDigest, type Pepper } from "./api-key-digest.ts";
export * from "./manage.ts";
export { openPepper } from "./open-pepper.ts";
export { openStore } from "./store/open-store.ts";
export type * from "./store/port.ts";
export { StoreError, type StoreErrorCode } from "./store/store-error.ts";
