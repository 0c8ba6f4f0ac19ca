import type { ReportWords } from "../en/report.ts";
import { formatCountWithNoun } from "../formats.ts";
import type { Translation } from "../translation.ts";

/** Spanish, as understood everywhere it is read. */
export const report: Translation<ReportWords> = {
  // Outcomes
  failed: "Falló",
  omitted: "Excluida",

  // Head
  pageTitle: (subject) => `Veredicto de conformidad: ${subject}`,
  runningHead: (subject, verdict, day) => `Veredicto de conformidad · ${subject} · ${verdict} · ${day}`,
  plotById: (id) => `parcela ${id}`,
  aPlot: "una parcela",
  evaluatedWith: "según",
  unnamedRuleset: "un conjunto de reglas sin nombre",
  rulesetVersion: (version) => `versión ${version}`,
  fictionalSources: (_count, sources) => [
    "Datos ficticios: el contenido de ",
    sources,
    " es inventado, y nada de ello vale para la parcela real.",
  ],
  omittedSources: (count, sources) => [
    "Evaluada sin ",
    sources,
    count === 1
      ? ". Esa fuente no cubre nada, y las comprobaciones que podría cambiar quedan sin decidir."
      : ". Esas fuentes no cubren nada, y las comprobaciones que podrían cambiar quedan sin decidir.",
  ],
  areaOfPlot: "Superficie de la parcela",
  centreOfPlot: "Centro de la parcela",
  evaluated: "Evaluada el",
  sourcesUsed: "Fuentes usadas",
  sourcesUsedOldest: (sources, age) => `${sources}, la más antigua recogida ${age} antes`,
  unknownDays: "un número desconocido de días",
  reference: "Referencia",
  identifiers: "Identificadores",
  identifier: "Identificador",
  verdict: "Veredicto",
  mainFacts: "Datos principales",

  // Meaning of the verdict
  degradedMeans: "No se pudo abrir una fuente, así que este veredicto está incompleto.",
  certainCompliant: "Ningún resultado es seguro, así que esto no es una aprobación.",
  certainWarning: "“Advertencia” es seguro, y “No conforme” es posible.",
  certainNonCompliant: "“No conforme” es seguro, digan lo que digan los datos que faltan.",
  openChecks: (open, count, checks) =>
    `Sin decidir: ${open} de ${formatCountWithNoun(count, checks, "comprobación", "comprobaciones")}, porque las fuentes no cubren toda el área que hay que examinar, son demasiado antiguas o tienen una cobertura solo supuesta.`,
  undeterminedChecks: (open, count, checks) =>
    `Sin decidir: ${open} de ${formatCountWithNoun(count, checks, "comprobación", "comprobaciones")}, porque falta un valor o un identificador no puede ser de su tipo.`,
  countsAsCompliant:
    "El conjunto de reglas dispensa estas comprobaciones, así que este veredicto no dice nada sobre ellas.",

  // Evaluated again
  notEvaluatedAgain: "No se evaluó de nuevo.",
  notAvailable: "Las ediciones no estaban disponibles.",
  unverified:
    "Este informe se hizo con la respuesta del servicio. Ejecute groundrule replay para verificarlo.",
  fromTiles: "Las áreas se dibujan a partir de teselas del mapa, generalizadas.",
  recordAlone: "Esta página muestra lo que dice el registro, sin las geometrías de las evidencias.",
  sameButAround: (members) =>
    `Una segunda evaluación da la misma decisión, pero estos miembros que la describen difieren: ${members}.`,
  notConfirmed: "Este registro no está confirmado.",
  secondGives: (replayed, recorded, parts) =>
    `Una segunda evaluación da ${replayed}; el registro dice ${recorded}. Diferencias: ${parts}.`,
  noVerdict: "ningún veredicto",
  nothing: "nada",
  now: "ahora",

  // Maps
  map: "Mapa",
  locator: "Ubicación de la parcela",
  locatorOf: (subject, country) =>
    country === undefined
      ? `Ubicación de ${subject}: un pequeño mapa de países`
      : `Ubicación de ${subject}: un pequeño mapa de ${country} y sus vecinos`,
  mapOfPlot: "La parcela y las evidencias sobre ella.",
  mapAround: "Los alrededores y las evidencias cerca de la parcela.",
  mapTitle: (subject, areas) =>
    areas === 0
      ? `Mapa de ${subject}`
      : `Mapa de ${subject} con ${formatCountWithNoun(areas, `${areas}`, "área")} de las evidencias, que las tablas de abajo enumeran`,
  undrawn: (count) =>
    count === 1
      ? "Un área de las evidencias no está en el mapa, porque su forma no estaba disponible:"
      : `${count} áreas de las evidencias no están en el mapa, porque sus formas no estaban disponibles:`,
  thePlot: "la parcela",
  otherAreas: "otras áreas de las mismas fuentes",
  border: "frontera entre países, generalizada",
  nearestLine: "el camino más corto al área más cercana",
  legendInside: "rayado: parte de un área dentro de la parcela",
  legendOutside: "contorno discontinuo: parte fuera de la parcela",
  legendTiny: "círculo: un área demasiado pequeña para dibujarla",
  legendNumbers: "números: las evidencias de abajo",
  legendNorth: "el norte está arriba; coordenadas en WGS 84",

  // Checks
  checks: "Comprobaciones",
  outcomeWhenTriggered: (outcome) => `resultado cuando no se aprueba: ${outcome}`,
  countsThatAs: (outcome) => `El conjunto de reglas lo cuenta como “${outcome}”.`,
  measured: "Medida",
  anyOfThese: "cualquiera de estas",
  allOfThese: "todas estas",
  value: "Valor",
  threshold: "Límite",
  result: "Resultado",
  noneWithin: (distance) => `ninguna a menos de ${distance}`,
  comparedAs: (compared) => `comparado como ${compared}`,

  // Evidence
  evidence: "Evidencias",
  number: "N.º",
  area: "Área",
  source: "Fuente",
  overlap: "Solapamiento",
  ofThePlot: "de la parcela",
  ofTheArea: "del área",
  distance: "Distancia",
  noName: "sin nombre",
  undetermined: "indeterminada",
  role: "Papel",
  record: "Registro",
  register: "Lista",
  sameEvidence: (check) => ["La evidencia es la de “", check, "”."],
  showingOf: (shown, total, all) =>
    `Se muestran ${shown} de ${formatCountWithNoun(total, all, "evidencia")}, primero los mayores solapamientos, luego las más cercanas. El veredicto las tiene todas en cuenta.`,
  undeterminedFor: (count, shown) =>
    `Para ${formatCountWithNoun(count, shown, "área")} no se pudo decidir el filtro de la comprobación, porque falta un valor; estas áreas están marcadas como “indeterminada”.`,

  // Not determined
  notDetermined: "Sin determinar",
  allDetermined: "Nada: todas las fuentes respondieron, y todas las comprobaciones se decidieron.",
  couldNotBeOpened: "no se pudo abrir",
  wasOmitted: "quedó fuera de la evaluación",
  checkUndecided: (check) => [
    "La comprobación “",
    check,
    "” está sin decidir, porque los datos de las fuentes que fallaron podrían cambiarla.",
  ],
  checkNotAnswered: (check) => ["La comprobación “", check, "” no se decidió."],
  assumedToCover: "no declara cobertura. Se supone que cubre la parcela.",
  coverageAssumed: "no declara cobertura. Se supone que cubre los países de sus áreas.",
  notExamined: "El conjunto de reglas no examina:",
  filterUndecided: (check, count, shown) => [
    "En “",
    check,
    `”, no se pudo decidir el filtro para ${formatCountWithNoun(count, shown, "área")}.`,
  ],
  withoutCountry: (count, shown, source) =>
    count === 1
      ? `${shown} área de ${source} no tiene país y quedó fuera de una comprobación que lo exige.`
      : `${shown} áreas de ${source} no tienen país y quedaron fuera de una comprobación que lo exige.`,

  // Sources
  sources: "Fuentes",
  areasMatched: (count, shown) => formatCountWithNoun(count, shown, "área encontrada", "áreas encontradas"),
  recordsMatched: (count, shown) =>
    formatCountWithNoun(count, shown, "registro encontrado", "registros encontrados"),
  fictional: "ficticia",
  scope: "Alcance",
  cutoff: "Fecha de corte",
  beforeCutoff: "puede terminar antes de la fecha de corte de su grupo; el manifiesto lo permite",
  group: (name) => `Grupo ${name}`,
  name: "Nombre",
  collected: "Recogida el",
  collectedAgo: (day, age) => `${day}, ${age} antes de esta evaluación`,
  observedUntil: "Observada hasta",
  cells: "Celdas",
  cellsOf: (size) => `de ${size}`,
  cellCount: (count, shown, size) =>
    `${shown} ${count === 1 ? "celda" : "celdas"}${size === undefined ? "" : ` de ${size}`}`,
  unknownDay: "en fecha desconocida",
  agelessDay: (day) => `${day}, de antigüedad desconocida`,
  covers: "Cubre",
  coversFull: "toda la parcela",
  coversPart: "una parte de la parcela",
  coversNothing: "nada de la parcela",
  coversUndeclared: "sin declarar; se supone que la fuente cubre la parcela",
  coversAssumed: (covered) => `${covered}, supuesto por los países de sus áreas, no declarado`,
  tooOld: "demasiado antigua para el conjunto de reglas",
  leftOut: "Dejado fuera",
  featuresLeftOut: (count, shown) =>
    count === 1
      ? `${shown} entidad de la fuente no se pudo guardar y no se examinó`
      : `${shown} entidades de la fuente no se pudieron guardar y no se examinaron`,
  rowsLeftOut: (count, shown) =>
    count === 1
      ? `${shown} fila de la fuente no se pudo guardar y no se examinó`
      : `${shown} filas de la fuente no se pudieron guardar y no se examinaron`,
  licence: "Licencia",
  licenceUnavailable: "no disponible",
  licenceNotStated: "no indicada",
  publishedAt: "Publicada en",
  edition: "Edición",
  reason: "Motivo",

  // Input
  input: "Entrada",
  plot: "Parcela",
  plotSent: (discs, polygons, polygonsShown, positions, shown, crs) =>
    `${discs}${formatCountWithNoun(polygons, polygonsShown, "polígono")}, ${formatCountWithNoun(positions, shown, "posición", "posiciones")}, enviada en ${crs}`,
  disc: (hectares) => `un disco de ${hectares} ha alrededor del punto: `,
  discs: (hectares, points) => `un disco de ${hectares} ha alrededor de cada uno de ${points} puntos: `,
  extent: "Extensión",
  extentText: (west, south, east, north) => `oeste ${west}°, sur ${south}°, este ${east}°, norte ${north}°`,
  noPlot: "ninguna; las comprobaciones tratan solo de identificadores",
  digest: "Resumen criptográfico",
  corrections: "Correcciones y advertencias:",

  // How to reproduce
  reproduce: "Cómo reproducir este veredicto",
  reproduceKeep:
    "Guarde el registro a partir del cual se hizo esta página y una carpeta de datos que contenga las ediciones indicadas arriba. Después ejecute, en cualquier máquina y sin red:",
  reproduceMeans:
    "El comando abre exactamente esas ediciones, comprueba cada una con su resumen criptográfico, evalúa la petición de nuevo y dice si el resumen y todas las cifras son los mismos.",
  reproduceDone: "Así se hizo al generar la página, y el resultado fue idéntico.",
  noDigest: "ninguno, porque el núcleo de referencia no genera resumen criptográfico",
  semantics: "Semántica",
  semanticsVersion: (version) => `versión ${version}`,
  engine: "Motor",
  instant: "Instante",
  howMeasured:
    "Las superficies se calculan sobre el elipsoide WGS 84, y las distancias, a lo largo de las geodésicas más cortas. Cada comparación usa la cifra impresa en letra pequeña, tal como está en el registro, con punto antes de los decimales, de modo que el lector puede comprobarla en esta página. Un veredicto dice lo que las fuentes muestran en sus fechas; no es un levantamiento ni asesoramiento jurídico.",

  // Ruleset
  ruleset: "Conjunto de reglas",
  set: "Conjunto",
  contains: "Contiene",
  sameCompany: "registros de la misma empresa",
  sameIdentifier: "registros del mismo identificador",
  recordsIn: (how, registers) => `${how} en ${registers}`,
  forTheRole: "para el papel",
  union: (sets) => `unión de ${sets}`,
  intersection: (sets) => `intersección de ${sets}`,
  difference: (sets) => `diferencia de ${sets}`,
  areasOf: (sources, place) => `áreas de ${sources} ${place}`,
  thatIntersect: "que intersecan la parcela",
  thatTouch: "que tocan la parcela sin solaparla",
  thatCover: "que cubren la parcela",
  thatLieInside: "que quedan dentro de la parcela",
  within: (distance) => `a menos de ${distance} de ella`,
  between: (least, most) => `de ${least} a ${most} de ella`,
  inCountries: (codes) => `en ${codes}`,
  ofDeclaredCoverage: "solo de cobertura declarada",
  where: "donde",
  lifts: "Qué resolvería esto",
  anyOneLifts: "Cualquiera de estos",
  liftedByNothing: "ninguna respuesta ni documento",
  rulesetAsSent: "Conjunto de reglas tal como se envió",
  page: "Página",
  pageOf: "de",

  refusedMeans: "Esta parcela no se examinó. No tiene veredicto hasta que se corrija y se evalúe de nuevo.",
  whatIsWrong: "Problema",
  defect: "Defecto",
  code: "Código",
  placeInInput: "Lugar en la entrada",
  whatToDo: "Qué hacer",
  mendPlot:
    "El primer comando enumera cada defecto de un archivo de parcelas y cómo corregirlo; el segundo corrige la mayoría. Después evalúe la parcela de nuevo.",

  // Portfolio
  withoutReport: (count, shown) =>
    count === 1
      ? `${shown} parcela no tiene informe: los resultados no contienen la parcela ni las reglas que un informe muestra.`
      : `${shown} parcelas no tienen informe: los resultados no contienen las parcelas ni las reglas que un informe muestra.`,
  portfolioTitle: (count, shown) => formatCountWithNoun(count, shown, "parcela"),
  portfolioOf: "Cartera",
  verdicts: "Veredictos",
  shapeInvalid: "La forma de la parcela no es válida",
  plotsNonCompliant: (count, shown, all) =>
    `${shown} de ${all} parcelas ${count === 1 ? "no es conforme" : "no son conformes"}.`,
  plotsUnchecked: (count, shown, all) =>
    `${shown} de ${all} parcelas no se ${count === 1 ? "puede" : "pueden"} verificar.`,
  plotsIncomplete: (count, shown, all) =>
    `${shown} de ${all} parcelas ${count === 1 ? "tiene un veredicto incompleto" : "tienen veredictos incompletos"}.`,
  plotsWarning: (count, shown, all) =>
    `${shown} de ${all} parcelas ${count === 1 ? "requiere" : "requieren"} atención.`,
  plotsOpen: (count, shown, all) =>
    `${shown} de ${all} parcelas ${count === 1 ? "está" : "están"} sin verificar.`,
  plotsCompliant: (count, shown) =>
    count === 1 ? "La parcela es conforme." : `Las ${shown} parcelas son conformes.`,
  plots: "Parcelas",
  counts: "Recuentos",
  countOf: "Recuento de",
  outcome: "Resultado",
  plotId: "Id de la parcela",
  atLeast: "Como mínimo",
  areaM2: "Superficie (m²)",
  longitude: "Longitud (°)",
  latitude: "Latitud (°)",
  openBecause: "Sin decidir porque",
  resolvedBy: "Se resolvería con",
  evaluatedWithout: "Evaluada sin",
  versionOfRuleset: "Versión del conjunto de reglas",
  errorCode: "Código del problema",
  report: "Informe",
  byCheck: "Por comprobación",
  check: "Comprobación",
  notCoveredWord: "Sin cobertura",
  notDeclaredWord: "No declarado",
  undeterminedWord: "Indeterminado",
  mapOfPlots: (count, shown) => `Mapa de ${formatCountWithNoun(count, shown, "parcela")}`,
  farFromOthers: (count, shown, names) => [
    count === 1
      ? `${shown} parcela lejos de las demás no está dibujada: `
      : `${shown} parcelas lejos de las demás no están dibujadas: `,
    names,
    ".",
  ],
  mapOfPlotsCaption:
    "Cada parcela en el color de su veredicto: como contorno donde es lo bastante grande, si no como punto. El norte está arriba; las fronteras están generalizadas.",
  notOnMap: (count, shown) =>
    count === 1
      ? `${shown} parcela sin lugar no está en el mapa.`
      : `${shown} parcelas sin lugar no están en el mapa.`,
  fictionalPortfolio: (_count, sources) => [
    "Datos ficticios: el contenido de ",
    sources,
    " es inventado, y nada de ello vale para las parcelas reales.",
  ],
  assumedPortfolio: (count, shown, sources) => [
    "La cobertura de ",
    sources,
    `, de la que ${count === 1 ? `depende ${shown} veredicto` : `dependen ${shown} veredictos`}, no está declarada: se supone por los países de las áreas.`,
  ],
  omittedPortfolio: (count, shown, sources) => [
    `${formatCountWithNoun(count, shown, "parcela se evaluó", "parcelas se evaluaron")} sin `,
    sources,
    ": las comprobaciones que esas fuentes podrían cambiar quedan sin decidir.",
  ],
  triggeredOrOpen: "Motivos",
  place: "Centro",
  more: (shown) => `y ${shown} más`,
  search: "Buscar id, nombre o comprobación",
  allVerdicts: "Todos los veredictos",
  allChecks: "Todas las comprobaciones",
  filterPlots: "Filtrar parcelas",
  clearFilter: "Borrar",
  shownOf: (shown, all) => `${shown} de ${all} parcelas a la vista`,
  showMore: "Mostrar más parcelas",
  sortHint: "Los encabezados de las columnas ordenan la tabla.",
  sameDataFiles: (files) => `Los mismos datos están en ${files}, en la carpeta de esta página.`,
  portfolioFoot:
    "Un veredicto dice lo que las fuentes muestran en sus fechas; no es un levantamiento ni asesoramiento jurídico.",

  // Stamp
  fictionalData: "Datos ficticios",
  verifyWith: "verifique con groundrule replay",
};
