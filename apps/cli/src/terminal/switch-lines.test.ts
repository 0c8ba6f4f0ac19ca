import { rmSync, writeFileSync } from "node:fs";
import { installEdition, openData, removeSource, setGroup } from "@groundrule/node";
import { formatEditionPath } from "@groundrule/node/internal";
import { createFolderForEach } from "@groundrule/testing/folder";
import { createBoxSource } from "@groundrule/testing/small-sources";
import { beforeEach, expect, it } from "vitest";
import { formatSwitchLines } from "./switch-lines.ts";

const { at } = createFolderForEach();
beforeEach(async () => {
  await installEdition(at(), createBoxSource("demo:parks", { a: [0, 0, 2, 2] }));
  await installEdition(at(), createBoxSource("demo:lands", { b: [1, 0, 2, 2] }));
  await setGroup(at(), "demo", ["demo:parks"]);
});

it("names each source that is new, another edition or gone, with its digests, and each group that changed", async () => {
  const data = openData(at());
  const before = data.current;
  const [lands, parks] = [...before.editions.values()];
  await installEdition(at(), createBoxSource("demo:parks", { a: [0, 0, 3, 3] }));
  await installEdition(at(), createBoxSource("demo:towns", { c: [5, 5, 6, 6] }));
  await setGroup(at(), "demo", ["demo:towns"]);
  await setGroup(at(), "all", ["demo:parks", "demo:towns"]);
  await removeSource(at(), "demo:lands");
  data.reload();
  const after = data.current;
  const between = after.editions.get("demo:parks");
  expect(formatSwitchLines(before, after)).toEqual([
    `no longer uses demo:lands ${lands}`,
    `now uses demo:parks ${between} instead of ${parks}`,
    `now uses the new source demo:towns ${after.editions.get("demo:towns")}`,
    "has a new group all of demo:parks, demo:towns",
    "its group demo now has demo:towns and no longer has demo:parks",
  ]);
  expect(formatSwitchLines(after, before)).toContain(
    "no longer has the group all, whose members were demo:parks, demo:towns",
  );
  expect(between).toMatch(/^[0-9a-f]{64}$/);
});

it("names a source whose file cannot be used any more, and that can again", () => {
  const data = openData(at());
  const before = data.current;
  const parks = before.editions.get("demo:parks")!;
  const path = formatEditionPath(at(), "demo:parks", parks);
  rmSync(path);
  data.reload();
  const broken = data.current;
  expect(formatSwitchLines(before, broken)).toEqual([
    `cannot use demo:parks ${parks}: the file of its edition is missing`,
  ]);
  expect(formatSwitchLines(broken, before)).toEqual([`can use demo:parks ${parks} again`]);
  writeFileSync(path, "");
  data.reload();
  expect(formatSwitchLines(broken, data.current)).toEqual([
    expect.stringMatching(
      new RegExp(`^cannot use demo:parks ${parks}: (?!the file of its edition is missing)`),
    ),
  ]);
});

it("reports that nothing changed", () => {
  const { current } = openData(at());
  expect(formatSwitchLines(current, current)).toEqual([
    "opened its data folder again; editions and groups have not changed",
  ]);
});
