import type { KnownScheme } from "../snapshot/scheme-type.ts";

/** The reason why a value cannot be an identifier of its scheme. */
export interface SchemeFault {
  /** `IDENTIFIER_MALFORMED`: length or characters. `CHECK_DIGITS_WRONG`: the check digits do not fit the others. */
  readonly code: "IDENTIFIER_MALFORMED" | "CHECK_DIGITS_WRONG";
  /** The form that the scheme requires, in words. */
  readonly expected: string;
  /** A sentence with the value, what was expected, and the proposal. */
  readonly message: string;
  /**
   * The canonical value that fits without words and signs around it, or once lost leading zeros are restored. A
   * proposal: no look-up uses it.
   */
  readonly proposed?: string;
}

/** Characters of a `br:cnpj` that identify the company; the others identify the branch. */
export const CNPJ_ROOT_LENGTH = 8;

/**
 * Finds why a scheme excludes a value: its length, its characters or its check digits. Schemes without a known form
 * exclude nothing.
 *
 * @param scheme a canonical value with its type
 * @param match with `root`, the first 8 characters of a `br:cnpj` are well-formed too
 */
export function findSchemeFault(
  { type, value }: { readonly type: string; readonly value: string },
  match: "equals" | "root" = "equals",
): SchemeFault | undefined {
  const form = FORMS.get(type);
  if (form === undefined || isExact(form, value)) return undefined;
  if (match === "root" && form.root?.test(value) === true) return undefined;
  const isComplete = form.shape.test(value);
  const expected = isComplete ? "check digits that fit" : `${form.described} for ${type}`;
  const fault = isComplete
    ? `the check digits of ${type} "${value}" are wrong`
    : `found "${value}", expected ${expected}`;
  const code = isComplete ? "CHECK_DIGITS_WRONG" : "IDENTIFIER_MALFORMED";
  const proposed =
    unwrapIdentifier(form, value) ?? (isComplete ? undefined : restoreSpreadsheetIdentifier(form, value));
  if (proposed === undefined) return { code, expected, message: fault };
  const how = value.length > form.length ? "without what surrounds it," : "with lost leading zeros";
  return { code, expected, message: `${fault}; ${how} it is "${proposed}"`, proposed };
}

/** True if the form of a scheme's values is known, so that {@link findSchemeFault} can exclude some. */
export function hasKnownForm(type: string): boolean {
  return FORMS.has(type);
}

/**
 * The identifier in a canonical value that contains nothing else but signs and words that people write around
 * identifiers of the scheme, e.g. `CNPJ Nº`; undefined where there is none.
 */
export function findIdentifierWithin(type: string, value: string): string | undefined {
  const form = FORMS.get(type);
  if (form === undefined) return undefined;
  return isExact(form, value) ? value : unwrapIdentifier(form, value);
}

/** True if a canonical value consists of such words and signs alone. */
export function isSurrounding(type: string, value: string): boolean {
  return FORMS.get(type)?.words.test(withoutSigns(value)) === true;
}

function unwrapIdentifier(form: Form, value: string): string | undefined {
  const bare = withoutSigns(value);
  if (bare.length > SURROUNDED_MAX_LENGTH) return undefined;
  const { length, words } = form;
  for (let at = 0; at + length <= bare.length; at++) {
    const candidate = bare.slice(at, at + length);
    if (!isExact(form, candidate)) continue;
    if (words.test(bare.slice(0, at)) && words.test(bare.slice(at + length))) return candidate;
  }
  return undefined;
}

/** The value with the leading zeros that a spreadsheet dropped, and without the decimal 0 that a program added. */
function restoreSpreadsheetIdentifier(form: Form, value: string): string | undefined {
  const { length } = form;
  const digits = value.match(form.number)?.[1];
  if (digits === undefined || digits.length > length + 1) return undefined;
  const whole = digits.length === length + 1 && form.hasCheckDigits ? digits.replace(/0$/, "") : digits;
  const complete = whole.padStart(length, "0");
  return isExact(form, complete) ? complete : undefined;
}

function withoutSigns(value: string): string {
  return value.normalize("NFKD").replace(SIGNS, "");
}

function isExact({ shape, fits }: Form, value: string): boolean {
  return shape.test(value) && fits(value);
}

interface Form {
  readonly length: number;
  readonly shape: RegExp;
  readonly described: string;
  /** Words, without spaces, that people write before or after a value; the empty text matches. */
  readonly words: RegExp;
  /** A value that a spreadsheet can have read as a number, its digits the first group; matches nothing of others. */
  readonly number: RegExp;
  readonly hasCheckDigits: boolean;
  /** Values that are well-formed where a company is compared with its branches. */
  readonly root?: RegExp;
  /** True if the check digits fit; true of schemes that have none. */
  readonly fits: (value: string) => boolean;
}

