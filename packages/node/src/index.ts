export * from "./catalog.ts";
export * from "./data-error.ts";
export * from "./install-edition.ts";
export * from "./list-sources.ts";
