export { Answerer } from "./answerer.ts";
export type { BodyReading, ReadBody } from "./body/answerer-host.ts";
export { type AnswererHost, plainHost } from "./body/answerer-host.ts";
export { CHECK_RULESET_PATH } from "./questions/check-ruleset.ts";
export { VALIDATE_PATH } from "./questions/validate.ts";
export type { BodyResult, BodyTask, PlainRefusal, SavedBody, SentBody } from "./task/body-task.ts";
export { TILES_PATH, type TileQuery } from "./tiles/cut-source-tile.ts";
