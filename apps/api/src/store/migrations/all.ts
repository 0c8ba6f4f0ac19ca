import { migration as state } from "./0008-state.ts";
import type { Migration } from "./migrate.ts";

/**
 * In order. A migration that was released is never edited, and none takes away what the release
 * before it uses, so that both can run side by side during a deployment.
 */
export const MIGRATIONS: readonly Migration[] = [state];
