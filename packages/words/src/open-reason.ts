import type { CheckResult, OpenReason } from "@groundrule/engine";
import { FIGURES } from "./figures.ts";
import type { Language } from "./languages.ts";

/** Names a source as readers know it. */
export type SourceTitle = (sourceName: string) => string;

/** Reasons for an open check, a sentence for each; for a record that does not state them, a sentence about that. */
export function openTexts(
  { status, open }: Pick<CheckResult, "status" | "open">,
  language: Language,
  titleOf: SourceTitle = (name) => name,
): string[] {
  if (status === "ok") return [];
  if (open === undefined || open.length === 0) return [WORDS[language].unstated];
  return open.map((reason) => formatOpenReason(reason, language, titleOf));
}

/** The reason why a check is not decided, in a word: the first of its reasons. */
export function gapWord({ status, open }: Pick<CheckResult, "status" | "open">, language: Language): string {
  const words = WORDS[language];
  const because = open?.[0]?.because ?? BECAUSE_OF[status];
  return because === undefined ? words.gaps.coverage : words.gaps[because];
}

/** The reason that a status alone lets one expect. */
const BECAUSE_OF: Readonly<Record<string, OpenReason["because"]>> = {
  failed: "failed",
  not_covered: "coverage",
  undetermined: "null",
  not_declared: "fact",
};

function formatOpenReason(reason: OpenReason, language: Language, titleOf: SourceTitle): string {
  const words = WORDS[language];
  const {
    source_name,
    covered_ratio = 0,
    age_days,
    max_age_days,
    areas = 0,
    fact,
    pointer = "",
    proposed,
  } = reason;
  const source = source_name === undefined ? "" : titleOf(source_name);
  const formats = FIGURES[language];
  switch (reason.because) {
    case "coverage":
      if (covered_ratio === 1) return words.surroundings(source);
      return covered_ratio === 0
        ? words.uncovered(source)
        : words.covered(source, formats.share(covered_ratio));
    case "age": {
      const most = formats.plain(max_age_days ?? 0);
      return age_days === undefined
        ? words.ageless(source, most)
        : words.old(source, formats.plain(age_days), most);
    }
    case "fact":
      return fact === undefined ? words.property : words.fact(fact);
    case "null":
      return words.noValue(source, areas, formats.plain(areas));
    case "identifier":
      return proposed === undefined ? words.identifier(pointer) : words.proposed(pointer, proposed);
    case "left_out":
      return words.leftOut(source, areas, formats.plain(areas));
    case "failed":
      return words.failed(source);
    case "without":
      return words.without(source);
  }
}

interface OpenWords {
  /** The missing thing in a word, as it stands before an outcome: `Too old: Warning`. */
  readonly gaps: Readonly<Record<OpenReason["because"], string>>;
  readonly unstated: string;
  readonly covered: (source: string, share: string) => string;
  readonly uncovered: (source: string) => string;
  readonly surroundings: (source: string) => string;
  readonly old: (source: string, days: string, most: string) => string;
  readonly ageless: (source: string, most: string) => string;
  readonly fact: (name: string) => string;
  readonly property: string;
  readonly noValue: (source: string, count: number, shown: string) => string;
  readonly identifier: (pointer: string) => string;
  readonly proposed: (pointer: string, value: string) => string;
  readonly leftOut: (source: string, count: number, shown: string) => string;
  readonly failed: (source: string) => string;
  readonly without: (source: string) => string;
}

