import type { Setting } from "../src/settings/setting.ts";
import { SETTINGS } from "../src/settings/settings.ts";

const BEGIN = "<!-- settings: npm run tool -- write-settings writes this table -->";
const END = "<!-- end of settings -->";

/** The operator's guide with the table of settings as the code has it. Fails: an `Error` for a page without its place. */
export function withSettingsTable(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`the page has no "${BEGIN}" before "${END}"`);
  return `${page.slice(0, begin)}${BEGIN}\n\n${formatSettingsTable()}\n\n${page.slice(end)}`;
}

function formatSettingsTable(): string {
  const rows = Object.values(SETTINGS).map((setting) => [
    `\`${setting.name}\``,
    formatMarkdownCell(setting.help),
    formatSettingValues(setting),
    formatMarkdownCell(String(setting.standard ?? setting.fallback ?? "–")),
  ]);
  return formatMarkdownTable([["Setting", "What it is", "Values", "Default"], ...rows]);
}

function formatSettingValues({ kind, placeholder }: Setting): string {
  if (kind.type === "choice") return kind.choices.join(", ");
  if (kind.type !== "number") return WORDS[placeholder] ?? "text";
  const range = `${kind.least.toLocaleString("en")} to ${kind.most.toLocaleString("en")}`;
  return kind.whole ? range : `${range}, with decimals`;
}

const WORDS: Readonly<Record<string, string>> = { DIR: "a folder", FILE: "a file", URL: "a URL" };

function formatMarkdownCell(text: string): string {
  return text
    .replaceAll("<data>", "DATA")
    .replaceAll("|", "\\|")
    .replaceAll(/--([a-z-]+)/g, (_, option: string) => `\`${option.replaceAll("-", "_")}\``);
}

function formatMarkdownTable([titles, ...rows]: readonly (readonly string[])[]): string {
  const rule = titles!.map(() => "---");
  return [titles!, rule, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
