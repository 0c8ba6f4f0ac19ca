import type { AnswerWords } from "../en/answers.ts";
import type { Translation } from "../translation.ts";

/** Texts of verdicts with their groups of checks, and of answers, in Spanish. */
export const answers: Translation<AnswerWords> = {
  worst: (title, value, limit) => `${title}: ${value}; el límite es ${limit}.`,
  groups: {
    fails: "No superadas",
    look: "Requieren revisión",
    unanswered: "Aún sin respuesta",
    notices: "Avisos",
    passed: "Superadas",
  },
  over: "más allá del límite",
  within: "dentro del límite",
  sameAreas: (areas) => `Las mismas áreas de arriba: ${areas}`,
  missing: "falta",
  provided: "aportado",
  answer: "Responder",
  canLift: (checks) => `Puede resolver: ${checks}`,
  decides: (checks) => `Decide: ${checks}`,
  changed: {
    answers: "Las respuestas cambiaron desde este veredicto.",
    ruleset: "Las reglas cambiaron desde este veredicto.",
  },
  needsSources: (ruleset, count, shown) =>
    `${ruleset} necesita ${count === 1 ? "una fuente que no está aquí" : `${shown} fuentes que no están aquí`}:`,
  askForSources: "Pídalas a su operador o elija otras reglas.",
  noOutline: "Esta parcela no tiene contorno. Añada sus vértices o quítela.",
  swapped: (here, swapped) =>
    `Longitud y latitud están intercambiadas. Tal como está escrita, la parcela está en ${here ?? "el mar"}; intercambiadas, en ${swapped ?? "el mar"}.`,
  areas: (declared, measured, change) => `Área declarada: ${declared}; medida: ${measured} (${change}).`,
  degraded: (word) =>
    `Una fuente falló, así que este veredicto no es definitivo. El veredicto definitivo será este o peor: ${word}. No se cobró nada; compruebe de nuevo más tarde.`,
  sources: {
    collected: (day) => `recogida el ${day}`,
    ageOf: (age, limit) => `recogida hace ${age}, límite ${limit}`,
    overdue: "una edición más nueva está atrasada",
    world: "el mundo entero",
    andMore: (names, count) => `${names} y ${count} más`,
    licence: "Licencia",
    edition: "Edición",
    copy: "Copiar",
    copied: "Copiado",
    covers: "Cubre",
    usedBy: (count) => (count === 1 ? "Usada por 1 comprobación" : `Usada por ${count} comprobaciones`),
  },
  form: {
    title: "Respuestas",
    documents: "Documentos",
    thisPlot: "Esta parcela",
    allPlots: (plots) => `Las ${plots} parcelas`,
    help: "Nadie examina estas respuestas: el veredicto dice que fueron declaradas.",
    answered: (answered, all) => `${answered} de ${all}`,
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
    noPolygons: (file) => `${file} no es un GeoJSON con polígonos.`,
    choosePlot: "Elija una parcela para añadir su predio.",
    changed: (what) => `Cambiado: ${what}`,
    leaveOut: (facts) => `Dejar fuera lo que el conjunto de reglas no pide: ${facts}`,
  },
};
