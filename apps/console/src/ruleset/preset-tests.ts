const FILES = import.meta.glob<string>("../../../../data/rulesets/*.test.yaml", {
  query: "?raw",
  import: "default",
});

/** The tests that a preset comes with, each file loaded when it is asked for; undefined where it has none. */
export async function presetTests(preset: string): Promise<string | undefined> {
  return FILES[`../../../../data/rulesets/${preset}.test.yaml`]?.();
}
