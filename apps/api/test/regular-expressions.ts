import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createContext, Script } from "node:vm";
import { parseSync, Visitor } from "rolldown/utils";
import { requireNothingOver, roundToTenth } from "./attacks/figures.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SOURCES = ["packages/*/src/**/*.ts", "apps/*/src/**/*.ts"];
/** One that takes longer is stopped: a bad one would run for years. */
const STOPPED_MS = 500;

export interface FoundExpression {
  readonly pattern: string;
  readonly flags: string;
  /** File and line. */
  readonly place: string;
}

/**
 * T-42. Every regular expression in the sources, on long texts made of its own characters so that they all
 * but match: none may take longer than it takes to read them a few times.
 *
 * @param pairs also texts of two characters by turns, which takes minutes
 * @param isAttacked which of the expressions, by number; default all
 * @param length characters of a text
 */
export async function attackExpressions(
  mostMs: number,
  {
    pairs = true,
    isAttacked = () => true,
    length = 100_000,
  }: {
    readonly pairs?: boolean;
    readonly isAttacked?: (no: number) => boolean;
    readonly length?: number;
  } = {},
): Promise<object> {
  const found = listExpressionsInSources().filter((_, no) => isAttacked(no));
  const over: string[] = [];
  const slowest: { ms: number; expression: string; text: string }[] = [];
  let texts = 0;
  for (const { pattern, flags, place } of found) {
    let worst = { ms: 0, text: "" };
    for (const text of makeAdversarialTexts(pattern, pairs, length)) {
      texts++;
      let ms = measureCpuMilliseconds(pattern, flags, text);
      // A match that was slowed by something else is not slow a second time.
      for (let i = 0; i < 3 && ms > mostMs && ms < STOPPED_MS; i++)
        ms = Math.min(ms, measureCpuMilliseconds(pattern, flags, text));
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
      .map(({ ms, expression, text }) => `${roundToTenth(ms)} ms: ${expression} on ${text}`),
  };
  return requireNothingOver(figures, over);
}

export function listExpressionsInSources(): FoundExpression[] {
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !file.endsWith(".test.ts"));
  return files.sort().flatMap((file) => {
    const source = readFileSync(`${ROOT}/${file}`, "utf8");
    const found: FoundExpression[] = [];
    new Visitor({
      Literal: (node) => {
        if (!("regex" in node)) return;
        const line = source.slice(0, node.start).split("\n").length;
        found.push({ ...node.regex, place: `${file}:${line}` });
      },
    }).visit(parseSync(file, source).program);
    return found;
  });
}

/**
 * Texts that all but match: each of the expression's characters, and each two of them, over and over,
 * after and before a beginning and an end that match and that do not.
 */
export function* makeAdversarialTexts(pattern: string, pairs: boolean, length: number): Iterable<string> {
  const letters = listPatternCharacters(pattern);
  const twos = letters.flatMap((a) => letters.filter((b) => a !== b).map((b) => a + b));
  const pumps = pairs ? [...letters, ...twos] : letters;
  const words = pattern.match(/[A-Za-z0-9_-]{2,}/g) ?? [];
  for (const pump of [...pumps, ...words]) {
    const body = pump.repeat(Math.ceil(length / pump.length));
    for (const end of ["", "\0", "\n!"]) yield body + end;
    if (pump.length === 1) for (const begin of letters) yield `${begin}${body}\0`;
  }
}

/** Characters that an expression speaks of, and some that its classes hold. */
function listPatternCharacters(pattern: string): string[] {
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
export function measureCpuMilliseconds(pattern: string, flags: string, text: string): number {
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
