import {
  type AnyShape,
  choice,
  describedAs,
  type JsonSchema,
  number,
  object,
  optional,
  type Shape,
  text,
  toJsonSchema,
} from "@groundrule/engine/internal";
import { formatSettingHelp, type Setting, type SettingKind, type SettingValue } from "./setting.ts";
import { SETTINGS } from "./settings.ts";

type Values = Readonly<Record<string, SettingValue | undefined>>;

/** The shape of groundrule.yaml. */
export function createConfigShape(): Shape<Values> {
  const members = Object.values(SETTINGS).map((setting) => [
    setting.name,
    optional(
      createSettingShape(setting.kind) as Shape<SettingValue>,
      `${formatHelpSentence(formatSettingHelp(setting))} ${describeOtherWays(setting)}`,
    ),
  ]);
  return object<Values>(Object.fromEntries(members), { words: "settings such as port: 8080" });
}

/** JSON Schema (2020-12) of groundrule.yaml, for editors. */
export function createConfigJsonSchema(): JsonSchema {
  const { schema } = toJsonSchema(describedAs(createConfigShape(), "Settings of the groundrule command."));
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: "groundrule.yaml", ...schema };
}

function createSettingShape(kind: SettingKind): AnyShape {
  switch (kind.type) {
    case "number":
      return number({ min: kind.least, max: kind.most, ...(kind.whole && { whole: true }) });
    case "choice":
      return choice(...kind.choices);
    default:
      return text({ min: 1, max: 4_096 });
  }
}

function formatHelpSentence(help: string): string {
  return `${help[0]!.toUpperCase()}${help.slice(1)}.`;
}

function describeOtherWays({ option, variable }: Setting): string {
  return `Also --${option} and ${variable}.`;
}