const WORDS: Readonly<Record<Language, OpenWords>> = {
  en: {
    gaps: {
      coverage: "Not covered",
      age: "Too old",
      left_out: "Not covered",
      without: "Not covered",
      null: "Undetermined",
      identifier: "Undetermined",
      fact: "Not declared",
      failed: "Undecided",
    },
    unstated: "The record does not state why the check could not be decided.",
    covered: (source, share) =>
      `${source} covers ${share} of the plot. It is not known what is on the rest of it.`,
    uncovered: (source) => `${source} does not cover the plot.`,
    surroundings: (source) =>
      `${source} covers the plot, but not all of the surroundings that the check examines.`,
    old: (source, days, most) => `${source} is ${days} days old; the ruleset allows ${most}.`,
    ageless: (source, most) => `The age of ${source} is not known; the ruleset allows ${most} days.`,
    fact: (name) => `The fact “${name}” was not declared.`,
    property: "The property was not declared.",
    noValue: (source, count, shown) =>
      `${shown} ${count === 1 ? "area" : "areas"} of ${source} may count or not: a value that the check needs is missing. It can be filled in the source, tested for with IS NULL, or decided by “unknown” in the ruleset.`,
    identifier: (pointer) =>
      `The identifier at ${pointer} has a length, characters or check digits that its scheme excludes.`,
    proposed: (pointer, value) =>
      `The identifier at ${pointer} has a length that its scheme excludes; with lost zeros it would be ${value}.`,
    leftOut: (source, count, shown) =>
      `${shown} ${count === 1 ? "feature" : "features"} of ${source} at the plot could not be stored.`,
    failed: (source) => `${source} failed.`,
    without: (source) => `The evaluation was to do without ${source}.`,
  },
  pt: {
    gaps: {
      coverage: "Sem cobertura",
      age: "Antigo demais",
      left_out: "Sem cobertura",
      without: "Sem cobertura",
      null: "Indeterminado",
      identifier: "Indeterminado",
      fact: "Não declarado",
      failed: "Sem decisão",
    },
    unstated: "O registro não informa por que a verificação não pôde ser decidida.",
    covered: (source, share) => `${source} cobre ${share} da parcela. Não se sabe o que há no resto dela.`,
    uncovered: (source) => `${source} não cobre a parcela.`,
    surroundings: (source) =>
      `${source} cobre a parcela, mas não todos os arredores que a verificação examina.`,
    old: (source, days, most) => `${source} tem ${days} dias; o conjunto de regras permite ${most}.`,
    ageless: (source, most) =>
      `A idade de ${source} não é conhecida; o conjunto de regras permite ${most} dias.`,
    fact: (name) => `O fato “${name}” não foi declarado.`,
    property: "O imóvel não foi declarado.",
    noValue: (source, count, shown) =>
      `${shown} ${count === 1 ? "área de" : "áreas de"} ${source} ${count === 1 ? "pode" : "podem"} contar ou não: falta um valor de que a verificação precisa. Pode-se preenchê-lo na fonte, testá-lo com IS NULL ou decidir por “unknown” no conjunto de regras.`,
    identifier: (pointer) =>
      `O identificador em ${pointer} tem comprimento, caracteres ou dígitos verificadores que o seu esquema exclui.`,
    proposed: (pointer, value) =>
      `O identificador em ${pointer} tem um comprimento que o seu esquema exclui; com os zeros perdidos seria ${value}.`,
    leftOut: (source, count, shown) =>
      `${shown} ${count === 1 ? "feição" : "feições"} de ${source} na parcela não ${count === 1 ? "pôde ser guardada" : "puderam ser guardadas"}.`,
    failed: (source) => `${source} falhou.`,
    without: (source) => `A avaliação foi feita sem ${source}.`,
  },
  es: {
    gaps: {
      coverage: "Sin cobertura",
      age: "Demasiado antiguo",
      left_out: "Sin cobertura",
      without: "Sin cobertura",
      null: "Indeterminado",
      identifier: "Indeterminado",
      fact: "No declarado",
      failed: "Sin decidir",
    },
    unstated: "El registro no dice por qué no se pudo decidir la comprobación.",
    covered: (source, share) => `${source} cubre ${share} de la parcela. No se sabe qué hay en el resto.`,
    uncovered: (source) => `${source} no cubre la parcela.`,
    surroundings: (source) =>
      `${source} cubre la parcela, pero no todos los alrededores que la comprobación examina.`,
    old: (source, days, most) => `${source} tiene ${days} días; el conjunto de reglas permite ${most}.`,
    ageless: (source, most) =>
      `No se conoce la antigüedad de ${source}; el conjunto de reglas permite ${most} días.`,
    fact: (name) => `No se declaró el hecho “${name}”.`,
    property: "No se declaró el inmueble.",
    noValue: (source, count, shown) =>
      `${shown} ${count === 1 ? "área de" : "áreas de"} ${source} ${count === 1 ? "puede" : "pueden"} contar o no: falta un valor que la comprobación necesita. Se puede completar en la fuente, comprobar con IS NULL o decidir con “unknown” en el conjunto de reglas.`,
    identifier: (pointer) =>
      `El identificador en ${pointer} tiene una longitud, caracteres o dígitos de control que su esquema excluye.`,
    proposed: (pointer, value) =>
      `El identificador en ${pointer} tiene una longitud que su esquema excluye; con los ceros perdidos sería ${value}.`,
    leftOut: (source, count, shown) =>
      `${shown} ${count === 1 ? "elemento" : "elementos"} de ${source} en la parcela no ${count === 1 ? "se pudo guardar" : "se pudieron guardar"}.`,
    failed: (source) => `${source} falló.`,
    without: (source) => `La evaluación se hizo sin ${source}.`,
  },
};
