import { formatSuggestion } from "../../base/nearest-name.ts";
import { describeValue } from "../../shape/describe-value.ts";
import { FILTER_DEPTH_LIMIT } from "./schema.ts";

/** The place of a part of a filter in its text, and of its own parts, in the order of its arguments. */
export interface Span {
  /** UTF-16 units before it. */
  readonly start: number;
  /** UTF-16 units up to its end. */
  readonly end: number;
  readonly parts?: readonly Span[];
}

/** A filter in CQL2-Text, parsed: its tree, or the reason why it has none. */
export type FilterText = { readonly text: string } & (
  | {
      /** The same in CQL2-JSON. Its grammar is right; `parseFilter` checks the rest as of any tree. */
      readonly tree: unknown;
      readonly span: Span;
    }
  | { readonly fault: TextFault }
);

type TextFaultCode = "FILTER_SYNTAX" | "LIMIT_EXCEEDED" | "OPERATOR_UNKNOWN";

/** The first place where a text is no filter. */
export interface TextFault {
  readonly code: TextFaultCode;
  readonly message: string;
  /** UTF-16 units before it. */
  readonly start: number;
}

/**
 * Reads CQL2-Text (OGC 21-065r2), the subset of `docs/semantics/cql2-text.md`. A chain of `AND` or of `OR` is one
 * node; parentheses around a chain keep it a node of its own. Looks at one token at a time and never back, so the
 * work grows with the length of the text.
 */
export function readFilterText(text: string): FilterText {
  try {
    const { tree, span } = new TextParser(text).filter();
    return { text, tree, span };
  } catch (error) {
    if (error instanceof NoFilter) return { text, fault: error.fault };
    throw error;
  }
}

/** A name that needs no quotes, as the standard has it but for two characters that are white space. */
const IDENTIFIER =
  /[:_A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u02FF\u0370-\u037D\u037F-\u167F\u1681-\u1FFE\u200C-\u200D\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFEFE\uFF00-\uFFFD\u{10000}-\u{EFFFF}][:_.0-9A-Za-z\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u037D\u037F-\u167F\u1681-\u1FFE\u200C-\u200D\u203F\u2040\u2070-\u218F\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFEFE\uFF00-\uFFFD\u{10000}-\u{EFFFF}]*/uy;
const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const SYMBOL = /<>|<=|>=|!=|==|&&|\|\||./suy;
const SPACE = /[\s\u0085]*/y;
const DAY = /\d{4}-\d{2}-\d{2}/y;

/** Words that are never names, unless in double quotes. */
const RESERVED: ReadonlySet<string> = new Set("AND OR NOT IS NULL BETWEEN IN LIKE TRUE FALSE".split(" "));
/** Words that have a meaning in the standard, and that are names here unless a parenthesis follows. */
const MEANINGFUL: ReadonlySet<string> = new Set(["CASEI", "ACCENTI", "DATE", "TIMESTAMP", "INTERVAL", "DIV"]);

/** True if any reader of the standard accepts a name without quotes as itself. */
export function isPlainName(name: string): boolean {
  const word = name.toUpperCase();
  return matchPatternAt(IDENTIFIER, name, 0) === name && !RESERVED.has(word) && !MEANINGFUL.has(word);
}

const COMPARISONS: ReadonlySet<string> = new Set(["=", "<>", "<", "<=", ">", ">="]);
const ARITHMETIC: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", "^", "DIV"]);
/** Symbols that people write out of habit, with a hint. */
const HABITS: ReadonlyMap<string, string> = new Map([
  ["!=", 'write "<>"'],
  ["==", 'write "="'],
  ["&&", "write AND"],
  ["||", "write OR"],
  ["!", "write NOT"],
  ["ILIKE", "write CASEI(…) LIKE CASEI('…')"],
  ["NULL", "to test for a missing value, write IS NULL"],
  ["‘", "write straight quotes: '…'"],
  ["’", "write straight quotes: '…'"],
  ["“", "write straight quotes: '…'"],
  ["”", "write straight quotes: '…'"],
]);
/** Words before a parenthesis that CQL2 has and our subset lacks, and what to use instead. */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^S_/, 'a filter compares columns only; set the location of areas with "relation" and "within_m"'],
  [/^T_|^INTERVAL$/, "compare days with = <> < <= > >= or BETWEEN"],
  [/^TIMESTAMP$/, "columns contain days, not times; write DATE('YYYY-MM-DD')"],
  [/^A_/, "columns contain no arrays; list values with IN"],
  [/^ACCENTI$/, "list the spellings with IN; CASEI ignores the case of letters"],
];
/** Most parentheses, calls and `NOT`s open at once: `NOT (…)` are two, and one level of the filter. */
const OPEN_LIMIT: number = 2 * FILTER_DEPTH_LIMIT;

