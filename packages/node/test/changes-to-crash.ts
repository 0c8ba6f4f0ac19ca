import { createBoxSource } from "@groundrule/testing/small-sources";
import { installEdition } from "../src/editions/install-edition.ts";
import { resolveEdition } from "../src/editions/list-editions.ts";
import { pruneEditions } from "../src/editions/prune-editions.ts";
import { removeSource } from "../src/editions/remove-edition.ts";
import { releasePin, useEdition } from "../src/editions/use-edition.ts";

export const NAME = "demo:parks";

/** Installs an edition with `count` boxes, on the day of January with that number. */
export async function installBoxes(dir: string, count: number): Promise<void> {
  const boxes = Array.from({ length: count }, (_, i) => [`b${i}`, [2 * i, 0, 2 * i + 1, 1]]);
  const notes = { left_out: 0, built_at: `2026-01-0${count}T00:00:00Z` };
  await installEdition(dir, createBoxSource(NAME, Object.fromEntries(boxes)), notes);
}

/** A data folder with three editions. */
export async function installThreeEditions(dir: string): Promise<void> {
  for (const count of [2, 3, 4]) await installBoxes(dir, count);
}

/** Changes to interrupt, by name, each on a folder that `prepare` made. */
export const CHANGES: Readonly<Record<string, (dir: string) => Promise<unknown>>> = {
  install: (dir) => installBoxes(dir, 5),
  use: (dir) => useEdition(dir, NAME, resolveEdition(dir, NAME, "previous"), { pin: true }),
  "use and release": async (dir) => {
    await useEdition(dir, NAME, resolveEdition(dir, NAME, "previous"), { pin: true });
    await releasePin(dir, NAME);
  },
  prune: (dir) => pruneEditions(dir, { keep: 1, isNeeded: () => false }),
  remove: (dir) => removeSource(dir, NAME),
};
