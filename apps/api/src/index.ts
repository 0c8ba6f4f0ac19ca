export type { Preset } from "./catalog/ruleset-catalog.ts";
export {
  type Charging,
  type ChargingSettings,
  createCharging,
  DEFAULT_CHARGING,
} from "./charging/charging.ts";
export { type AppOptions, createApp } from "./http/app.ts";
export type { Caller } from "./http/exchange/caller.ts";
export { originFault } from "./http/exchange/cors.ts";
export type { ApiEnv } from "./http/exchange/env.ts";
export { DEFAULT_OUTBOX, type OutboxLimits } from "./http/exchange/outbox.ts";
export type { KeyRing, KeyStatus } from "./http/gates/authenticate.ts";
export type { BurstLimit } from "./http/gates/limit-bursts.ts";
export { type Admission, DEFAULT_ADMISSION } from "./http/gates/shed-load.ts";
export { DEFAULT_UNKNOWN_KEYS, StoreKeyRing } from "./http/gates/store-key-ring.ts";
export type { RequestEvent } from "./http/monitoring/metrics.ts";
export { type ServiceLog, serviceLog } from "./http/monitoring/request-log.ts";
export { openApiDocument } from "./http/openapi/document.ts";
export type { ConsoleConfig, ConsoleOptions, ConsoleStyle, ConsoleTiles } from "./http/operations/console.ts";
export type { DataTrouble } from "./http/operations/record/service-parts.ts";
export { type RunningServer, type ServeOptions, startServer } from "./http/serve.ts";
export { isApiKey, mintApiKey } from "./keys/api-key.ts";
export type { Pepper } from "./keys/api-key-digest.ts";
export { DEFAULT_HOLDING_LIMITS, type HoldingLimits } from "./ledger/holdings.ts";
export type { KeyMode } from "./ledger/scope.ts";