interface Token extends Span {
  readonly kind: "word" | "name" | "text" | "number" | "symbol" | "end";
  /** For a text, and for a name, its content without quotes. */
  readonly value: string;
  /** A word in upper case, a symbol as it is; empty of anything else. */
  readonly keyword: string;
}

/** A part that was read. */
interface Part {
  readonly tree: unknown;
  readonly span: Span;
  readonly isCondition: boolean;
}

class NoFilter extends Error {
  readonly fault: TextFault;

  constructor(fault: TextFault) {
    super(fault.message);
    this.fault = fault;
  }
}

class TextParser {
  readonly #text: string;
  #token: Token = { kind: "end", start: 0, end: 0, value: "", keyword: "" };
  /** The token before. */
  #last: Token = this.#token;

  constructor(text: string) {
    this.#text = text;
  }

  filter(): Part {
    this.#advance();
    const filter = this.#condition(this.#chain("OR", 0));
    if (this.#token.kind !== "end") this.#refuse("AND, OR or the end");
    return filter;
  }

  #chain(word: "AND" | "OR", open: number): Part {
    const { start } = this.#token;
    const operand = (): Part => (word === "OR" ? this.#chain("AND", open) : this.#negation(open));
    const first = operand();
    if (this.#token.keyword !== word) return first;
    const operands = [this.#condition(first)];
    while (this.#take(word)) operands.push(this.#condition(operand()));
    return this.#operation(word, operands, start);
  }

  #negation(open: number): Part {
    const { start } = this.#token;
    if (!this.#take("NOT")) return this.#predicate(open);
    return this.#operation("NOT", [this.#condition(this.#negation(this.#opened(open)))], start);
  }

  #predicate(open: number): Part {
    const { start } = this.#token;
    const left = this.#operand(open);
    const { keyword: op, kind } = this.#token;
    if (COMPARISONS.has(op)) {
      this.#advance();
      return this.#operation(op, [this.#value(left), this.#value(this.#operand(open))], start);
    }
    if (this.#take("IS")) return this.#nullTest(left, start);
    const isNegated = this.#take("NOT");
    for (const [word, rest] of [
      ["BETWEEN", () => this.#bounds(open)],
      ["IN", () => [this.#list(open)]],
      ["LIKE", () => [this.#value(this.#operand(open))]],
    ] as const) {
      if (!this.#take(word)) continue;
      return this.#negatable(isNegated, word, [this.#value(left), ...rest()], start);
    }
    if (isNegated) this.#refuse("BETWEEN, IN or LIKE after NOT");
    // In parentheses a value may be written alone, before the comparison.
    if (left.isCondition || kind === "end" || [")", "AND", "OR"].includes(op)) return left;
    return this.#refuse("one of = <> < <= > >= BETWEEN IN LIKE IS");
  }

  #nullTest(left: Part, start: number): Part {
    if (!isProperty(left.tree))
      this.#fail(left.span, `found ${this.#words(left.span)}, expected a property before IS`);
    const isNegated = this.#take("NOT");
    this.#expect("NULL", isNegated ? "NULL" : "NULL or NOT NULL");
    return this.#negatable(isNegated, "isNull", [left], start);
  }

  #bounds(open: number): readonly Part[] {
    const low = this.#value(this.#operand(open));
    this.#expect("AND", "AND and the upper bound");
    return [low, this.#value(this.#operand(open))];
  }

  #list(open: number): Part {
    const { start } = this.#token;
    this.#expect("(");
    const items: Part[] = [];
    do items.push(this.#value(this.#operand(open)));
    while (this.#take(","));
    this.#expect(")", 'a comma or ")"');
    const span = { start, end: this.#last.end, parts: items.map((item) => item.span) };
    return { tree: items.map(({ tree }) => tree), span, isCondition: false };
  }

  #operand(open: number): Part {
    const token = this.#token;
    const { kind, keyword, value, start, end } = token;
    if (keyword === "(") {
      const within = this.#opened(open);
      this.#advance();
      const part = this.#chain("OR", within);
      this.#expect(")", part.isCondition ? 'AND, OR or ")"' : undefined);
      return part;
    }
    if (keyword === "+" || keyword === "-") {
      this.#advance();
      if (this.#token.kind !== "number" || this.#token.start !== end) this.#refuseArithmetic(token);
      return this.#number(start);
    }
    if (kind === "number") return this.#number(start);
    if (RESERVED.has(keyword) && !BOOLEANS.has(keyword)) {
      return this.#refuse(A_VALUE, `to name a column, write it in double quotes: "${value}"`);
    }
    if (kind === "end" || kind === "symbol") return this.#refuse(A_VALUE);
    if (kind === "name" && value === "") this.#fail(token, 'found "", expected the name of a column');
    this.#advance();
    if (kind === "word" && this.#token.keyword === "(") return this.#call(token, open);
    if (kind === "text") return createLiteralPart(value, token);
    return BOOLEANS.has(keyword)
      ? createLiteralPart(keyword === "TRUE", token)
      : createLiteralPart({ property: value }, token);
  }

  /** @param start where its sign stands, or the number */
  #number(start: number): Part {
    const { end } = this.#token;
    const day = matchPatternAt(DAY, this.#text, start);
    if (day !== "") this.#fail({ start }, `found ${day}, expected a value; write a day as DATE('${day}')`);
    const written = this.#text.slice(start, end);
    const number = Number(written);
    if (!Number.isFinite(number)) {
      this.#fail(
        { start },
        `found ${describeValue(written)}, expected a number within the range of a double`,
      );
    }
    this.#advance();
    return createLiteralPart(number, { start, end });
  }

  #call(name: Token, open: number): Part {
    const { keyword, start } = name;
    if (keyword !== "CASEI" && keyword !== "DATE" && keyword !== "FACT") this.#refuseCall(name);
    const within = this.#opened(open);
    this.#advance();
    if (keyword === "DATE" && this.#token.kind !== "text") this.#refuse("a day 'YYYY-MM-DD'");
    if (keyword === "FACT" && this.#token.kind !== "text")
      this.#refuse("the name of a fact in single quotes");
    const argument = this.#value(this.#operand(within));
    this.#expect(")");
    const span = { start, end: this.#last.end, parts: [argument.span] };
    const tree =
      keyword === "DATE"
        ? { date: argument.tree }
        : keyword === "FACT"
          ? { fact: argument.tree }
          : { op: "casei", args: [argument.tree] };
    return { tree, span, isCondition: false };
  }

  #negatable(isNegated: boolean, op: string, operands: readonly Part[], start: number): Part {
    const condition = this.#operation(op, operands, start);
    return isNegated ? this.#operation("NOT", [condition], start) : condition;
  }

  /** A condition that began at `start` and ends with the token before. */
  #operation(word: string, operands: readonly Part[], start: number): Part {
    const op = word === "isNull" ? word : word.toLowerCase();
    const tree = { op, args: operands.map((operand) => operand.tree) };
    const parts = operands.map(({ span }) => span);
    return { tree, span: { start, end: this.#last.end, parts }, isCondition: true };
  }

  #condition(part: Part): Part {
    if (part.isCondition) return part;
    const { start, end } = part.span;
    const mend = isProperty(part.tree)
      ? `; to test a column of booleans, write ${this.#text.slice(start, Math.min(end, start + EXCERPT_UNITS))} = TRUE`
      : "";
    return this.#fail(part.span, `found ${this.#words(part.span)} alone, expected a condition${mend}`);
  }

  #value(part: Part): Part {
    if (!part.isCondition) return part;
    const found = this.#words(part.span);
    return this.#fail(part.span, `found the condition ${found}, expected ${A_VALUE}`);
  }

  #opened(open: number): number {
    if (open < OPEN_LIMIT) return open + 1;
    const message = `found more than ${OPEN_LIMIT} parentheses and NOTs open at once, expected at most that many`;
    return this.#fail(this.#token, message, "LIMIT_EXCEEDED");
  }

  #expect(keyword: string, words: string = `"${keyword}"`): void {
    if (!this.#take(keyword)) this.#refuse(words);
  }

  #take(keyword: string): boolean {
    if (this.#token.keyword !== keyword) return false;
    this.#advance();
    return true;
  }

  #advance(): void {
    this.#last = this.#token;
    this.#token = this.#scan(this.#token.end);
  }

  #scan(from: number): Token {
    const text = this.#text;
    const start = from + matchPatternAt(SPACE, text, from).length;
    const token = (kind: Token["kind"], value: string, keyword = ""): Token => ({
      kind,
      start,
      end: start + value.length,
      value,
      keyword,
    });
    if (start === text.length) return token("end", "");
    const quote = text[start]!;
    if (quote === "'" || quote === '"') return this.#quoted(start, quote);
    const word = matchPatternAt(IDENTIFIER, text, start);
    // Keywords are ASCII: "ı" is no "I", though its upper case is.
    if (word !== "") return token("word", word, /^\w+$/.test(word) ? word.toUpperCase() : "");
    const number = matchPatternAt(NUMBER, text, start);
    if (number !== "") return token("number", number);
    // Half a surrogate pair is no character; it is refused as what it is.
    const symbol = matchPatternAt(SYMBOL, text, start) || quote;
    return token("symbol", symbol, symbol);
  }

  #quoted(start: number, quote: string): Token {
    const text = this.#text;
    let end = start + 1;
    for (;;) {
      const close = text.indexOf(quote, end);
      if (close < 0) {
        const what = quote === "'" ? "a text" : "a name";
        const message = `found ${what} without its closing ${quote}, expected it; write a ${quote} within as ${quote}${quote}`;
        this.#fail({ start }, message);
      }
      end = close + 1;
      if (text[end] !== quote) break;
      end++;
    }
    const value = text.slice(start + 1, end - 1).replaceAll(quote + quote, quote);
    return { kind: quote === "'" ? "text" : "name", start, end, value, keyword: "" };
  }

  /** @param mend what to do about the token at hand, where no habit explains it */
  #refuse(expected: string, mend?: string): never {
    const { kind, keyword } = this.#token;
    if (ARITHMETIC.has(keyword)) this.#refuseArithmetic(this.#token);
    const found = kind === "end" ? "nothing" : this.#words(this.#token);
    const advice = HABITS.get(keyword) ?? this.#escapeHabit() ?? mend;
    this.#fail(
      this.#token,
      `found ${found}, expected ${expected}${advice === undefined ? "" : `; ${advice}`}`,
    );
  }

  /** A backslash before a quote escapes it in other languages, and ends the text here. */
  #escapeHabit(): string | undefined {
    const { kind, value } = this.#last;
    return kind === "text" && value.endsWith("\\") ? "write a ' within a text as ''" : undefined;
  }

  #refuseArithmetic(token: Token): never {
    const message = `found ${this.#words(token)}, expected no arithmetic, which filters do not support; compare a column with a number`;
    return this.#fail(token, message, "OPERATOR_UNKNOWN");
  }

  #refuseCall({ keyword, value, start }: Token): never {
    const mend = REFUSED.find(([name]) => name.test(keyword))?.[1];
    const meant = mend === undefined ? formatSuggestion(value, ["CASEI", "DATE", "FACT"]) : `; ${mend}`;
    const message = `found ${describeValue(`${value}(`)}, a function that filters do not support, expected CASEI(, DATE( or FACT(${meant}`;
    return this.#fail({ start }, message, "OPERATOR_UNKNOWN");
  }

  #words({ start, end }: Pick<Span, "start" | "end">): string {
    return formatExcerpt(this.#text, start, end);
  }

  #fail({ start }: Pick<Span, "start">, message: string, code: TextFaultCode = "FILTER_SYNTAX"): never {
    throw new NoFilter({ code, message, start });
  }
}

const A_VALUE = "a column or a value";
const BOOLEANS: ReadonlySet<string> = new Set(["TRUE", "FALSE"]);

function createLiteralPart(tree: unknown, { start, end }: Pick<Span, "start" | "end">): Part {
  return { tree, span: { start, end }, isCondition: false };
}

function isProperty(tree: unknown): boolean {
  return typeof tree === "object" && tree !== null && "property" in tree;
}

/** The match of a sticky pattern at a place; an empty text if there is none. */
function matchPatternAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** Units of a text that a message may show of one place. */
const EXCERPT_UNITS = 100;

/** The text at a place, as a message shows it. */
export function formatExcerpt(text: string, start: number, end: number): string {
  const shown = text.slice(start, Math.min(end, start + EXCERPT_UNITS));
  return /^"[^"\p{C}]{0,78}"$/u.test(shown) ? shown : describeValue(shown);
}
