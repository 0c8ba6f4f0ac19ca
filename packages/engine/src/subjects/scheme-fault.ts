/** The reason why a value cannot be an identifier of its scheme. */
export interface SchemeFault {
  /** `IDENTIFIER_MALFORMED`: length or characters. `CHECK_DIGITS_WRONG`: the check digits do not fit the others. */
  readonly code: "IDENTIFIER_MALFORMED" | "CHECK_DIGITS_WRONG";
  /** A sentence with the value, what was expected, and the proposal. */
  readonly message: string;
  /** The canonical value that fits once lost leading zeros are restored. A proposal: no look-up uses it. */
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
export function schemeFault(
  { type, value }: { readonly type: string; readonly value: string },
  match: "equals" | "root" = "equals",
): SchemeFault | undefined {
  const form = FORMS.get(type);
  if (form === undefined || isExact(form, value)) return undefined;
  if (match === "root" && form.root?.test(value) === true) return undefined;
  const isComplete = form.shape.test(value);
  const restored = form.zeros && /^[0-9]+$/.test(value) ? value.padStart(form.length, "0") : value;
  const proposed = !isComplete && isExact(form, restored) ? restored : undefined;
  const expected = isComplete
    ? `the check digits of ${type} "${value}" are wrong`
    : `found "${value}", expected ${form.described} for ${type}`;
  return {
    code: isComplete ? "CHECK_DIGITS_WRONG" : "IDENTIFIER_MALFORMED",
    message: proposed === undefined ? expected : `${expected}; with lost leading zeros it is "${proposed}"`,
    ...(proposed !== undefined && { proposed }),
  };
}

/** Whether the form of a scheme's values is known, so that {@link schemeFault} can exclude some. */
export function hasKnownForm(type: string): boolean {
  return FORMS.has(type);
}

function isExact({ shape, fits }: Form, value: string): boolean {
  return shape.test(value) && fits(value);
}

interface Form {
  readonly length: number;
  readonly shape: RegExp;
  readonly described: string;
  /** Whether a spreadsheet can read a value as a number and drop its leading zeros. */
  readonly zeros: boolean;
  /** Values that are well-formed where a company is compared with its branches. */
  readonly root?: RegExp;
  /** Whether the check digits fit; true of schemes that have none. */
  readonly fits: (value: string) => boolean;
}

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  [
    "br:cnpj",
    {
      length: 14,
      shape: /^[0-9A-Z]{12}[0-9]{2}$/,
      described: "12 digits or letters and 2 check digits",
      zeros: true,
      root: /^[0-9A-Z]{8}$/,
      // Instrução Normativa RFB 2.229/2024: letters count their character code less 48, as digits do.
      fits: (value) =>
        !isRepeated(value) &&
        brazilianDigit(value.slice(0, 12), 9) === value[12] &&
        brazilianDigit(value.slice(0, 13), 9) === value[13],
    },
  ],
  [
    "br:cpf",
    {
      length: 11,
      shape: /^[0-9]{11}$/,
      described: "11 digits",
      zeros: true,
      fits: (value) =>
        !isRepeated(value) &&
        brazilianDigit(value.slice(0, 9), 11) === value[9] &&
        brazilianDigit(value.slice(0, 10), 11) === value[10],
    },
  ],
  [
    "us:ein",
    {
      length: 9,
      // Prefixes that the Internal Revenue Service has issued: "How EINs are assigned and valid EIN prefixes".
      shape: /^(?:0[1-6]|1[0-6]|2[0-7]|3[0-9]|4[0-8]|5[0-9]|6[0-8]|7[1-7]|8[0-8]|9[0-5]|9[89])[0-9]{7}$/,
      described: "9 digits with a prefix that was issued",
      zeros: true,
      fits: () => true,
    },
  ],
  [
    "iso:lei",
    {
      length: 20,
      shape: /^[0-9A-Z]{18}[0-9]{2}$/,
      described: "18 digits or letters and 2 check digits",
      zeros: false,
      fits: (value) => mod97(value) === 1,
    },
  ],
]);

function isRepeated(value: string): boolean {
  return /^(.)\1*$/.test(value);
}

/**
 * Check digit by modulo 11: weights 2, 3, … up to `greatestWeight` and round again, from the right.
 * A remainder of 0 or 1 gives 0.
 */
function brazilianDigit(characters: string, greatestWeight: number): string {
  let sum = 0;
  for (let i = characters.length - 1, weight = 2; i >= 0; i--) {
    sum += (characters.charCodeAt(i) - 48) * weight;
    weight = weight === greatestWeight ? 2 : weight + 1;
  }
  const remainder = sum % 11;
  return remainder < 2 ? "0" : String(11 - remainder);
}

/** Remainder of ISO 7064 MOD 97-10: letters stand for 10 to 35. */
function mod97(value: string): number {
  let remainder = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    remainder = (code < 58 ? remainder * 10 + code - 48 : remainder * 100 + code - 55) % 97;
  }
  return remainder;
}
