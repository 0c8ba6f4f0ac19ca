import { relative, sep } from "node:path";

/** The folder of the program with files of other packages, each under its package's name. */
export const ASSETS = "assets";

const REQUIRE = "\0files-of-packages";

/** The program's version of `createRequire`: files of packages, which are found without any `node_modules`. */
const REQUIRE_CODE = `
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
export * from "node:module";
const resolve = (name) => fileURLToPath(new URL("./${ASSETS}/" + name, import.meta.url));
export function createRequire() {
  return Object.assign((name) => JSON.parse(readFileSync(resolve(name), "utf8")), { resolve });
}
`;

/**
 * A plugin of rolldown. A module of ours that asks where it is gets the place that its source has in the
 * repository, below the folder of the program: all modules are in files of that folder, and the files that they
 * read keep their places.
 *
 * @param root the folder of the repository
 */
export function createPlacedModulesPlugin(root) {
  const isOurs = (file) => file.startsWith(root) && !file.includes(`${sep}node_modules${sep}`);
  return {
    name: "placed-modules",
    resolveId(name, importer) {
      return name === "node:module" && importer !== undefined && isOurs(importer) ? REQUIRE : undefined;
    },
    load(id) {
      return id === REQUIRE ? REQUIRE_CODE : undefined;
    },
    transform(code, id) {
      if (!isOurs(id) || !code.includes("import.meta")) return undefined;
      const place = relative(root, id).replaceAll("\\", "/").replace(/\.ts$/, ".js");
      return code.replaceAll(/\bimport\.meta\.(\w+)/g, (_, member) => {
        if (member !== "url")
          throw new Error(`${id} reads import.meta.${member}; only its url has a place in the program`);
        return `new URL(${JSON.stringify(`./${place}`)}, import.meta.url).href`;
      });
    },
  };
}
