import { findNearestName } from "@groundrule/engine/internal/json";

/**
 * The path that an unknown one most likely meant: without a slash at its end, with the version, or with a name
 * spelled right; undefined where none is near.
 *
 * @param templates of the routes, such as `/v1/rulesets/:name`
 */
export function suggestNearestPath(path: string, templates: readonly string[]): string | undefined {
  const words = path.split("/").filter((word, i, all) => word !== "" && word !== all[i - 1]);
  const [first = ""] = words;
  const versioned = /^(?:api|v\d+)$/i.test(first) ? ["v1", ...words.slice(1)] : ["v1", ...words];
  for (const candidate of [words, versioned]) {
    const written = `/${candidate.join("/")}`;
    const filled = templates.flatMap((template) => fillPathTemplate(template, candidate) ?? []);
    const same = filled.find((each) => each.toLowerCase() === written.toLowerCase());
    const meant = same ?? (written.length <= LENGTH_MAX ? findNearestName(written, filled) : undefined);
    if (meant !== undefined && meant !== path) return meant;
  }
  return undefined;
}

/** A name is compared with every path, before anything else is known of a caller. */
const LENGTH_MAX = 64;

/** A template with the parameters that a path has in their places; undefined if the path is not near it. */
function fillPathTemplate(template: string, words: readonly string[]): string | undefined {
  if (!template.includes(":")) return template;
  const parts = template.slice(1).split("/");
  const isNear = parts.every(
    (part, i) => part.startsWith(":") || findNearestName(words[i] ?? "", [part]) === part,
  );
  if (!isNear || parts.length !== words.length) return undefined;
  return `/${parts.map((part, i) => (part.startsWith(":") ? words[i] : part)).join("/")}`;
}
