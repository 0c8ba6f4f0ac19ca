/** Freezes plain data all through: objects, arrays, and what they hold. What is frozen already is left alone. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) for (const item of value) deepFreeze(item);
  else for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
