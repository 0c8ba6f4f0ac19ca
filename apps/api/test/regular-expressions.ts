import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { createContext, Script } from "node:vm";
import { heldFigures, rounded } from "./attacks/figures.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SOURCES = ["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"];
const LENGTH = 100_000;
/** One that takes longer is stopped: a bad one would run for years. */
const STOPPED_MS = 500;

export interface FoundExpression {
  readonly pattern: string;
  readonly flags: string;
  /** File and line. */
  readonly place: string;
}

/**
 * T-42. Every regular expression in the sources, on texts of 100 kB made of its own characters so that
 * they all but match: none may take longer than it takes to read them a few times.
 *
 * @param pairs also texts of two characters by turns, which takes minutes
 * @param isAttacked which of the expressions, by number; default all
 */
export async function attackExpressions(
  mostMs: number,
  {
    pairs = true,
    isAttacked = () => true,
  }: { readonly pairs?: boolean; readonly isAttacked?: (no: number) => boolean } = {},
): Promise<object> {
  const found = expressionsInSources().filter((_, no) => isAttacked(no));
  const over: string[] = [];
  const slowest: { ms: number; expression: string; text: string }[] = [];
  let texts = 0;
  for (const { pattern, flags, place } of found) {
    let worst = { ms: 0, text: "" };
    for (const text of adversarialTexts(pattern, pairs)) {
      texts++;
      let ms = timed(pattern, flags, text);
      // What was held up by something else is not slow a second time.
      for (let i = 0; i < 3 && ms > mostMs && ms < STOPPED_MS; i++)
        ms = Math.min(ms, timed(pattern, flags, text));
      if (ms > worst.ms)
        worst = { ms, text: `${JSON.stringify(text.slice(0, 12))}…${JSON.stringify(text.slice(-3))}` };
    }
    slowest.push({ ms: worst.ms, expression: `/${pattern}/${flags}, ${place}`, text: worst.text });
    if (worst.ms > mostMs) over.push(`/${pattern}/${flags}, ${place}: ${worst.ms} ms on ${worst.text}`);
  }
  slowest.sort((a, b) => b.ms - a.ms);
  const figures = {
    expressions: found.length,
    texts,
    slowest: slowest
      .slice(0, 5)
      .map(({ ms, expression, text }) => `${rounded(ms)} ms: ${expression} on ${text}`),
  };
  return heldFigures(figures, over);
}

export function expressionsInSources(): FoundExpression[] {
  return sourceFiles().flatMap((file) =>
    // Without types, whose exclamation marks look as if an expression began after them.
    expressionsIn(stripTypeScriptTypes(textOf(file))).map(({ pattern, flags, line }) => ({
      pattern,
      flags,
      place: `${file}:${line}`,
    })),
  );
}

function sourceFiles(): string[] {
  return globSync(SOURCES, { cwd: ROOT })
    .filter((file) => !file.endsWith(".test.ts"))
    .sort();
}

function textOf(file: string): string {
  return readFileSync(`${ROOT}/${file}`, "utf8");
}

