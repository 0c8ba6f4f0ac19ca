import type { Random } from "./random.ts";

/** A listed company; one row an identifier. All names and numbers are made up. */
export interface RegisterRow {
  readonly record: string;
  readonly name: string;
  readonly id_type: string;
  readonly id_value: string;
  readonly program: string;
  /** dd/MM/yyyy, as registers often have it. */
  readonly listed_on: string;
}

const PROGRAMS = ["FOREST", "LABOUR", "TRADE", "MINING"];
const TRADES = ["Agropecuária", "Madeiras", "Minérios", "Trading", "Exportadora", "Fazendas"];

export function randomRegisterRows(
  random: Random,
  count: number,
  companyName: (random: Random) => string,
): RegisterRow[] {
  const rows: RegisterRow[] = [];
  for (let i = 1; i <= count; i++) {
    const common = {
      record: `DEMO-${String(i).padStart(4, "0")}`,
      name: `${random.pick(TRADES)} ${companyName(random)} Ltda (fictional)`,
      program: random.pick(PROGRAMS),
      listed_on: `${padTwoDigits(random.integer(1, 28))}/${padTwoDigits(random.integer(1, 12))}/${random.integer(2015, 2024)}`,
    };
    rows.push({ ...common, id_type: "CNPJ", id_value: randomCnpj(random) });
    if (random.next() < 0.3) rows.push({ ...common, id_type: "LEI", id_value: randomLei(random) });
  }
  return rows;
}

/** A CNPJ as it is printed, of a company's first establishment. */
export function randomCnpj(random: Random): string {
  return formatCnpj(Array.from({ length: 8 }, () => random.integer(0, 9)).concat([0, 0, 0, 1]));
}

/** The CNPJ of the same company's second establishment. */
export function toBranchCnpj(printed: string): string {
  const root = [...printed].filter((letter) => letter >= "0" && letter <= "9").slice(0, 8);
  return formatCnpj(root.map(Number).concat([0, 0, 0, 2]));
}

/** With right check digits (modulo 11, Receita Federal). */
function formatCnpj(base: readonly number[]): string {
  const digits = [...base];
  for (const weights of [
    [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
    [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
  ]) {
    const rest = weights.reduce((sum, weight, i) => sum + weight * (digits[i] as number), 0) % 11;
    digits.push(rest < 2 ? 0 : 11 - rest);
  }
  const text = digits.join("");
  return `${text.slice(0, 2)}.${text.slice(2, 5)}.${text.slice(5, 8)}/${text.slice(8, 12)}-${text.slice(12)}`;
}

/** A legal entity identifier with right check digits (ISO 17442, ISO 7064 mod 97-10). */
export function randomLei(random: Random): string {
  const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const body = `9999${Array.from({ length: 14 }, () => letters[random.integer(0, 35)]).join("")}`;
  const rest = [...`${body}00`].reduce((value, letter) => {
    const digit = letters.indexOf(letter);
    return (value * (digit > 9 ? 100 : 10) + digit) % 97;
  }, 0);
  return body + padTwoDigits(98 - rest);
}

function padTwoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
