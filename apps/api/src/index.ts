export { isApiKey, type KeyMode, mintApiKey } from "./api-key.ts";
export { type AppOptions, createApp } from "./app.ts";
export { type EngineHost, type EngineQuestions, hostInProcess } from "./engine-host.ts";
export type { ApiEnv } from "./env.ts";
export { type Caller, type KeyRing, type KeyStanding, singleKeyRing } from "./gates/authenticate.ts";
export { hostInWorkers } from "./host-in-workers.ts";
export { openApiDocument } from "./openapi.ts";
export { Refusal, type RefusalExtras } from "./refusal.ts";
export { type RunningServer, type ServeOptions, startServer } from "./serve.ts";
