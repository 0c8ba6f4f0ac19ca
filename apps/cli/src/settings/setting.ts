/**
 * Something that an operator can set: by an option, by an environment variable, or in groundrule.yaml.
 * `SETTINGS` lists them all.
 */
export interface Setting extends SettingEntry {
  /** In groundrule.yaml, e.g. `rate_limit`. */
  readonly name: string;
  /** Without its dashes, e.g. `rate-limit`. */
  readonly option: string;
  /** The environment variable, e.g. `GROUNDRULE_RATE_LIMIT`. */
  readonly variable: string;
  readonly placeholder: string;
}

/** What the table says of a setting. */
export interface SettingEntry {
  /** Where it is not the name with dashes. */
  readonly option?: string;
  /** What stands for the value in help texts; absent: `N`. */
  readonly placeholder?: string;
  readonly kind: SettingKind;
  /** The default; absent where there is none, or where `standard` says what it is. */
  readonly fallback?: SettingValue;
  /** What the default is, in words. */
  readonly standard?: string;
  /** What it is, in one line, without its default. */
  readonly help: string;
  /** The setting that holds the same in another way: one place sets one of the two. */
  readonly rival?: string;
  /** Whether it is of how the service serves; most are. */
  readonly serves?: false;
  /** Whether its value may hold a secret, which is then never shown. */
  readonly secret?: true;
}

export type SettingValue = string | number;

/** What a value must be. */
export type SettingKind =
  | { readonly type: "text" }
  /** A path; in groundrule.yaml it starts from the folder of that file. */
  | { readonly type: "path" }
  /** A path or `preset.NAME`. */
  | { readonly type: "ruleset" }
  /** `sqlite:PATH` or `postgres://…`. */
  | { readonly type: "store" }
  | NumberKind
  | { readonly type: "choice"; readonly choices: readonly string[] };

export interface NumberKind {
  readonly type: "number";
  /** Inclusive. */
  readonly least: number;
  /** Inclusive. */
  readonly most: number;
  readonly whole: boolean;
}

/** Begins the name of every environment variable of ours. */
export const VARIABLE_PREFIX = "GROUNDRULE_";

/** What the help says of a setting: what it is, and its default. */
export function helpOf({ help, fallback, standard }: Setting): string {
  if (standard !== undefined) return `${help} (default: ${standard})`;
  return fallback === undefined ? help : `${help} (default ${fallback})`;
}
