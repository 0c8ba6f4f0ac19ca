/** Freezes plain data all through: objects, arrays, and what they hold. What is frozen already is left alone. */
export function deepFreeze<Value>(value: Value): Value {
  if (isOpen(value)) freezeTree(value);
  return value;
}

function freezeTree(tree: object): void {
  if (Array.isArray(tree)) for (const item of tree) deepFreeze(item);
  else for (const name of Object.keys(tree)) deepFreeze((tree as Readonly<Record<string, unknown>>)[name]);
  Object.freeze(tree);
}

function isOpen(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Object.isFrozen(value);
}
