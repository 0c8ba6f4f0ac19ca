let last: { readonly text: string; readonly value: unknown } | undefined;

/** The value of a text; while it is no JSON, the last that was, for what is being typed is about that. */
export function parseRulesetValue(text: string): unknown {
  if (last?.text === text) return last.value;
  try {
    const value: unknown = JSON.parse(text);
    last = { text, value };
    return value;
  } catch {
    return last?.value;
  }
}
