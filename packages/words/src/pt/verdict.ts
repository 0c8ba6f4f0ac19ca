import type { VerdictWords } from "../en/verdict.ts";
import { formatCountWithNoun } from "../formats.ts";
import type { Translation } from "../translation.ts";

/** Words of verdicts, in Portuguese. */
export const verdict: Translation<VerdictWords> = {
  /** Words of verdicts, and of the outcomes of checks. */
  outcomes: {
    COMPLIANT: "Conforme",
    WARNING: "Alerta",
    NON_COMPLIANT: "Não conforme",
    DEGRADED: "Incompleto",
    NOTICE: "Aviso",
  },
  /** The same for a plot that has no verdict: it was refused, or is still to be evaluated. */
  refused: "Não pode ser verificada",
  notChecked: "Não verificada",
  /** Results of checks and of their comparisons. */
  undecided: "Não decidida",
  passed: "Aprovada",
  checkFailed: "Reprovada",
  met: "atendida",
  notMet: "não atendida",
  waived: "dispensada",
  unknown: "desconhecido",
  days: (count, shown) => formatCountWithNoun(count, shown, "dia"),
  seconds: (count, shown) => formatCountWithNoun(count, shown, "segundo"),
  /** Names of measures of a set. */
  measures: {
    count: ({ set }) => `Número de ocorrências em ${set}`,
    overlap_area_m2: ({ set }) => `Área da parcela coberta por ${set}`,
    overlap_ratio: ({ set, of }) =>
      `Parte ${of === undefined ? "da parcela" : `de ${of}`} coberta por ${set}`,
    max_overlap_area_m2: ({ set }) => `Maior sobreposição individual com ${set}`,
    area_overlap_ratio: ({ set }) => `Maior parte de uma área de ${set} que a parcela cobre`,
    min_distance_m: ({ set }) => `Distância até a área mais próxima de ${set}`,
    sum: ({ set, column }) => `Soma de ${column} em ${set}`,
    min: ({ set, column }) => `Menor valor de ${column} em ${set}`,
    max: ({ set, column }) => `Maior valor de ${column} em ${set}`,
    avg: ({ set, column }) => `Média de ${column} em ${set}`,
    mean: ({ set, column }) => `Média de ${column} em ${set}, por área`,
  },
  /** How far a value is from its limit. */
  ruler: {
    points: "pontos percentuais",
    below: (shown) => `${shown} abaixo do limite`,
    at: "no limite",
    above: (shown) => `${shown} acima do limite`,
  },
  /** The sentence on why a verdict is what it is: each phrase for one check, and for several, after their number. */
  reasons: {
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
    noSource: (count, shown) =>
      `Nenhuma fonte cobre esta parcela. ${count === 1 ? "A única verificação não pôde ser decidida" : `Nenhuma das ${shown} verificações pôde ser decidida`}.`,
  },
  /** Why a check is open. */
  open: {
    notDecided: (gap) => `Sem decisão (${gap})`,
    gaps: {
      coverage: "Sem cobertura",
      age: "Antigo demais",
      left_out: "Fonte incompleta",
      without: "Fonte deixada de fora",
      null: "Indeterminado",
      identifier: "Identificador inválido",
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
  /** Land of a plot on a map of one year. */
  context: {
    titles: {
      "preset:forest_2020": "Floresta de 2020",
      "preset:tree_cover_2020": "Cobertura arbórea de 2020",
      "preset:commodities_2020": "Cultivos de 2020",
      "preset:forest_types_2020": "Tipos conhecidos de floresta de 2020",
    },
    onPlot: "na parcela",
    unknown: "não se sabe",
    atLeast: "pelo menos",
  },
  /** Facts that an applicant declares. Questions are quoted from the ruleset. */
  facts: {
    declared: "Declarado, não examinado",
    question: "Pergunta",
    value: "Declarado",
    required: "Comparado com",
    result: "Resultado",
    notDeclared: "não declarado",
    notBrought: "não apresentado",
    open: "Em aberto: não declarado",
    yes: "sim",
    no: "não",
    valid: "válido",
    notValid: "não válido",
    isValid: (document) => `o documento para ${document} é válido`,
    isNotValid: (document) => `o documento para ${document} não é válido, ou não foi apresentado`,
    met: "cumprido",
    notMet: "não cumprido",
    unknown: "desconhecido",
    issuer: "Emitido por",
    issuedOn: "Emitido em",
    validUntil: "Válido até",
    withoutEnd: "sem prazo",
    area: "Área",
    digest: "Resumo",
    evaluatedOn: "o dia da avaliação",
    evaluationDay: "Dia da avaliação",
    member: {
      area_m2: (document) => `a área no documento para ${document}`,
      issued_on: (document) => `o dia da emissão do documento para ${document}`,
      valid_until: (document) => `o último dia do documento para ${document}`,
    },
    toBring: "O que apresentar",
    wouldChange: "O que mudaria o resultado",
    anyOne: "Qualquer um destes:",
    together: (parts) => `em conjunto: ${parts}`,
    validDocument: (document) => `um documento válido para ${document}`,
    declaration: (subject, value) => `uma declaração para ${subject}: ${value}`,
    supposed: (subject, value) => `se a resposta para ${subject} fosse ${value}`,
    supposedMember: (subject, value) => `se ${subject} fosse ${value}`,
    anyValue: "qualquer valor",
    or: "ou",
    and: "e",
    atLeast: (value) => `no mínimo ${value}`,
    above: (value) => `mais de ${value}`,
    atMost: (value) => `no máximo ${value}`,
    below: (value) => `menos de ${value}`,
    onOrAfter: (day) => `${day} ou depois`,
    onOrBefore: (day) => `${day} ou antes`,
    quoted: (text) => `“${text}”`,
    ofLand: ["da parcela", "do imóvel declarado"],
    onProperty: "no imóvel declarado",
    measuredOnProperty: "medido no imóvel declarado",
    property: "o imóvel declarado",
    areaOfProperty: "Área do imóvel declarado",
    notCompliant: "não conforme",
    aWarning: "um alerta",
    without: (outcome, documents) => `${outcome} sem ${documents} (declarado)`,
    more: (count) => `mais ${count}`,
    openFacts: (open, count, checks) =>
      `${open} de ${checks} ${count === 1 ? "verificação" : "verificações"} não ${open === "1" ? "pôde ser decidida" : "puderam ser decididas"}, porque fatos que o conjunto de regras pede não foram declarados.`,
  },
};
