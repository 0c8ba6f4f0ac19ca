// Checks the openings of comments and the words of names; `npm run lint` runs it. With `--count` it prints their numbers
// by folder, with `--list` the places too, and with `--root FOLDER` those of another checkout.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { listRepositoryFiles, REPOSITORY } from "../machine/repository.ts";
import { findEnglishFaults } from "./check.ts";
import { findTextPlaces, type Place } from "./find-places.ts";

const { values } = parseArgs({
  options: { count: { type: "boolean" }, list: { type: "boolean" }, root: { type: "string" } },
});
const root = resolve(values.root ?? REPOSITORY);
const files = listRepositoryFiles([":!fixtures/0.2.0", ":!pnpm-lock.yaml"], root).filter((file) =>
  /\.(?:[cm]?[jt]sx?|css|py|ya?ml)$/.test(file),
);
const places = files.flatMap((file) => findTextPlaces(file, readFileSync(join(root, file), "utf8")));

if (values.list === true)
  for (const { file, line, kind, text } of places) console.log(`${kind} ${file}:${line} ${text}`);
if (values.count === true || values.list === true) printPlaceCounts(places);
else {
  const faults = findEnglishFaults(places);
  for (const fault of faults) console.error(fault);
  console.log(`Comments and names of ${files.length} files checked: ${faults.length} faults.`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

function printPlaceCounts(all: readonly Place[]): void {
  const folders = Map.groupBy(all, ({ file }) => /^(?:(?:packages|apps)\/)?[^/]+/.exec(file)![0]);
  const row = (name: string, some: readonly Place[]): void => {
    const count = (kind: Place["kind"]): string =>
      String(some.filter((place) => place.kind === kind).length).padStart(9);
    console.log(`${name.padEnd(24)}${count("opening")}${count("word")}${count("of")}`);
  };
  console.log(`${"".padEnd(24)}${["openings", "words", "...Of"].map((title) => title.padStart(9)).join("")}`);
  for (const [name, some] of folders) row(name, some);
  row("all", all);
}
