import type { Language } from "../languages/language.ts";

/** What is said of declared facts. Questions come from the ruleset, as they are quoted. */
export interface FactWords {
  /** Over what an applicant declared: nobody examined it. */
  readonly declared: string;
  readonly question: string;
  readonly value: string;
  readonly required: string;
  readonly result: string;
  readonly notDeclared: string;
  readonly notBrought: string;
  /** Of a check that waits for a fact. */
  readonly open: string;
  readonly yes: string;
  readonly no: string;
  readonly valid: string;
  readonly notValid: string;
  /** A comparison that asks whether a document is valid, within a sentence. */
  readonly isValid: (document: string) => string;
  readonly isNotValid: (document: string) => string;
  readonly met: string;
  readonly notMet: string;
  readonly unknown: string;
  readonly issuer: string;
  readonly issuedOn: string;
  readonly validUntil: string;
  readonly withoutEnd: string;
  readonly area: string;
  readonly digest: string;
  /** The day as a sentence names it, and as the head of its own line: it is neither declared nor measured. */
  readonly evaluatedOn: string;
  readonly evaluationDay: string;
  readonly member: Readonly<Record<string, (document: string) => string>>;
  readonly toBring: string;
  readonly wouldChange: string;
  readonly anyOne: string;
  readonly together: (parts: string) => string;
  readonly validDocument: (document: string) => string;
  readonly declaration: (subject: string, value: string) => string;
  readonly supposed: (subject: string, value: string) => string;
  readonly supposedMember: (subject: string, value: string) => string;
  readonly anyValue: string;
  readonly or: string;
  readonly and: string;
  readonly atLeast: (value: string) => string;
  readonly above: (value: string) => string;
  readonly atMost: (value: string) => string;
  readonly below: (value: string) => string;
  readonly onOrAfter: (day: string) => string;
  readonly onOrBefore: (day: string) => string;
  readonly quoted: (text: string) => string;
  /** What measures say of the plot, and in its place of the property. */
  readonly ofLand: readonly [plot: string, property: string];
  readonly onProperty: string;
  readonly measuredOnProperty: string;
  readonly property: string;
  readonly areaOfProperty: string;
  readonly openFacts: (open: string, count: number, checks: string) => string;
}

const en: FactWords = {
  declared: "Declared, not examined",
  question: "Question",
  value: "Declared",
  required: "Compared with",
  result: "Result",
  notDeclared: "not declared",
  notBrought: "not brought",
  open: "Open: not declared",
  yes: "yes",
  no: "no",
  valid: "valid",
  notValid: "not valid",
  isValid: (document) => `the document for ${document} is valid`,
  isNotValid: (document) => `the document for ${document} is not valid, or not brought`,
  met: "met",
  notMet: "not met",
  unknown: "unknown",
  issuer: "Issued by",
  issuedOn: "Issued on",
  validUntil: "Valid until",
  withoutEnd: "without end",
  area: "Area",
  digest: "Digest",
  evaluatedOn: "the day of the evaluation",
  evaluationDay: "Day of the evaluation",
  member: {
    area_m2: (document) => `the area in the document for ${document}`,
    issued_on: (document) => `the day of issue of the document for ${document}`,
    valid_until: (document) => `the last day of the document for ${document}`,
  },
  toBring: "What to bring",
  wouldChange: "What would change it",
  anyOne: "Any one of these:",
  together: (parts) => `together: ${parts}`,
  validDocument: (document) => `a valid document for ${document}`,
  declaration: (subject, value) => `a declaration for ${subject}: ${value}`,
  supposed: (subject, value) => `if the answer for ${subject} were ${value}`,
  supposedMember: (subject, value) => `if ${subject} were ${value}`,
  anyValue: "any value",
  or: "or",
  and: "and",
  atLeast: (value) => `at least ${value}`,
  above: (value) => `more than ${value}`,
  atMost: (value) => `at most ${value}`,
  below: (value) => `less than ${value}`,
  onOrAfter: (day) => `${day} or later`,
  onOrBefore: (day) => `${day} or earlier`,
  quoted: (text) => `‘${text}’`,
  ofLand: ["of the plot", "of the property"],
  onProperty: "on the property",
  measuredOnProperty: "measured on the property",
  property: "the property",
  areaOfProperty: "Area of the property",
  openFacts: (open, count, checks) =>
    `${open} of ${checks} ${count === 1 ? "check" : "checks"} could not be decided, because facts that the ruleset asks for were not declared.`,
};

const pt: FactWords = {
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
  ofLand: ["da parcela", "do imóvel"],
  onProperty: "no imóvel",
  measuredOnProperty: "medido no imóvel",
  property: "o imóvel",
  areaOfProperty: "Área do imóvel",
  openFacts: (open, count, checks) =>
    `${open} de ${checks} ${count === 1 ? "verificação" : "verificações"} não ${open === "1" ? "pôde ser decidida" : "puderam ser decididas"}, porque fatos que o conjunto de regras pede não foram declarados.`,
};

const es: FactWords = {
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
  ofLand: ["de la parcela", "del predio"],
  onProperty: "en el predio",
  measuredOnProperty: "medido en el predio",
  property: "el predio",
  areaOfProperty: "Superficie del predio",
  openFacts: (open, count, checks) =>
    `${open} de ${checks} ${count === 1 ? "comprobación" : "comprobaciones"} no ${open === "1" ? "se pudo decidir" : "se pudieron decidir"}, porque no se declararon hechos que el conjunto de reglas pide.`,
};

/** The words of each language. */
export const FACT_WORDS: Readonly<Record<Language, FactWords>> = { en, pt, es };
