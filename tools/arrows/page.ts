import { EXCEPTIONS, PACKAGES, type Package } from "./arrows.ts";

/** Packages whose folders have a table of their own on the page; those of the others share one. */
const LARGE: readonly string[] = ["packages/engine", "apps/api", "apps/cli", "apps/console"];

/** A page with every table between its markers written anew. Fails: an `Error` if a marker is missing. */
export function replacePageTables(page: string): string {
  return Object.entries(renderPackageTables()).reduce((text, [name, table]) => {
    const pattern = new RegExp(`(<!-- arrows: ${name} -->\n)[^]*?(<!-- end of arrows -->)`);
    if (!pattern.test(text)) throw new Error(`ARCHITECTURE.md has no marker <!-- arrows: ${name} -->`);
    return text.replace(pattern, (_, start: string, end: string) => `${start}\n${table}\n${end}`);
  }, page);
}

function renderPackageTables(): Record<string, string> {
  const small = Object.entries(PACKAGES).filter(
    ([path, { folders }]) => folders !== undefined && !LARGE.includes(path),
  );
  return {
    packages: table(
      ["Package", "What it owns", "Imports"],
      Object.entries(PACKAGES).map(([path, owner]) => [
        code(path),
        owner.owns,
        list(listImportedPackages(owner)),
      ]),
    ),
    ...Object.fromEntries(LARGE.map((path) => [path, renderFolderTable(PACKAGES[path]!)])),
    "other packages": table(
      ["Package", "Folder or file", "Imports"],
      small.flatMap(([path, { folders }]) =>
        Object.entries(folders!).map(([name, { imports }], i) => [
          i === 0 ? code(path) : "",
          code(shown(name)),
          list(imports.map(shown)),
        ]),
      ),
    ),
    exceptions:
      EXCEPTIONS.length === 0
        ? "There is none.\n"
        : table(
            ["From", "To", "Why"],
            EXCEPTIONS.map(({ from, to, why }) => [code(from), code(to), why]),
          ),
  };
}

function renderFolderTable({ folders = {} }: Package): string {
  const entries = Object.entries(folders);
  const withPackages = entries.some(([, folder]) => folder.packages !== undefined);
  return table(
    ["Folder or file", "What it owns", "Imports", ...(withPackages ? ["Packages of ours"] : [])],
    entries.map(([name, { owns = "", imports, packages }]) => [
      code(shown(name)),
      owns,
      list(imports.map(shown)),
      ...(withPackages ? [list(packages ?? [])] : []),
    ]),
  );
}

/** Packages that a package imports, or any of its folders. */
function listImportedPackages({ imports, folders = {} }: Package): string[] {
  const all = [...imports, ...Object.values(folders).flatMap(({ packages = [] }) => packages)];
  return [...new Set(all)];
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");

const code = (text: string): string => `\`${text}\``;
const list = (names: readonly string[]): string => names.map(code).join(", ");
/** The name of `.` on the page. */
const shown = (name: string): string => (name === "." ? "*.ts" : name);
