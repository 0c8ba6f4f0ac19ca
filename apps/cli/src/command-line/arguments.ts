import { parseArgs } from "node:util";
import { findNearestName } from "@groundrule/engine/internal/json";
import { COMMON_OPTIONS, type CommandLine, type OptionSpec } from "./command-line.ts";

/** The command line is wrong: exit code 2, with a pointer to the help page. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The value of an option that is absent from the command line, from another place. */
export interface Fallback {
  readonly text: string;
  readonly from: "environment" | "file";
  /** The place as named in messages, e.g. `GROUNDRULE_PORT`. */
  readonly place: string;
  /** The file that contains it. */
  readonly path?: string;
}

/** The options and operands of one call, checked against its command. */
export class Arguments {
  readonly operands: readonly string[];
  /** The words after the command's own, unchanged. */
  readonly words: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;
  readonly #flags: ReadonlySet<string>;
  readonly #fallbacks: ReadonlyMap<string, Fallback>;
  readonly #known: ReadonlySet<string>;

  /** @param known names of the command's options */
  constructor(
    operands: readonly string[],
    values: ReadonlyMap<string, readonly string[]>,
    flags: ReadonlySet<string>,
    fallbacks: ReadonlyMap<string, Fallback> = new Map(),
    words: readonly string[] = [],
    known: ReadonlySet<string> = new Set(),
  ) {
    this.operands = operands;
    this.words = words;
    this.#values = values;
    this.#flags = flags;
    this.#fallbacks = fallbacks;
    this.#known = known;
  }

  /** The same arguments, with fallbacks for absent options by the option's name. */
  with(fallbacks: ReadonlyMap<string, Fallback>): Arguments {
    return new Arguments(this.operands, this.#values, this.#flags, fallbacks, this.words, this.#known);
  }

  /** True if the command has an option of that name. */
  accepts(name: string): boolean {
    return this.#known.has(name);
  }

  /** The fallback of an option that is absent from the command line. */
  fallback(name: string): Fallback | undefined {
    return this.#values.has(name) ? undefined : this.#fallbacks.get(name);
  }

  /** The place of an option's value, as named in messages: `--port`, or the place of its fallback. */
  placeOf(name: string): string {
    return this.fallback(name)?.place ?? `--${name}`;
  }

  flag(name: string): boolean {
    return this.#flags.has(name);
  }

  /** True if an option has a value, from the command line or a fallback. */
  has(name: string): boolean {
    return this.find(name) !== undefined;
  }

  find(name: string): string | undefined {
    return this.#values.get(name)?.[0] ?? this.#fallbacks.get(name)?.text;
  }

  /** The value of an option that the command requires. */
  get(name: string): string {
    const value = this.find(name);
    if (value === undefined) throw new Error(`--${name} is not a required option`);
    return value;
  }

  all(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /**
   * Returns the value of an option that has a fixed set of choices.
   *
   * @param expected the choices, as listed in messages
   *
   * Fails: {@link UsageError} for any other value.
   */
  findChoice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
    expected: string = choices.join(" or "),
  ): Choice | undefined {
    const found = this.find(name);
    const choice = choices.find((each) => each === found);
    if (choice !== found) throw new UsageError(`found --${name} "${found}", expected ${expected}`);
    return choice;
  }

  /** Fails: {@link UsageError} if the value is not a finite decimal number within the range. */
  findNumber(name: string, least = 0, most: number = Number.MAX_VALUE): number | undefined {
    const text = this.find(name);
    if (text === undefined) return undefined;
    const value = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most)) {
      const range = most === Number.MAX_VALUE ? `at least ${least}` : `from ${least} to ${most}`;
      throw new UsageError(`found ${this.placeOf(name)} "${text}", expected a number ${range}`);
    }
    return value;
  }

  /** Like {@link findNumber}, for whole numbers. */
  findInteger(name: string, least: number, most: number): number | undefined {
    const value = this.findNumber(name, least, most);
    if (value !== undefined && !Number.isInteger(value)) {
      throw new UsageError(`found ${this.placeOf(name)} "${this.find(name)}", expected a whole number`);
    }
    return value;
  }
}

/**
 * Parses the words after the command's own.
 *
 * Fails: {@link UsageError}, for an unknown option with the nearest known name.
 */
