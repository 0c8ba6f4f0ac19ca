// Writes the API reference of the published packages from their docstrings (docs/decisions/tests-and-tools.md).
// With --check it writes nothing. Exits 1 when a docstring is missing, and prints where.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, type ProjectReflection } from "typedoc";
import { findDocstringGaps } from "./gaps.ts";
import { createFailuresLookup } from "./throws.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const out = join(root, "docs/reference");

const entries = listPublishedEntries();
const app = await Application.bootstrap({
  name: "groundrule",
  entryPoints: entries.map(({ file }) => file),
  tsconfig: fileURLToPath(new URL("tsconfig.json", import.meta.url)),
  skipErrorChecking: true, // `npm run typecheck` checks; here the packages share one program
  out,
  readme: "none",
  disableGit: true,
  sourceLinkTemplate: "../../../{path}#L{line}",
  excludePrivate: true,
  excludeInternal: true,
  githubPages: false,
  sort: ["source-order"],
  validation: { notExported: true, invalidLink: true, invalidPath: true, rewrittenLink: true },
  treatValidationWarningsAsErrors: false,
  logLevel: "Warn",
});
const points = app.getEntryPoints() ?? [];
const project = await app.convert();
if (project === undefined) throw new Error("the sources do not compile");
nameModulesByImport(project);

const { program } = points[0]!;
const gaps = findDocstringGaps(project, program, createFailuresLookup(program, `${root}packages/`));
for (const { name, file, line, lacks } of gaps) {
  console.log(`${relative(root, file)}:${line} ${name}: ${lacks}`);
}
console.log(
  `${entries.length} entry points, ${gaps.length} gap${gaps.length === 1 ? "" : "s"} in their docstrings`,
);

if (gaps.length > 0) process.exitCode = 1;
else if (!process.argv.includes("--check")) {
  await app.generateDocs(project, out);
  console.log(`written to ${relative(root, out)}/index.html`);
}

/** The entry points of the packages that are published, as their `exports` name them; `./internal` is for no reader, and texts are their own description. */
function listPublishedEntries(): { readonly name: string; readonly file: string }[] {
  // A name that several entries export is described under the first: the client passes on types of others.
  const isClient = (path: string): number => Number(path.includes("client"));
  return globSync("packages/*/package.json", { cwd: root })
    .sort((a, b) => isClient(a) - isClient(b) || (a < b ? -1 : 1))
    .flatMap((path) => {
      const { name, private: own, exports } = JSON.parse(readFileSync(join(root, path), "utf8"));
      if (own === true || path.includes("packages/words")) return [];
      return Object.entries<string>(exports)
        .filter(([entry, file]) => file.endsWith(".ts") && !entry.startsWith("./internal"))
        .map(([entry, file]) => ({ name: join(name, entry), file: resolve(root, dirname(path), file) }));
    });
}

/** A module of the reference is called what it is imported by. */
function nameModulesByImport({ children = [] }: ProjectReflection): void {
  for (const module of children) {
    const entry = entries.find(({ file }) => file === module.sources?.[0]?.fullFileName);
    if (entry !== undefined) module.name = entry.name;
  }
}
