import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMON_OPTIONS } from "../../apps/cli/src/command-line/command-line.ts";
import { formatCommandPage } from "../../apps/cli/src/command-line/help.ts";
import { COMMANDS } from "../../apps/cli/src/commands.ts";
import { REPOSITORY } from "../machine/repository.ts";
import { checkMention, parseMention } from "./check-printed.ts";
import { findPrintedCommands, type PrintedCommand, readFilesForPeople } from "./printed-commands.ts";

const files = readFilesForPeople();
const printed = files.flatMap(findPrintedCommands);
const commands = await Promise.all(COMMANDS.map(({ load }) => load()));

/** Fault of a mention; undefined if there is none. */
async function findFault(command: PrintedCommand): Promise<string | undefined> {
  try {
    const mention = await parseMention(command);
    if (mention !== undefined) checkMention(mention);
    return undefined;
  } catch (error) {
    return `${command.place}: ${(error as Error).message}`;
  }
}

const faultsIn = async (file: string, content: string): Promise<(string | undefined)[]> =>
  Promise.all(findPrintedCommands({ file, content }).map(findFault));

describe("commands in messages, findings, help, pages and what operators copy", () => {
  it("are taken as they stand, by the parser of the command", async () => {
    expect(printed.length).toBeGreaterThan(250);
    for (const place of [
      "apps/cli/src/data/allow-option.ts",
      "packages/plots/src/finding-codes.ts",
      "docs/errors.md",
    ])
      expect(printed.some((command) => command.place.startsWith(place))).toBe(true);
    const faults = await Promise.all(printed.map(findFault));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
  });

  it.each([
    ["a.ts", 'say("run groundrule source list for more");', 'there is no command "source list"'],
    ["a.ts", `\`pinned; groundrule sources use \${name} makes it current\``, "NAME EDITION is missing"],
    ["a.ts", "say(`\\`groundrule plots fix --swap\\` mends it`)", "unknown option --swap"],
    ["a.yml", "description: groundrule sync.", 'there is no command "sync"'],
    ["a.html", "<pre>groundrule replay RECORD OTHER</pre>", 'unexpected operand "OTHER"'],
    ["a.md", "See `groundrule\nlists`.", 'there is no command "lists"'],
    ["a.md", "It is `sources purge` that deletes.", 'there is no command "sources purge"'],
    [
      "a.md",
      "<!-- not run: it needs a file -->\n\n```sh\ngroundrule lint \\\n  --all x\n```",
      "unknown option --all",
    ],
  ])("are found in %s where they are wrong: %s", async (file, content, fault) => {
    expect(await faultsIn(file, content)).toEqual([expect.stringContaining(fault)]);
  });

  it("end where the sentence goes on", async () => {
    const right = [
      '"no key: groundrule key create --new-pepper creates another; start groundrule serve, then groundrule doctor."',
      `\`groundrule sources remove --fictional --data \${dir} removes \${pronoun}\``,
      '"the groundrule command listens; groundrule tells whether"',
    ];
    expect(await faultsIn("a.ts", right.join("\n"))).toEqual(Array(6).fill(undefined));
  });
});

describe("options", () => {
  const own = (options: readonly { readonly name: string }[]) => new Set(options.map(({ name }) => name));
  const every = own([...commands.flatMap(({ options }) => options), ...COMMON_OPTIONS, { name: "version" }]);

  it("that are named anywhere are options of some command", () => {
    // Lines that call another program.
    const foreign = /\b(?:npm|npx|docker|podman|kubectl|useradd|curl|COPY|spark-submit|mvn|java)\b/;
    const named = files.flatMap(({ file, content }) =>
      content
        .replaceAll(/\\\n/g, " ")
        .split("\n")
        .filter((line) => !foreign.test(line) && !/var\(--|setProperty\("--|--this\b/.test(line))
        .flatMap((line) =>
          [...line.matchAll(/(?<=^|[\s`"'[])--([a-z][a-z\d-]+)(?![\w:(\]-])/g)].map(([, name]) => ({
            file,
            name: name!,
          })),
        ),
    );
    expect(named.length).toBeGreaterThan(500);
    expect(named.filter(({ name }) => !every.has(name))).toEqual([]);
  });

  it.each(commands.map((command) => [command.path, command] as const))(
    "on the help page of %s are its own, or named with the command that has them",
    (_, command) => {
      const known = own([...command.options, ...COMMON_OPTIONS]);
      const page = formatCommandPage(command).replaceAll(/\s+/g, " ");
      const others = [...page.matchAll(/(?<![\w-])--([a-z][a-z\d-]+)/g)].filter(
        ([, name]) => !known.has(name!),
      );
      const strangers = others.filter(({ index, 1: name }) => {
        const before = page.slice(0, index).trimEnd();
        return !commands.some(
          ({ path, options }) =>
            before.endsWith(` ${path}`) && options.some((option) => option.name === name),
        );
      });
      expect(strangers.map(([option]) => option)).toEqual([]);
    },
  );
});

it("npm scripts and tools that are named anywhere are there", () => {
  const read = (path: string) => JSON.parse(readFileSync(join(REPOSITORY, path), "utf8"));
  const there = [
    ...Object.keys(read("package.json").scripts),
    ...Object.keys(read("tools/tools.json")).map((tool) => `tool -- ${tool}`),
  ];
  const named = files.flatMap(({ content }) =>
    [...content.matchAll(/\bnpm run (?:-s |--silent )?(tool -- [a-z][\w-]+|[\w:]+)/g)].map(
      ([, name]) => name!,
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  expect([...new Set(named)].filter((name) => !there.includes(name))).toEqual([]);
});

/** Options of ogr2ogr in this order of value, as its manual has them, and what may follow each. */
const OGR2OGR: Readonly<Record<string, RegExp>> = {
  "-f": /^(?:GPKG|CSV|\$\{driver\})$/,
  "-nlt": /^CONVERT_TO_LINEAR$/,
  "-lco": /^GEOMETRY_ENCODING=WKB$/,
  "-t_srs": /^EPSG:4326$/,
};

it("lines of ogr2ogr have options that GDAL documents, and name first what is written", () => {
  const lines = files
    .filter(({ file }) => /^packages\/[\w-]+\/src\/|^docs\/(?!decisions)/.test(file))
    .flatMap(({ content }) => [...content.matchAll(/\bogr2ogr ([^`\n]*)/g)].map(([, rest]) => rest!.trim()));
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) {
    const words =
      line.replace(/^(?:is to open|line\b).*/, "").match(/"[^"]*"|\$\{(?:[^{}]|\{[^}]*\})*\}|[^\s]+/g) ?? [];
    const operands = words.filter((word, i) => {
      const value = OGR2OGR[words[i - 1] ?? ""];
      if (value !== undefined) expect(word).toMatch(value);
      else if (word.startsWith("-")) expect(Object.keys(OGR2OGR), line).toContain(word);
      return value === undefined && !word.startsWith("-");
    });
    const [written, read] = operands;
    if (written?.startsWith("out.")) expect(read).toMatch(/^(?:in\.|…)/);
  }
});
