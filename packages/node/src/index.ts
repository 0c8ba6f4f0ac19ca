export * from "./catalog.ts";
export * from "./data-error.ts";
export * from "./install-edition.ts";
export * from "./list-sources.ts";
export * from "./open-data.ts";
export * from "./read-shared.ts";
