import type { AnswerWords } from "../en/answers.ts";
import type { Translation } from "../translation.ts";

/** Texts of verdicts with their groups of checks, and of answers, in Portuguese. */
export const answers: Translation<AnswerWords> = {
  worst: (title, value, limit) => `${title}: ${value}; o limite é ${limit}.`,
  groups: {
    fails: "Reprovadas",
    look: "Pedem uma revisão",
    unanswered: "Ainda sem resposta",
    notices: "Avisos",
    passed: "Aprovadas",
  },
  over: "além do limite",
  within: "dentro do limite",
  sameAreas: (areas) => `As mesmas áreas de cima: ${areas}`,
  missing: "faltando",
  provided: "apresentado",
  answer: "Responder",
  canLift: (checks) => `Pode resolver: ${checks}`,
  decides: (checks) => `Decide: ${checks}`,
  changed: {
    answers: "As respostas mudaram desde este veredito.",
    ruleset: "As regras mudaram desde este veredito.",
  },
  needsSources: (ruleset, count, shown) =>
    `${ruleset} precisa de ${count === 1 ? "uma fonte que não está aqui" : `${shown} fontes que não estão aqui`}:`,
  askForSources: "Peça ao seu operador ou escolha outras regras.",
  noOutline: "Esta parcela não tem contorno. Adicione os vértices dela ou remova-a.",
  swapped: (here, swapped) =>
    `Longitude e latitude estão trocadas. Lugar como está escrito: ${here ?? "mar"}; com elas trocadas: ${swapped ?? "mar"}.`,
  areas: (declared, measured, change) => `Área declarada: ${declared}; medida: ${measured} (${change}).`,
  degraded: (word) =>
    `Uma fonte falhou, então este veredito não é definitivo. O veredito definitivo será este ou pior: ${word}. Nada foi cobrado; verifique de novo mais tarde.`,
  sources: {
    collected: (day) => `coletada em ${day}`,
    ageOf: (age, limit) => `coletada há ${age}, limite ${limit}`,
    overdue: "uma edição mais nova está atrasada",
    world: "o mundo inteiro",
    andMore: (names, count) => `${names} e mais ${count}`,
    licence: "Licença",
    edition: "Edição",
    copy: "Copiar",
    copied: "Copiado",
    covers: "Cobre",
    usedBy: (count) => (count === 1 ? "Usada por 1 verificação" : `Usada por ${count} verificações`),
  },
  form: {
    title: "Respostas",
    documents: "Documentos",
    thisPlot: "Esta parcela",
    allPlots: (plots) => `Todas as ${plots} parcelas`,
    help: "Ninguém examina estas respostas: o veredito diz que foram declaradas.",
    answered: (answered, all) => `${answered} de ${all}`,
    notAnswered: "Não informado",
    number: "Número ou nome",
    area: "Área em hectares",
    optional: "opcional",
    incomplete: "Faltam número, emissor ou dia da emissão.",
    endsBefore: "Termina antes do dia da emissão.",
    outside: (min, max) =>
      min === undefined
        ? `Informe no máximo ${max}.`
        : max === undefined
          ? `Informe no mínimo ${min}.`
          : `Informe um número de ${min} a ${max}.`,
    property: "Imóvel",
    propertyHelp:
      "O imóvel inteiro em volta desta parcela: polígonos em um arquivo GeoJSON, no sistema de referência da parcela.",
    addProperty: "Adicionar o imóvel",
    changeProperty: "Abrir outro",
    removeProperty: "Remover o imóvel",
    noPolygons: (file) => `${file} não é um GeoJSON com polígonos.`,
    choosePlot: "Escolha uma parcela para adicionar o imóvel dela.",
    changed: (what) => `Alterado: ${what}`,
    leaveOut: (facts) => `Deixar de fora o que o conjunto de regras não pede: ${facts}`,
  },
};
