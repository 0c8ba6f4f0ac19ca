import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";
import { formatDefinition } from "../../packages/crs/src/format-definition.ts";
import { SYSTEMS } from "../../packages/crs/src/systems.ts";

/**
 * Builds proj4 with only the projections, datums and ellipsoids that our reference systems use, and without the readers
 * of WKT, MGRS and grid files, which our definitions do not need. proj4's own custom builds replace the list in
 * `projs.js` too.
 */
export function createProjectionsPlugin(): Plugin {
  return {
    name: "needed-projections",
    enforce: "pre",
    load: {
      filter: {
        id: /[\\/]node_modules[\\/](?:proj4[\\/](?:projs|lib[\\/](?:nadgrid|constants[\\/](?:Datum|Ellipsoid)))|wkt-parser[\\/]index|mgrs[\\/]mgrs)\.js$/,
      },
      handler: (id) => {
        if (id.endsWith("projs.js")) return keepNeededProjections(id);
        if (id.endsWith("Datum.js")) return keepNamedRows(id, /\+datum=(\w+)/);
        return id.endsWith("Ellipsoid.js") ? keepNamedRows(id, /\+ellps=(\w+)/) : UNREAD;
      },
    },
    // The range and accuracy of a shift are documentation for people who choose one.
    transform: {
      filter: { id: /[\\/]crs[\\/]src[\\/]systems\.json$/ },
      handler: (text) => text.replace(/"accuracy_m":[^,]+,"area":"[^"]*",/g, ""),
    },
  };
}

/** Projections that proj4 always includes. */
const BUILT_IN = ["longlat", "merc"];

/** The list reduced to the lines of needed projections. Fails: if one is in no line. */
function keepNeededProjections(list: string): string {
  const wanted = new Set(
    [...SYSTEMS.values()].map((system) => /\+proj=(\w+)/.exec(formatDefinition(system))![1]!),
  );
  const missing = new Set([...wanted].filter((name) => !BUILT_IN.includes(name)));
  const text = readFileSync(list, "utf8");
  const lines = [...text.matchAll(/import (\w+) from '(\.\/lib\/projections\/\w+)';/g)].filter(
    ([, , path]) => {
      // A file's name may differ from its projection's: `tmerc` is in etmerc.js.
      const file = readFileSync(join(dirname(list), `${path!}.js`), "utf8");
      const names = /export var names = \[(.*?)\]/s.exec(file)?.[1] ?? "";
      const found = [...wanted].filter((name) => names.includes(`'${name}'`));
      for (const name of found) missing.delete(name);
      return found.length > 0;
    },
  );
  if (missing.size > 0) throw new Error(`proj4 has no projection ${[...missing].join(", ")}`);
  const imports = lines.map(([line]) => line);
  const adds = lines.map(([, name]) => `proj4.Proj.projections.add(${name});`);
  return `${imports.join("\n")}\nexport default function (proj4) {\n${adds.join("\n")}\n}\n`;
}

/** The name that proj4 uses by default. */
const DEFAULT = "WGS84";

/** A table reduced to the rows that our definitions name. Fails: if one has no row. */
function keepNamedRows(path: string, name: RegExp): string {
  const named = [...SYSTEMS.values()].flatMap((system) => name.exec(formatDefinition(system))?.[1] ?? []);
  const wanted = new Set([DEFAULT, ...named].map((each) => each.toLowerCase()));
  const text = readFileSync(path, "utf8").replace(/^ {2}(\w+): \{[^}]*\},?\n/gm, (row, key: string) => {
    if (!wanted.delete(key.toLowerCase())) return "";
    return row.replace(/\}\n$/, "},\n");
  });
  if (wanted.size > 0) throw new Error(`proj4 has no ${[...wanted].join(", ")}`);
  return text;
}

const UNREAD = `
function unread() {
  throw new Error("this build of proj4 reads no WKT, no MGRS and no file of a grid");
}
export default unread;
export { unread as forward, unread as inverse, unread as toPoint };
export function getNadgrids(named) {
  return named === undefined ? null : unread();
}
`;
