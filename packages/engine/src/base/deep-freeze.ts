/**
 * Freezes plain data all through: objects, arrays, and what they hold. What is frozen already is left alone,
 * and so are the `coordinates` of a geometry: every answer has its own, and an array of numbers costs several
 * times as much to make and to write as JSON when it is frozen.
 */
export function deepFreeze<Value>(value: Value): Value {
  if (isOpen(value)) freezeTree(value);
  return value;
}

function freezeTree(tree: object): void {
  if (Array.isArray(tree)) for (const item of tree) deepFreeze(item);
  else {
    for (const name of Object.keys(tree)) {
      const member = (tree as Readonly<Record<string, unknown>>)[name];
      if (name !== "coordinates" || !Array.isArray(member)) deepFreeze(member);
    }
  }
  Object.freeze(tree);
}

function isOpen(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Object.isFrozen(value);
}