/** A slash after one of these begins an expression; after anything else it divides. */
const BEFORE_EXPRESSION =
  /(?:^|[=([{,;:!&|?+\-*%~^<>}]|\b(?:return|typeof|case|in|of|do|else|void|throw|await|yield))\s*$/;

/** The literals of regular expressions in a source text, told from comments, texts and divisions. */
export function expressionsIn(
  source: string,
): (Pick<FoundExpression, "pattern" | "flags"> & { line: number })[] {
  const found: (Pick<FoundExpression, "pattern" | "flags"> & { line: number })[] = [];
  /** Templates that are open, each with the braces open inside its expression. */
  const templates: number[] = [];
  let code = "";
  let at = 0;
  const skipTo = (end: number): void => {
    at = end < 0 ? source.length : end;
  };
  while (at < source.length) {
    const character = source[at]!;
    // A line that names the interpreter is a comment too.
    const isComment = source.startsWith("//", at) || (at === 0 && source.startsWith("#!"));
    if (isComment) skipTo(source.indexOf("\n", at));
    else if (source.startsWith("/*", at)) skipTo(source.indexOf("*/", at) + 2);
    else if (character === '"' || character === "'") {
      at = endOfText(source, at, character);
      code += '""';
    } else if (character === "`" || (character === "}" && templates.at(-1) === 0)) {
      if (character === "}") templates.pop();
      at = endOfTemplatePart(source, at + 1);
      if (source[at - 1] === "{") {
        templates.push(0);
        code += "(";
      } else code += '""';
    } else if (character === "/" && BEFORE_EXPRESSION.test(code.slice(-40))) {
      const end = endOfExpression(source, at);
      const [flags = ""] = /^[a-z]*/.exec(source.slice(end)) ?? [];
      const line = source.slice(0, at).split("\n").length;
      found.push({ pattern: source.slice(at + 1, end - 1), flags, line });
      at = end + flags.length;
      code += '""';
    } else {
      const open = templates.length - 1;
      if (open >= 0 && character === "{") templates[open]!++;
      if (open >= 0 && character === "}") templates[open]!--;
      code += character;
      at++;
    }
  }
  return found;
}

function endOfText(source: string, start: number, quote: string): number {
  let at = start + 1;
  while (at < source.length && source[at] !== quote) at += source[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** After the template's end, or after the brace that opens an expression in it. */
function endOfTemplatePart(source: string, start: number): number {
  let at = start;
  while (at < source.length) {
    if (source[at] === "`") return at + 1;
    if (source.startsWith("${", at)) return at + 2;
    at += source[at] === "\\" ? 2 : 1;
  }
  return at;
}

function endOfExpression(source: string, start: number): number {
  let inClass = false;
  let at = start + 1;
  for (; source[at] !== "/" || inClass; at++) {
    assert.ok(
      at < source.length && source[at] !== "\n",
      `an expression that does not end: ${source.slice(start, start + 60)}`,
    );
    if (source[at] === "\\") at++;
    else if (source[at] === "[") inClass = true;
    else if (source[at] === "]") inClass = false;
  }
  return at + 1;
}

/**
 * Texts that all but match: each of the expression's characters, and each two of them, over and over,
 * after and before a beginning and an end that match and that do not.
 */
export function* adversarialTexts(pattern: string, pairs: boolean): Iterable<string> {
  const letters = lettersOf(pattern);
  const twos = letters.flatMap((a) => letters.filter((b) => a !== b).map((b) => a + b));
  const pumps = pairs ? [...letters, ...twos] : letters;
  const words = pattern.match(/[A-Za-z0-9_-]{2,}/g) ?? [];
  for (const pump of [...pumps, ...words]) {
    const body = pump.repeat(Math.ceil(LENGTH / pump.length));
    for (const end of ["", "\0", "\n!"]) yield body + end;
    if (pump.length === 1) for (const begin of letters) yield `${begin}${body}\0`;
  }
}

/** Characters that an expression speaks of, and some that its classes hold. */
function lettersOf(pattern: string): string[] {
  const letters = new Set(["a", "0", " "]);
  for (const character of pattern.replaceAll(/\\[a-zA-Z]/g, "")) letters.add(character);
  for (const [classed, member] of [
    ["\\s", "\t"],
    ["\\d", "7"],
    ["\\w", "_"],
    ["\\r", "\r"],
    ["\\n", "\n"],
    ["\\S", "é"],
    [".", "x"],
  ] as const) {
    if (pattern.includes(classed)) letters.add(member);
  }
  for (const syntax of ["\\", "(", ")", "[", "]", "^", "$", "|", "?", "*", "+", "{", "}"]) {
    if (!pattern.includes(`\\${syntax}`)) letters.delete(syntax);
  }
  return [...letters];
}

const CONTEXT = createContext({ text: "", expression: / / });
const SCRIPT = new Script("expression.lastIndex = 0; expression.test(text)");

/** Milliseconds of CPU that one test takes; stopped after {@link STOPPED_MS} of them. */
export function timed(pattern: string, flags: string, text: string): number {
  CONTEXT.text = text;
  CONTEXT.expression = new RegExp(pattern, flags);
  // It can be stopped by the time that passes alone, of which a busy machine gives this thread a part.
  for (let timeout = STOPPED_MS; ; timeout *= 4) {
    const before = process.threadCpuUsage();
    const isStopped = isStoppedAfter(timeout);
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1_000;
    if (!isStopped || ms > STOPPED_MS / 2) return ms;
  }
}

function isStoppedAfter(timeout: number): boolean {
  try {
    SCRIPT.runInContext(CONTEXT, { timeout });
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return true;
  }
}
