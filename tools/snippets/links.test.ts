import { existsSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { expect, it } from "vitest";
import { listRepositoryFiles, REPOSITORY as repository } from "../machine/repository.ts";
import { withoutFences } from "./fences.ts";

const ON_GITHUB = "https://github.com/groundrule/groundrule/blob/main/";

const tracked = listRepositoryFiles();
const pages = tracked.filter((file) => file.endsWith(".md"));
/** The walk through the code in the order in which it runs. */
const WALK = "docs/one-plot.md";
const textOf = (file: string): string => readFileSync(join(repository, file), "utf8");

/** Brackets in fences are no links, and their `#` begin no headings. */
const proseOf = (page: string): string => withoutFences(textOf(page));

/** Names on a page in backticks. */
const namesOn = (page: string): string[] =>
  [...proseOf(page).matchAll(/`([\w#$.@/-]+)`/g)].map(([, name]) => name!);

/** The files with that name, or in a folder of that name. */
const filesOf = (name: string): string[] =>
  tracked.filter((file) => `/${file}`.endsWith(`/${name}`) || file.startsWith(`${name}/`));

/** The anchors that GitHub gives to the headings of a page. */
function listAnchors(page: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of proseOf(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = heading!
      .replaceAll(/`|\*\*|\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    let name = anchor;
    for (let count = 1; anchors.has(name); count++) name = `${anchor}-${count}`;
    anchors.add(name);
  }
  return anchors;
}

it("leads to a file, and to a heading of it, with every link of every page", () => {
  const broken: string[] = [];
  for (const page of pages) {
    for (const [, href] of proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      const path = href!.startsWith(ON_GITHUB) ? `/${href!.slice(ON_GITHUB.length)}` : href!;
      if (/^[a-z]+:/.test(path)) continue;
      const [file = "", anchor] = path.split("#");
      const target = file === "" ? page : posix.join(file.startsWith("/") ? "." : dirname(page), file);
      const found = existsSync(join(repository, target));
      const lacksHeading = anchor !== undefined && target.endsWith(".md") && !listAnchors(target).has(anchor);
      if (!found || lacksHeading) broken.push(`${page}: ${href}`);
    }
  }
  expect(broken).toEqual([]);
});

it("names only pages that exist, wherever code speaks of a page of docs", () => {
  const broken: string[] = [];
  for (const file of tracked) {
    if (!/\.(ts|tsx|mjs|grit|yaml|yml|service|py|sh)$/.test(file)) continue;
    for (const [path] of textOf(file).matchAll(
      /docs\/(?:decisions|guides|formats|presets|semantics)\/[a-z0-9-]+\.md/g,
    )) {
      if (!existsSync(join(repository, path))) broken.push(`${file}: ${path}`);
    }
  }
  expect(broken).toEqual([]);
});

it("names only files and folders that exist, on the pages that lead through the code", () => {
  const broken = ["ARCHITECTURE.md", WALK].flatMap((page) =>
    namesOn(page)
      .filter((name) => /\w\.(ts|tsx|mjs|grit|json|md)$|^(packages|apps|docs|tools)\//.test(name))
      .filter((name) => filesOf(name).length === 0)
      .map((name) => `${page}: ${name}`),
  );
  expect(broken).toEqual([]);
});

it("walks through at most 50 files of code, and names only functions, types and members of these", () => {
  const walked = namesOn(WALK).filter((name) => name.endsWith(".ts"));
  expect(new Set(walked).size).toBeLessThanOrEqual(50);
  const code = walked.flatMap(filesOf);
  const words = new Set([...new Set(code)].flatMap((file) => textOf(file).match(/#?[\w$]+/g) ?? []));
  const names = namesOn(WALK).filter((name) => /^#?[a-z]+[A-Z]\w*$|^[A-Z]\w+$|^#?[a-z]+$/.test(name));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});
