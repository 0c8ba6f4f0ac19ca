import { isObject } from "../../base/is-object.ts";

/**
 * The CRS that a `crs` member names, in the form of GeoJSON 2008 or one that came before it: a text; `{"type": "EPSG",
 * "properties": {"code": n}}`; a name, code or URN under whatever type. A link is not followed: it counts where its path
 * names an EPSG code.
 *
 * @returns the name and its JSON pointer in the member; undefined where it names nothing
 */
export function readCrsMember(crs: unknown): { readonly name: string; readonly pointer: string } | undefined {
  const alone = readCrsName(crs);
  if (alone !== undefined) return { name: alone, pointer: "" };
  const properties = isObject(crs) ? crs.properties : undefined;
  if (!isObject(properties)) return undefined;
  for (const key of ["name", "code", "urn", "href", "url"]) {
    const value = properties[key];
    const name = key === "href" || key === "url" ? nameOfLink(value) : readCrsName(value);
    if (name !== undefined) return { name, pointer: `/properties/${key}` };
  }
  return undefined;
}

/** A text, or a code alone, which is one of the EPSG registry. */
function readCrsName(value: unknown): string | undefined {
  const isCode =
    (typeof value === "number" && Number.isInteger(value) && value >= 1000) ||
    (typeof value === "string" && /^[1-9]\d{3,5}$/.test(value));
  if (isCode) return `EPSG:${value}`;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function nameOfLink(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const [path] = value.split("?");
  const [, code] = EPSG_IN_PATH.exec(path!) ?? [];
  return code === undefined ? undefined : `EPSG:${code}`;
}

const EPSG_IN_PATH = /\bepsg(?:\.io|\.xml)?[/:#._-](?:[\d.]+\/|:)?([1-9]\d{3,5})(?!\d)/i;