/** Punctuation, symbols of Latin 1, and accents; letters and digits of other scripts stay. */
const SIGNS = /[!-/:-@[-`{-\u00bf\u2010-\u205f\u3000-\u303f]|[\u0300-\u036f]/g;
/** Values longer than this are not searched for an identifier with words around it. */
const SURROUNDED_MAX_LENGTH = 96;

const DIGITS = /^['"=]*([0-9]+)['"]*$/;
const NEVER = /^(?!)/;
/** No word may begin another one followed by the rest of it: then a text is divided into words in one way at most. */
const NUMBER_WORDS = "N|NO|NR|NRO|NUM|NUMERO|NUMBER";
const BRAZILIAN_WORDS = new RegExp(`^(?:CNPJ|CPF|CGC|MF|MATRIZ|FILIAL|SEDE|${NUMBER_WORDS})*$`);

const FORMS: ReadonlyMap<string, Form> = new Map<KnownScheme, Form>([
  [
    "br:cnpj",
    {
      length: 14,
      shape: /^[0-9A-Z]{12}[0-9]{2}$/,
      described: "12 digits or letters and 2 check digits",
      words: BRAZILIAN_WORDS,
      number: DIGITS,
      hasCheckDigits: true,
      root: /^[0-9A-Z]{8}$/,
      // Instrução Normativa RFB 2.229/2024: letters count their character code less 48, as digits do.
      fits: (value) =>
        !isRepeated(value) &&
        computeModulo11Digit(value.slice(0, 12), 9) === value[12] &&
        computeModulo11Digit(value.slice(0, 13), 9) === value[13],
    },
  ],
  [
    "br:cpf",
    {
      length: 11,
      shape: /^[0-9]{11}$/,
      described: "11 digits",
      words: BRAZILIAN_WORDS,
      number: DIGITS,
      hasCheckDigits: true,
      fits: (value) =>
        !isRepeated(value) &&
        computeModulo11Digit(value.slice(0, 9), 11) === value[9] &&
        computeModulo11Digit(value.slice(0, 10), 11) === value[10],
    },
  ],
  [
    "us:ein",
    {
      length: 9,
      // Prefixes that the Internal Revenue Service has issued: "How EINs are assigned and valid EIN prefixes".
      shape: /^(?:0[1-6]|1[0-6]|2[0-7]|3[0-9]|4[0-8]|5[0-9]|6[0-8]|7[1-7]|8[0-8]|9[0-5]|9[89])[0-9]{7}$/,
      described: "9 digits with a prefix that was issued",
      words: new RegExp(
        `^(?:EIN|FEIN|TIN|TAX|ID|IRS|FEDERAL|EMPLOYER|IDENTIFICATION|US|USA|${NUMBER_WORDS})*$`,
      ),
      number: DIGITS,
      hasCheckDigits: false,
      fits: () => true,
    },
  ],
  [
    "iso:lei",
    {
      length: 20,
      shape: /^[0-9A-Z]{18}[0-9]{2}$/,
      described: "18 digits or letters and 2 check digits",
      words: new RegExp(`^(?:LEI|LEGAL|ENTITY|IDENTIFIER|CODE|GLEIF|${NUMBER_WORDS})*$`),
      number: NEVER,
      hasCheckDigits: true,
      fits: (value) => computeMod97(value) === 1,
    },
  ],
]);

function isRepeated(value: string): boolean {
  return /^(.)\1*$/.test(value);
}

/**
 * Check digit by modulo 11: weights 2, 3, … up to `greatestWeight` and round again, from the right. The digit for a
 * remainder of 0 or 1 is 0.
 */
function computeModulo11Digit(characters: string, greatestWeight: number): string {
  let sum = 0;
  for (let i = characters.length - 1, weight = 2; i >= 0; i--) {
    sum += (characters.charCodeAt(i) - 48) * weight;
    weight = weight === greatestWeight ? 2 : weight + 1;
  }
  const remainder = sum % 11;
  return remainder < 2 ? "0" : String(11 - remainder);
}

/** Remainder of ISO 7064 MOD 97-10: letters stand for 10 to 35. */
function computeMod97(value: string): number {
  let remainder = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    remainder = (code < 58 ? remainder * 10 + code - 48 : remainder * 100 + code - 55) % 97;
  }
  return remainder;
}
