import type { CheckResult, VerdictStatus } from "@groundrule/engine";
import { FIGURES } from "./figures.ts";
import type { Language } from "./languages.ts";
import { shortenText } from "./shortened.ts";

export { holds } from "./holds.ts";
export { type LimitRuler, limitRuler } from "./limit-ruler.ts";

/** Input of the sentence; a `Verdict` has it. */
export interface Reasoned {
  /** Verdict, which decides the beginning of the sentence. */
  readonly verdict: VerdictStatus;
  /** All checks of the ruleset, in its order. */
  readonly checks: readonly Pick<CheckResult, "id" | "title" | "status" | "outcome" | "triggered">[];
}

/** Outcomes of checks, in the order in which they decide a verdict. */
const FATES = [
  "failed",
  "openFailed",
  "look",
  "openLook",
  "undecided",
  "notice",
  "waived",
  "passed",
] as const;

type Fate = (typeof FATES)[number];

/** Phrase for one check, and for several, after their number. */
type Said = readonly [one: string, several: string];

interface ReasonWords extends Readonly<Record<Fate, Said>> {
  readonly of: (count: string, all: string) => string;
  readonly only: string;
  readonly all: (count: string) => string;
  readonly more: (count: string) => string;
}

/** No sentence has more of a title than this. */
const TITLE_LETTERS = 120;
/** Most checks named in all: if many did not pass, the list below shows the others. */
const NAMED = 3;

/**
 * Why a verdict is what it is: `1 of 3 checks failed: overlaps a protected area.` Then a sentence on each other kind of
 * check that did not pass, which names them as long as few were named. The ruleset's titles stand in it, cut where they are long, with a small first letter.
 *
 * @returns plain text
 */
export function describeReason({ verdict, checks }: Reasoned, language: Language): string {
  const words = WORDS[language];
  const kinds = Map.groupBy(checks, toFate);
  // If a verdict leaves something open, that comes first; if it passes, the passed checks.
  const first: readonly Fate[] =
    verdict === "DEGRADED" ? ["undecided"] : verdict === "COMPLIANT" ? ["passed"] : [];
  const shown = [...new Set([...first, ...FATES])].filter(
    (fate) => kinds.has(fate) && (fate !== "passed" || verdict === "COMPLIANT"),
  );
  const plain = (count: number): string => FIGURES[language].plain(count);
  const all = plain(checks.length);
  let left = NAMED;
  return shown
    .map((fate, i) => {
      const group = kinds.get(fate)!;
      const count = plain(group.length);
      const [one, several] = words[fate];
      const isWhole = group.length === checks.length;
      const who = isWhole
        ? checks.length === 1
          ? words.only
          : words.all(count)
        : i === 0
          ? words.of(count, all)
          : count;
      const names = fate === "passed" ? [] : group.slice(0, left).map(toCheckName);
      left -= names.length;
      if (names.length > 0 && group.length > names.length) {
        names.push(words.more(plain(group.length - names.length)));
      }
      return `${who} ${group.length === 1 ? one : several}${names.length > 0 ? `: ${names.join("; ")}` : ""}.`;
    })
    .join(" ");
}

function toFate({ status, outcome, triggered }: Reasoned["checks"][number]): Fate {
  if (status === "failed") return "undecided";
  const counts = outcome === "NON_COMPLIANT" || outcome === "WARNING";
  if (status !== "ok") {
    if (!counts) return "waived";
    return outcome === "WARNING" ? "openLook" : "openFailed";
  }
  if (!triggered) return "passed";
  if (!counts) return "notice";
  return outcome === "WARNING" ? "look" : "failed";
}

/**
 * A title as it stands within a sentence: what seems to begin with a name or an abbreviation keeps its capital, and so
 * does an id.
 */
function toCheckName({ title, id }: Reasoned["checks"][number]): string {
  if (title === undefined) return id;
  const text = shortenText(title.trim().replace(/\.$/, ""), TITLE_LETTERS);
  return /^\p{Lu}(?:\p{Ll}*(?![\p{L}\p{N}.'’-]| [\p{Lu}\p{N}])|\p{Ll}? )/u.test(text)
    ? `${text.charAt(0).toLowerCase()}${text.slice(1)}`
    : text;
}

const WORDS: Readonly<Record<Language, ReasonWords>> = {
  en: {
    of: (count, all) => `${count} of ${all} checks`,
    only: "The only check",
    all: (count) => `All ${count} checks`,
    more: (count) => `and ${count} more`,
    failed: ["failed", "failed"],
    openFailed: ["could not be decided and counts as failed", "could not be decided and count as failed"],
    look: ["needs a look", "need a look"],
    openLook: ["could not be decided and needs a look", "could not be decided and need a look"],
    undecided: [
      "could not be decided, because a source failed",
      "could not be decided, because a source failed",
    ],
    notice: ["gives a notice", "give a notice"],
    waived: ["could not be decided and is waived", "could not be decided and are waived"],
    passed: ["passed", "passed"],
  },
  pt: {
    of: (count, all) => `${count} de ${all} verificações`,
    only: "A única verificação",
    all: (count) => `Todas as ${count} verificações`,
    more: (count) => `e mais ${count}`,
    failed: ["foi reprovada", "foram reprovadas"],
    openFailed: [
      "não pôde ser decidida e conta como reprovada",
      "não puderam ser decididas e contam como reprovadas",
    ],
    look: ["requer atenção", "requerem atenção"],
    openLook: ["não pôde ser decidida e requer atenção", "não puderam ser decididas e requerem atenção"],
    undecided: [
      "não pôde ser decidida, porque uma fonte falhou",
      "não puderam ser decididas, porque uma fonte falhou",
    ],
    notice: ["dá um aviso", "dão um aviso"],
    waived: ["não pôde ser decidida e é dispensada", "não puderam ser decididas e são dispensadas"],
    passed: ["foi aprovada", "foram aprovadas"],
  },
  es: {
    of: (count, all) => `${count} de ${all} comprobaciones`,
    only: "La única comprobación",
    all: (count) => `Las ${count} comprobaciones`,
    more: (count) => `y ${count} más`,
    failed: ["no se aprobó", "no se aprobaron"],
    openFailed: [
      "no se pudo decidir y cuenta como no aprobada",
      "no se pudieron decidir y cuentan como no aprobadas",
    ],
    look: ["requiere atención", "requieren atención"],
    openLook: ["no se pudo decidir y requiere atención", "no se pudieron decidir y requieren atención"],
    undecided: [
      "no se pudo decidir, porque falló una fuente",
      "no se pudieron decidir, porque falló una fuente",
    ],
    notice: ["da un aviso", "dan un aviso"],
    waived: ["no se pudo decidir y se dispensa", "no se pudieron decidir y se dispensan"],
    passed: ["se aprobó", "se aprobaron"],
  },
};
