import type { VerdictWords } from "../en/verdict.ts";
import { formatCountWithNoun } from "../formats.ts";
import type { Translation } from "../translation.ts";

/** Words of verdicts, in Spanish. */
export const verdict: Translation<VerdictWords> = {
  /** Words of verdicts, and of the outcomes of checks. */
  outcomes: {
    COMPLIANT: "Conforme",
    WARNING: "Advertencia",
    NON_COMPLIANT: "No conforme",
    DEGRADED: "Incompleto",
    NOTICE: "Aviso",
  },
  /** The same for a plot that has no verdict: it was refused, or is still to be evaluated. */
  refused: "No se puede verificar",
  notChecked: "Sin verificar",
  /** Results of checks and of their comparisons. */
  undecided: "Sin decidir",
  passed: "Aprobada",
  checkFailed: "No aprobada",
  met: "se cumple",
  notMet: "no se cumple",
  waived: "dispensada",
  unknown: "desconocido",
  days: (count, shown) => formatCountWithNoun(count, shown, "día"),
  seconds: (count, shown) => formatCountWithNoun(count, shown, "segundo"),
  /** Names of measures of a set. */
  measures: {
    count: ({ set }) => `Número de coincidencias en ${set}`,
    overlap_area_m2: ({ set }) => `Superficie de la parcela cubierta por ${set}`,
    overlap_ratio: ({ set, of }) => `Parte de ${of ?? "la parcela"} cubierta por ${set}`,
    max_overlap_area_m2: ({ set }) => `Mayor solapamiento individual con ${set}`,
    area_overlap_ratio: ({ set }) => `Mayor parte de un área de ${set} que cubre la parcela`,
    min_distance_m: ({ set }) => `Distancia al área más cercana de ${set}`,
    sum: ({ set, column }) => `Suma de ${column} en ${set}`,
    min: ({ set, column }) => `Menor valor de ${column} en ${set}`,
    max: ({ set, column }) => `Mayor valor de ${column} en ${set}`,
    avg: ({ set, column }) => `Media de ${column} en ${set}`,
    mean: ({ set, column }) => `Media de ${column} en ${set}, por superficie`,
  },
  /** How far a value is from its limit. */
  ruler: {
    points: "puntos porcentuales",
    below: (shown) => `${shown} por debajo del límite`,
    at: "en el límite",
    above: (shown) => `${shown} por encima del límite`,
  },
  /** The sentence on why a verdict is what it is: each phrase for one check, and for several, after their number. */
  reasons: {
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
    noSource: (count, shown) =>
      `Ninguna fuente cubre esta parcela. ${count === 1 ? "La única comprobación no se pudo decidir" : `Ninguna de las ${shown} comprobaciones se pudo decidir`}.`,
  },
  /** Why a check is open. */
  open: {
    notDecided: (gap) => `Sin decidir (${gap})`,
    gaps: {
      coverage: "Sin cobertura",
      age: "Demasiado antiguo",
      left_out: "Fuente incompleta",
      without: "Fuente omitida",
      null: "Indeterminado",
      identifier: "Identificador no válido",
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
  /** Land of a plot on a map of one year. */
  context: {
    titles: {
      "preset:forest_2020": "Bosque de 2020",
      "preset:tree_cover_2020": "Cobertura arbórea de 2020",
      "preset:commodities_2020": "Cultivos de 2020",
      "preset:forest_types_2020": "Tipos conocidos de bosque de 2020",
    },
    onPlot: "en la parcela",
    unknown: "no se sabe",
    atLeast: "al menos",
  },
  /** Facts that an applicant declares. Questions are quoted from the ruleset. */
  facts: {
    declared: "Declarado, no examinado",
    question: "Pregunta",
    value: "Declarado",
    required: "Comparado con",
    result: "Resultado",
    notDeclared: "no declarado",
    notBrought: "no aportado",
    open: "Abierta: no declarado",
    yes: "sí",
    no: "no",
    valid: "válido",
    notValid: "no válido",
    isValid: (document) => `el documento para ${document} es válido`,
    isNotValid: (document) => `el documento para ${document} no es válido, o no se aportó`,
    met: "se cumple",
    notMet: "no se cumple",
    unknown: "desconocido",
    issuer: "Emitido por",
    issuedOn: "Emitido el",
    validUntil: "Válido hasta",
    withoutEnd: "sin fin",
    area: "Superficie",
    digest: "Resumen",
    evaluatedOn: "el día de la evaluación",
    evaluationDay: "Día de la evaluación",
    member: {
      area_m2: (document) => `la superficie en el documento para ${document}`,
      issued_on: (document) => `el día de emisión del documento para ${document}`,
      valid_until: (document) => `el último día del documento para ${document}`,
    },
    toBring: "Qué aportar",
    wouldChange: "Qué lo cambiaría",
    anyOne: "Cualquiera de estos:",
    together: (parts) => `en conjunto: ${parts}`,
    validDocument: (document) => `un documento válido para ${document}`,
    declaration: (subject, value) => `una declaración para ${subject}: ${value}`,
    supposed: (subject, value) => `si la respuesta para ${subject} fuera ${value}`,
    supposedMember: (subject, value) => `si ${subject} fuera ${value}`,
    anyValue: "cualquier valor",
    or: "o",
    and: "y",
    atLeast: (value) => `como mínimo ${value}`,
    above: (value) => `más de ${value}`,
    atMost: (value) => `como máximo ${value}`,
    below: (value) => `menos de ${value}`,
    onOrAfter: (day) => `${day} o después`,
    onOrBefore: (day) => `${day} o antes`,
    quoted: (text) => `«${text}»`,
    ofLand: ["de la parcela", "del predio declarado"],
    onProperty: "en el predio declarado",
    measuredOnProperty: "medido en el predio declarado",
    property: "el predio declarado",
    areaOfProperty: "Superficie del predio declarado",
    notCompliant: "no conforme",
    aWarning: "una advertencia",
    without: (outcome, documents) => `${outcome} sin ${documents} (declarado)`,
    more: (count) => `${count} más`,
    openFacts: (open, count, checks) =>
      `${open} de ${checks} ${count === 1 ? "comprobación" : "comprobaciones"} no ${open === "1" ? "se pudo decidir" : "se pudieron decidir"}, porque no se declararon hechos que el conjunto de reglas pide.`,
  },
};
