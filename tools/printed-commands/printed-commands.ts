import { readFileSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../../apps/cli/src/commands.ts";
import { listRepositoryFiles, REPOSITORY } from "../machine/repository.ts";
import { parseFences, withoutFences } from "../snippets/fences.ts";

/** A command that a file prints, shows or recommends. */
export interface PrintedCommand {
  /** File and line. */
  readonly place: string;
  /** Text after `groundrule `: up to the end of the code, else of the line. */
  readonly text: string;
  /** True if the whole text is marked as code; elsewhere prose follows the command. */
  readonly isCode: boolean;
  /** True if it is in a fence whose page states why it does not run. */
  readonly isOfFence: boolean;
}

/** A file and what it says. */
export interface ReadFile {
  readonly file: string;
  readonly content: string;
}

/**
 * Files that people read: code that is shipped, pages, and files that operators copy. Tests and the history are
 * neither.
 */
const READ_BY_PEOPLE = /^(?:packages|apps|data|deploy|docs|examples)\/|^[A-Z]+\.md$/;
const NOT_READ =
  /\.test\.tsx?$|\/tests?\/|^packages\/testing\/|^CHANGELOG\.md$|\.(?:json|css|csv|geojson|br|png|svg|lock)$/;

/** The files of the repository that people read. */
export function readFilesForPeople(): ReadFile[] {
  return listRepositoryFiles()
    .filter((file) => READ_BY_PEOPLE.test(file) && !NOT_READ.test(file))
    .map((file) => ({ file, content: readFileSync(join(REPOSITORY, file), "utf8") }));
}

/** Every mention of a command in a file. Of a page of Markdown, those in code: its prose names the product, too. */
export function findPrintedCommands({ file, content }: ReadFile): PrintedCommand[] {
  return file.endsWith(".md") ? findCommandsOnPage(file, content) : findCommandsInText(file, content);
}

/** Where a command begins: not within a path, a name or an address, and before a word. */
const COMMAND = /(?<=^|[\s`'"(>])(?<! -[a-z] | generic )groundrule (?=\S)/g;

function findCommandsInText(file: string, content: string): PrintedCommand[] {
  // A backtick of a string that is itself in backticks.
  const text = content.replaceAll("\\`", "`");
  return [...text.matchAll(COMMAND)].map((match) => {
    const before = text.slice(0, match.index);
    const rest = text.slice(match.index + match[0].length);
    const line = rest.slice(0, rest.search(/\n|$/));
    const place = `${file}:${before.split("\n").length}`;
    const end = before.endsWith("`")
      ? line.indexOf("`")
      : /<(?:code|pre)>$/.test(before)
        ? line.search(/<\/|$/)
        : -1;
    const isCode = end >= 0;
    // A mention outside of code ends with its sentence's string.
    const [sentence] = line.split(/["`]/);
    return { place, text: isCode ? line.slice(0, end) : sentence!, isCode, isOfFence: false };
  });
}

/** Families of commands, such as `sources`: pages name their members without the product's name. */
const FAMILIES = new Set(COMMANDS.flatMap(({ path }) => (path.includes(" ") ? [path.split(" ")[0]!] : [])));

function findCommandsOnPage(page: string, content: string): PrintedCommand[] {
  // The fences that run do so in the test of pages.
  const left = parseFences(page, content).filter(
    ({ language, notRun }) => language === "sh" && notRun !== undefined,
  );
  const inFences = left.flatMap(({ line, text }) =>
    findCommandsInText(page, text.replaceAll(/\\\n\s*/g, " ")).map((command) => ({
      ...command,
      place: `${page}:${line}`,
      isCode: true,
      isOfFence: true,
    })),
  );
  const prose = withoutFences(content);
  // A span may go on in the next line.
  const spans = [...prose.matchAll(/`(groundrule\s+)?([a-z][\w-]*[^`]*)`/g)].flatMap((match) => {
    const [, name, code = ""] = match;
    const text = code.replaceAll(/\s+/g, " ");
    if (name === undefined && !FAMILIES.has(/^(\S+) ./.exec(text)?.[1] ?? "")) return [];
    const place = `${page}:${prose.slice(0, match.index).split("\n").length}`;
    return [{ place, text, isCode: true, isOfFence: false }];
  });
  return [...inFences, ...spans];
}
