/**
 * A setting that an operator can provide by an option, an environment variable, or groundrule.yaml. `SETTINGS` lists
 * them all.
 */
export interface Setting extends SettingEntry {
  /** Name in groundrule.yaml, e.g. `rate_limit`. */
  readonly name: string;
  /** Name of the option without dashes, e.g. `rate-limit`. */
  readonly option: string;
  /** The environment variable, e.g. `GROUNDRULE_RATE_LIMIT`. */
  readonly variable: string;
  readonly placeholder: string;
}

/** A row of the table of settings. */
export interface SettingEntry {
  /** Set if it is not the name with dashes. */
  readonly option?: string;
  /** Placeholder of the value in help texts; absent: `N`. */
  readonly placeholder?: string;
  readonly kind: SettingKind;
  /** The default; absent if there is none, or if `standard` describes it. */
  readonly fallback?: SettingValue;
  /** The default in words. */
  readonly standard?: string;
  /** A one-line description, without the default. */
  readonly help: string;
  /** The setting that provides the same in another form: one place may set only one of the two. */
  readonly rival?: string;
  /** False if the setting is not about how the service serves. */
  readonly serves?: false;
  /** True if its value may contain a secret, which is then never shown. */
  readonly secret?: true;
}

export type SettingValue = string | number;

/** The kind of a value. */
export type SettingKind =
  | { readonly type: "text" }
  /** A path; in groundrule.yaml it is relative to the folder of that file. */
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

/** Prefix of all our environment variables. */
export const VARIABLE_PREFIX = "GROUNDRULE_";

/** The help text of a setting: its description and its default. */
export function formatSettingHelp({ help, fallback, standard }: Setting): string {
  if (standard !== undefined) return `${help} (default: ${standard})`;
  return fallback === undefined ? help : `${help} (default ${fallback})`;
}