export function parseArguments(command: CommandLine, argv: readonly string[]): Arguments {
  const specs = new Map([...command.options, ...COMMON_OPTIONS].map((spec) => [spec.name, spec]));
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      [...specs.values()].map(({ name, value }) => [
        name,
        {
          type: value === undefined ? "boolean" : "string",
          ...(name === "help" && { short: "h" }),
        },
      ]),
    ),
  });
  const operands: string[] = [];
  const values = new Map<string, string[]>();
  const flags = new Set<string>();
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const spec = specs.get(token.name);
    if (spec === undefined) throw new UnknownOptionError(token.rawName, specs.keys());
    if (spec.value === undefined) {
      if (token.value !== undefined) throw new UsageError(`--${spec.name} is a flag and takes no value`);
      flags.add(spec.name);
      continue;
    }
    const value = requireOptionValue(spec, token.value, token.inlineValue === true);
    const earlier = values.get(spec.name);
    if (earlier === undefined) values.set(spec.name, [value]);
    else if (spec.multiple) earlier.push(value);
    else throw new UsageError(`found --${spec.name} twice, expected it once`);
  }
  const args = new Arguments(operands, values, flags, new Map(), argv, new Set(specs.keys()));
  if (!flags.has("help")) requireCompleteArguments(command, args);
  return args;
}

function requireOptionValue(spec: OptionSpec, value: string | undefined, inline: boolean): string {
  // `--id --name x` is a forgotten value, not the value "--name"; negative numbers are values.
  const forgotten = value === undefined || (!inline && /^-[^\d.]/.test(value));
  if (forgotten || value === "")
    throw new UsageError(`--${spec.name} needs a value: --${spec.name} ${spec.value}`);
  return value;
}

function requireCompleteArguments(command: CommandLine, args: Arguments): void {
  const [least, most] = command.operandCount;
  const { operands } = args;
  for (const { name, value, required, setting } of command.options) {
    if (!required || args.find(name) !== undefined) continue;
    const meant = operands.length > most ? `; did you mean --${name} ${operands[0]}?` : "";
    // An option that can also be set elsewhere is reported missing only after looking there.
    if (setting === undefined) throw new UsageError(`--${name} ${value} is required${meant}`);
    if (meant !== "") throw new UsageError(`found ${operands.length} operands without --${name}${meant}`);
  }
  if (operands.length < least) throw new UsageError(`${command.operands} is missing`);
  if (operands.length <= most) return;
  const expected = most === 0 ? "none" : `only ${command.operands}`;
  throw new UsageError(`unexpected operand "${operands[most]}", expected ${expected}`);
}

/** Names of options, each list with other names that people use for the same. */
const SYNONYMS: readonly (readonly string[])[] = [
  ["format", "f"],
  ["language", "lang", "locale"],
  ["now", "as-of", "date"],
  ["output", "out", "o"],
  ["port", "p"],
  ["ruleset", "policy", "preset", "r"],
];

/** Options that would have a key where every user of the machine can read it. */
const KEY_NAMES: readonly string[] = ["key", "api-key", "apikey", "token"];

/** An option that its command does not have. */
export class UnknownOptionError extends UsageError {
  /** Its name without dashes, or the one that it probably means. */
  readonly option: string;
  /** True if the message already says what to write instead. */
  readonly isExplained: boolean;

  /**
   * @param written the option as on the command line
   * @param known names of the command's options
   */
  constructor(written: string, known: Iterable<string>) {
    const [name, names] = [written.replace(/^-+/, ""), [...known]];
    const synonyms = SYNONYMS.find((each) => each.includes(name)) ?? [name];
    const nearest =
      names.find((each) => synonyms.includes(each)) ??
      findNearestName(name, names) ??
      names.find((each) => name.length > 1 && (each.startsWith(name) || name.startsWith(`${each}-`)));
    const hint =
      nearest !== undefined
        ? `; did you mean --${nearest}?`
        : KEY_NAMES.includes(name)
          ? "; no command takes an API key: requests to the service send it in the header Authorization: Bearer KEY"
          : "";
    super(`unknown option ${written}${hint}`);
    this.option = synonyms[0]!;
    this.isExplained = hint !== "";
  }
}
