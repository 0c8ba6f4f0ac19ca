/** The tests that a preset comes with, which are loaded together; undefined where it has none. */
export async function presetTests(preset: string): Promise<string | undefined> {
  const { PRESET_TESTS } = await import("./preset-test-texts.ts");
  return PRESET_TESTS[`../../../../data/rulesets/${preset}.test.yaml`];
}
