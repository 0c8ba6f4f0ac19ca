/** Maximum columns of a line. */
const WIDTH = 100;

/** JSON for people to read and edit: a value that fits on a line is on one line. */
export function jsonText(value: unknown): string {
  return textAfter("", value, "");
}

/** @param before text before the value on its line, without the indent: the name of a member */
function textAfter(before: string, value: unknown, indent: string): string {
  const line = before + oneLine(value);
  // A comma may follow.
  if (typeof value !== "object" || value === null || indent.length + line.length < WIDTH) return line;
  const inner = `${indent}  `;
  const isArray = Array.isArray(value);
  const parts = isArray
    ? value.map((item) => textAfter("", item, inner))
    : Object.entries(value).map(([name, member]) => textAfter(`${JSON.stringify(name)}: `, member, inner));
  const [open, close] = isArray ? "[]" : "{}";
  return `${before}${open}\n${parts.map((part) => inner + part).join(",\n")}\n${indent}${close}`;
}

function oneLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
