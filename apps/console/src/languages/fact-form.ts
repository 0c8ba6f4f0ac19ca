import type { LanguageTag } from "./language.ts";

/** Texts of the form for facts that verdicts do not share. They are loaded with the form, in every language. */
const en = {
  title: "What only you know",
  help: "Nobody examines these answers: the verdict says that they were declared.",
  answered: (answered: string, all: string): string => `${answered} of ${all} answered`,
  forPlot: (plot: string): string => `For the plot ${plot}`,
  forAll: (plots: string): string => `For all ${plots} plots`,
  sameForAll: "Same for all plots",
  notAnswered: "Not answered",
  number: "Number or name",
  area: "Area in hectares",
  optional: "optional",
  incomplete: "Number, issuer and day of issue are needed.",
  endsBefore: "It ends before it was issued.",
  outside: (min: string | undefined, max: string | undefined): string =>
    min === undefined
      ? `Enter at most ${max}.`
      : max === undefined
        ? `Enter at least ${min}.`
        : `Enter a number from ${min} to ${max}.`,
  property: "Property",
  propertyHelp:
    "The whole property around this plot: polygons in a GeoJSON file, in the reference system of the plot.",
  addProperty: "Add the property",
  changeProperty: "Open another",
  removeProperty: "Remove the property",
  hasProperty: "This plot has its property.",
  noPolygons: (file: string): string => `${file} is no GeoJSON with polygons.`,
  choosePlot: "Choose a plot to add its property.",
  changed: (what: string): string => `Changed: ${what}`,
  leaveOut: (facts: string): string => `Leave out what the ruleset does not ask for: ${facts}`,
};

export type FactFormWords = typeof en;

export const FACT_FORM: Readonly<Record<LanguageTag, FactFormWords>> = {
  en,
  pt: {
    title: "O que só você sabe",
    help: "Ninguém examina estas respostas: o veredito diz que foram declaradas.",
    answered: (answered, all) => `${answered} de ${all} informadas`,
    forPlot: (plot) => `Para a parcela ${plot}`,
    forAll: (plots) => `Para todas as ${plots} parcelas`,
    sameForAll: "Igual para todas as parcelas",
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
    hasProperty: "Esta parcela tem o seu imóvel.",
    noPolygons: (file) => `${file} não é um GeoJSON com polígonos.`,
    choosePlot: "Escolha uma parcela para adicionar o imóvel dela.",
    changed: (what) => `Alterado: ${what}`,
    leaveOut: (facts) => `Deixar de fora o que o conjunto de regras não pede: ${facts}`,
  },
  es: {
    title: "Lo que solo usted sabe",
    help: "Nadie examina estas respuestas: el veredicto dice que fueron declaradas.",
    answered: (answered, all) => `${answered} de ${all} indicadas`,
    forPlot: (plot) => `Para la parcela ${plot}`,
    forAll: (plots) => `Para las ${plots} parcelas`,
    sameForAll: "Igual para todas las parcelas",
    notAnswered: "No indicado",
    number: "Número o nombre",
    area: "Superficie en hectáreas",
    optional: "opcional",
    incomplete: "Faltan el número, el emisor o el día de emisión.",
    endsBefore: "Termina antes del día de emisión.",
    outside: (min, max) =>
      min === undefined
        ? `Indique como máximo ${max}.`
        : max === undefined
          ? `Indique como mínimo ${min}.`
          : `Indique un número de ${min} a ${max}.`,
    property: "Predio",
    propertyHelp:
      "El predio entero alrededor de esta parcela: polígonos en un archivo GeoJSON, en el sistema de referencia de la parcela.",
    addProperty: "Añadir el predio",
    changeProperty: "Abrir otro",
    removeProperty: "Quitar el predio",
    hasProperty: "Esta parcela tiene su predio.",
    noPolygons: (file) => `${file} no es un GeoJSON con polígonos.`,
    choosePlot: "Elija una parcela para añadir su predio.",
    changed: (what) => `Cambiado: ${what}`,
    leaveOut: (facts) => `Dejar fuera lo que el conjunto de reglas no pide: ${facts}`,
  },
};
