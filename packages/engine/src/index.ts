export type * from "./engine.ts";
export * from "./errors.ts";
export type * from "./geometry/kernel.ts";
export type * from "./geometry/plot.ts";
export type * from "./ruleset/schema.ts";
export type * from "./snapshot/layer.ts";
export * from "./snapshot/manifest.ts";
export type * from "./snapshot/snapshot.ts";
export type * from "./verdict/verdict.ts";
