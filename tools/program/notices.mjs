import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const LICENCES = new Set([
  "(MIT AND Zlib)",
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "Unlicense",
]);
/** Corrections of licence names that do not exist. */
const MEANT = { "BDS-3-Clause": "BSD-3-Clause" };
const NOTICE = /^(?:licen[cs]e|notice|copying)/i;

/**
 * The names, versions and licences of the packages whose files these are, with the texts that have to travel along.
 *
 * Fails: where a package has no licence that may be shipped with the program.
 *
 * @param files paths; those outside of any `node_modules` are ours and count for nothing
 */
export function buildThirdPartyNotices(files) {
  const folders = new Set(files.filter((file) => file.includes("/node_modules/")).map(findPackageFolder));
  const packages = [...folders].map(describePackageLicence).sort((a, b) => (a.title < b.title ? -1 : 1));
  const unique = packages.filter(({ title }, i) => title !== packages[i - 1]?.title);
  const head = "The program contains code and data of the packages below, each under its own licence.\n";
  return [head, ...unique.map(({ text }) => text)].join(`\n${"-".repeat(80)}\n\n`);
}

function findPackageFolder(file) {
  let folder = dirname(file.replace(/^\0/, "").replace(/[?#].*$/, ""));
  for (;;) {
    const manifest = join(folder, "package.json");
    // Some packages have manifests without a name, which only say how their files are read.
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version !== undefined)
      return folder;
    if (folder === dirname(folder)) throw new Error(`${file} belongs to no package`);
    folder = dirname(folder);
  }
}

function describePackageLicence(folder) {
  const {
    name,
    version,
    license: said,
    author,
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const license = MEANT[said] ?? said;
  if (!LICENCES.has(license))
    throw new Error(
      `${name} ${version} has licence ${JSON.stringify(license)}; look whether it may be shipped`,
    );
  const by = typeof author === "string" ? author : author?.name;
  const files = readdirSync(folder)
    .filter((file) => NOTICE.test(file))
    .sort();
  const texts = files.map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  const title = `${name} ${version}`;
  const heading = `${title} (${license})${by === undefined ? "" : `, by ${by}`}`;
  return { title, text: `${[heading, ...texts].join("\n\n")}\n` };
}
