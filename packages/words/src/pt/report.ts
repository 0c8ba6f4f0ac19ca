import type { ReportWords } from "../en/report.ts";
import { formatCountWithNoun } from "../formats.ts";
import type { Translation } from "../translation.ts";

/** Portuguese, as written in Brazil. */
export const report: Translation<ReportWords> = {
  // Outcomes
  failed: "Falhou",
  omitted: "Fora da avaliação",

  // Head
  pageTitle: (subject) => `Veredito de conformidade: ${subject}`,
  runningHead: (subject, verdict, day) => `Veredito de conformidade · ${subject} · ${verdict} · ${day}`,
  plotById: (id) => `parcela ${id}`,
  aPlot: "uma parcela",
  evaluatedWith: "segundo",
  unnamedRuleset: "um conjunto de regras sem nome",
  rulesetVersion: (version) => `versão ${version}`,
  fictionalSources: (_count, sources) => [
    "Dados fictícios: o conteúdo de ",
    sources,
    " é inventado, e nada disso vale para a parcela real.",
  ],
  omittedSources: (count, sources) => [
    "Avaliada sem ",
    sources,
    count === 1
      ? ". Essa fonte não cobre nada, e as verificações que ela poderia mudar ficam sem decisão."
      : ". Essas fontes não cobrem nada, e as verificações que elas poderiam mudar ficam sem decisão.",
  ],
  areaOfPlot: "Área da parcela",
  centreOfPlot: "Centro da parcela",
  evaluated: "Avaliada em",
  sourcesUsed: "Fontes usadas",
  sourcesUsedOldest: (sources, age) => `${sources}, a mais antiga coletada ${age} antes`,
  unknownDays: "um número desconhecido de dias",
  reference: "Referência",
  identifiers: "Identificadores",
  identifier: "Identificador",
  verdict: "Veredito",
  mainFacts: "Dados principais",

  // Meaning of the verdict
  degradedMeans: "Não foi possível abrir uma fonte, portanto este veredito está incompleto.",
  certainCompliant: "Nenhum resultado é certo, portanto isto não é uma aprovação.",
  certainWarning: "“Alerta” é certo, e “Não conforme” é possível.",
  certainNonCompliant: "“Não conforme” é certo, digam o que disserem os dados que faltam.",
  openChecks: (open, count, checks) =>
    `Sem decisão: ${open} de ${formatCountWithNoun(count, checks, "verificação", "verificações")}, porque as fontes não cobrem toda a área a examinar, são antigas demais ou têm cobertura apenas suposta.`,
  undeterminedChecks: (open, count, checks) =>
    `Sem decisão: ${open} de ${formatCountWithNoun(count, checks, "verificação", "verificações")}, porque falta um valor ou um identificador não pode ser do seu tipo.`,
  countsAsCompliant:
    "O conjunto de regras dispensa essas verificações, portanto este veredito nada diz sobre elas.",

  // Evaluated again
  notEvaluatedAgain: "Não avaliado de novo.",
  notAvailable: "As edições não estavam disponíveis.",
  unverified:
    "Este relatório foi feito com a resposta do serviço. Execute groundrule replay para verificá-lo.",
  fromTiles: "As áreas são desenhadas a partir de blocos de mapa, generalizadas.",
  recordAlone: "Esta página mostra o que diz o registro, sem as geometrias das evidências.",
  sameButAround: (members) =>
    `Uma segunda avaliação dá a mesma decisão, mas estes membros que a descrevem diferem: ${members}.`,
  notConfirmed: "Este registro não está confirmado.",
  secondGives: (replayed, recorded, parts) =>
    `Uma segunda avaliação dá ${replayed}; o registro diz ${recorded}. Diferenças: ${parts}.`,
  noVerdict: "nenhum veredito",
  nothing: "nada",
  now: "agora",

  // Maps
  map: "Mapa",
  locator: "Localização da parcela",
  locatorOf: (subject, country) =>
    country === undefined
      ? `Localização de ${subject}: um pequeno mapa de países`
      : `Localização de ${subject}: um pequeno mapa de ${country} e seus vizinhos`,
  mapOfPlot: "A parcela e as evidências sobre ela.",
  mapAround: "Os arredores e as evidências perto da parcela.",
  mapTitle: (subject, areas) =>
    areas === 0
      ? `Mapa de ${subject}`
      : `Mapa de ${subject} com ${formatCountWithNoun(areas, `${areas}`, "área")} das evidências, que as tabelas abaixo listam`,
  undrawn: (count) =>
    count === 1
      ? "Uma área das evidências não está no mapa, pois a sua forma não estava disponível:"
      : `${count} áreas das evidências não estão no mapa, pois as suas formas não estavam disponíveis:`,
  thePlot: "a parcela",
  otherAreas: "outras áreas das mesmas fontes",
  border: "fronteira entre países, generalizada",
  nearestLine: "o caminho mais curto até a área mais próxima",
  legendInside: "hachurado: parte de uma área dentro da parcela",
  legendOutside: "contorno tracejado: parte fora da parcela",
  legendTiny: "círculo: uma área pequena demais para desenhar",
  legendNumbers: "números: as evidências abaixo",
  legendNorth: "o norte fica em cima; coordenadas em WGS 84",

  // Checks
  checks: "Verificações",
  outcomeWhenTriggered: (outcome) => `resultado quando reprovada: ${outcome}`,
  countsThatAs: (outcome) => `O conjunto de regras conta isso como “${outcome}”.`,
  measured: "Medida",
  anyOfThese: "qualquer uma destas",
  allOfThese: "todas estas",
  value: "Valor",
  threshold: "Limite",
  result: "Resultado",
  noneWithin: (distance) => `nenhuma até ${distance}`,
  comparedAs: (compared) => `comparado como ${compared}`,

  // Evidence
  evidence: "Evidências",
  number: "N.º",
  area: "Área",
  source: "Fonte",
  overlap: "Sobreposição",
  ofThePlot: "da parcela",
  ofTheArea: "da área",
  distance: "Distância",
  noName: "sem nome",
  undetermined: "indeterminada",
  role: "Papel",
  record: "Registro",
  register: "Cadastro",
  sameEvidence: (check) => ["A evidência é a de “", check, "”."],
  showingOf: (shown, total, all) =>
    `Mostrando ${shown} de ${formatCountWithNoun(total, all, "evidência")}, primeiro as maiores sobreposições, depois as mais próximas. O veredito leva todas em conta.`,
  undeterminedFor: (count, shown) =>
    `Para ${formatCountWithNoun(count, shown, "área")}, o filtro da verificação não pôde ser decidido, porque falta um valor; essas áreas estão marcadas como “indeterminada”.`,

  // Not determined
  notDetermined: "Não determinado",
  allDetermined: "Nada: todas as fontes responderam, e todas as verificações foram decididas.",
  couldNotBeOpened: "não pôde ser aberta",
  wasOmitted: "ficou fora da avaliação",
  checkUndecided: (check) => [
    "A verificação “",
    check,
    "” não está decidida, porque os dados das fontes que falharam poderiam mudá-la.",
  ],
  checkNotAnswered: (check) => ["A verificação “", check, "” não foi decidida."],
  assumedToCover: "não declara cobertura. Supõe-se que cobre a parcela.",
  coverageAssumed: "não declara cobertura. Supõe-se que cobre os países das suas áreas.",
  notExamined: "O conjunto de regras não examina:",
  filterUndecided: (check, count, shown) => [
    "Em “",
    check,
    `”, o filtro não pôde ser decidido para ${formatCountWithNoun(count, shown, "área")}.`,
  ],
  withoutCountry: (count, shown, source) =>
    count === 1
      ? `${shown} área de ${source} não tem país e ficou fora de uma verificação que exige um.`
      : `${shown} áreas de ${source} não têm país e ficaram fora de uma verificação que exige um.`,

  // Sources
  sources: "Fontes",
  areasMatched: (count, shown) => formatCountWithNoun(count, shown, "área encontrada", "áreas encontradas"),
  recordsMatched: (count, shown) =>
    formatCountWithNoun(count, shown, "registro encontrado", "registros encontrados"),
  fictional: "fictícia",
  scope: "Abrangência",
  cutoff: "Data de corte",
  beforeCutoff: "pode terminar antes da data de corte do seu grupo; o manifesto permite",
  group: (name) => `Grupo ${name}`,
  name: "Nome",
  collected: "Coletada em",
  collectedAgo: (day, age) => `${day}, ${age} antes desta avaliação`,
  observedUntil: "Observada até",
  cells: "Células",
  cellsOf: (size) => `de ${size}`,
  cellCount: (count, shown, size) =>
    `${shown} ${count === 1 ? "célula" : "células"}${size === undefined ? "" : ` de ${size}`}`,
  unknownDay: "data desconhecida",
  agelessDay: (day) => `${day}, de idade desconhecida`,
  covers: "Cobre",
  coversFull: "a parcela inteira",
  coversPart: "uma parte da parcela",
  coversNothing: "nada da parcela",
  coversUndeclared: "não declarado; supõe-se que a fonte cobre a parcela",
  coversAssumed: (covered) => `${covered}, suposto pelos países das suas áreas, não declarado`,
  tooOld: "antiga demais para o conjunto de regras",
  leftOut: "Deixado de fora",
  featuresLeftOut: (count, shown) =>
    count === 1
      ? `${shown} feição da fonte não pôde ser guardada e não foi examinada`
      : `${shown} feições da fonte não puderam ser guardadas e não foram examinadas`,
  rowsLeftOut: (count, shown) =>
    count === 1
      ? `${shown} linha da fonte não pôde ser guardada e não foi examinada`
      : `${shown} linhas da fonte não puderam ser guardadas e não foram examinadas`,
  licence: "Licença",
  licenceUnavailable: "não disponível",
  licenceNotStated: "não informada",
  publishedAt: "Publicada em",
  edition: "Edição",
  reason: "Motivo",

  // Input
  input: "Entrada",
  plot: "Parcela",
  plotSent: (discs, polygons, polygonsShown, positions, shown, crs) =>
    `${discs}${formatCountWithNoun(polygons, polygonsShown, "polígono")}, ${formatCountWithNoun(positions, shown, "posição", "posições")}, enviada em ${crs}`,
  disc: (hectares) => `um disco de ${hectares} ha em torno do ponto: `,
  discs: (hectares, points) => `um disco de ${hectares} ha em torno de cada um de ${points} pontos: `,
  extent: "Extensão",
  extentText: (west, south, east, north) => `oeste ${west}°, sul ${south}°, leste ${east}°, norte ${north}°`,
  noPlot: "nenhuma; as verificações tratam só de identificadores",
  digest: "Resumo digital",
  corrections: "Correções e advertências:",

  // How to reproduce
  reproduce: "Como reproduzir este veredito",
  reproduceKeep:
    "Guarde o registro a partir do qual esta página foi feita e uma pasta de dados que contenha as edições indicadas acima. Depois execute, em qualquer máquina e sem rede:",
  reproduceMeans:
    "O comando abre exatamente essas edições, confere cada uma com o seu resumo digital, avalia o pedido de novo e diz se o resumo digital e todos os números são os mesmos.",
  reproduceDone: "Isso foi feito quando a página foi gerada, e o resultado foi idêntico.",
  noDigest: "nenhum, porque o núcleo de referência não gera resumo digital",
  semantics: "Semântica",
  semanticsVersion: (version) => `versão ${version}`,
  engine: "Motor",
  instant: "Instante",
  howMeasured:
    "As áreas são calculadas no elipsoide WGS 84, e as distâncias, ao longo das geodésicas mais curtas. Cada comparação usa o número impresso em letra miúda, tal como está no registro, com ponto antes das casas decimais, de modo que o leitor pode conferi-la nesta página. Um veredito diz o que as fontes mostram nas suas datas; não é um levantamento nem aconselhamento jurídico.",

  // Ruleset
  ruleset: "Conjunto de regras",
  set: "Conjunto",
  contains: "Contém",
  sameCompany: "registros da mesma empresa",
  sameIdentifier: "registros do mesmo identificador",
  recordsIn: (how, registers) => `${how} em ${registers}`,
  forTheRole: "para o papel",
  union: (sets) => `união de ${sets}`,
  intersection: (sets) => `interseção de ${sets}`,
  difference: (sets) => `diferença de ${sets}`,
  areasOf: (sources, place) => `áreas de ${sources} ${place}`,
  thatIntersect: "que intersectam a parcela",
  thatTouch: "que tocam a parcela sem sobreposição",
  thatCover: "que cobrem a parcela",
  thatLieInside: "que ficam dentro da parcela",
  within: (distance) => `a até ${distance} dela`,
  between: (least, most) => `de ${least} a ${most} dela`,
  inCountries: (codes) => `em ${codes}`,
  ofDeclaredCoverage: "só de cobertura declarada",
  where: "onde",
  lifts: "O que resolveria isto",
  anyOneLifts: "Qualquer um destes",
  liftedByNothing: "nenhuma resposta ou documento",
  rulesetAsSent: "Conjunto de regras como enviado",
  page: "Página",
  pageOf: "de",

  refusedMeans: "Esta parcela não foi examinada. Ela não tem veredito até ser corrigida e avaliada de novo.",
  whatIsWrong: "Problema",
  defect: "Defeito",
  code: "Código",
  placeInInput: "Lugar na entrada",
  whatToDo: "O que fazer",
  mendPlot:
    "O primeiro comando lista cada defeito de um arquivo de parcelas e como corrigi-lo; o segundo corrige a maioria. Depois avalie a parcela de novo.",

  // Portfolio
  withoutReport: (count, shown) =>
    count === 1
      ? `${shown} parcela não tem relatório: os resultados não contêm a parcela nem as regras que um relatório mostra.`
      : `${shown} parcelas não têm relatório: os resultados não contêm as parcelas nem as regras que um relatório mostra.`,
  portfolioTitle: (count, shown) => formatCountWithNoun(count, shown, "parcela"),
  portfolioOf: "Carteira",
  verdicts: "Vereditos",
  shapeInvalid: "A forma da parcela é inválida",
  plotsNonCompliant: (count, shown, all) =>
    `${shown} de ${all} parcelas ${count === 1 ? "não está conforme" : "não estão conformes"}.`,
  plotsUnchecked: (count, shown, all) =>
    `${shown} de ${all} parcelas ${count === 1 ? "não pode ser verificada" : "não podem ser verificadas"}.`,
  plotsIncomplete: (count, shown, all) =>
    `${shown} de ${all} parcelas ${count === 1 ? "tem um veredito incompleto" : "têm vereditos incompletos"}.`,
  plotsWarning: (count, shown, all) =>
    `${shown} de ${all} parcelas ${count === 1 ? "requer" : "requerem"} atenção.`,
  plotsOpen: (count, shown, all) =>
    `${shown} de ${all} parcelas ${count === 1 ? "não foi verificada" : "não foram verificadas"}.`,
  plotsCompliant: (count, shown) =>
    count === 1 ? "A parcela está conforme." : `Todas as ${shown} parcelas estão conformes.`,
  plots: "Parcelas",
  counts: "Contagens",
  countOf: "Contagem de",
  outcome: "Resultado",
  plotId: "Id da parcela",
  atLeast: "No mínimo",
  areaM2: "Área (m²)",
  longitude: "Longitude em graus",
  latitude: "Latitude em graus",
  openBecause: "Sem decisão porque",
  resolvedBy: "O que resolveria",
  evaluatedWithout: "Avaliada sem",
  versionOfRuleset: "Versão do conjunto de regras",
  errorCode: "Código do problema",
  report: "Relatório",
  byCheck: "Por verificação",
  check: "Verificação",
  notCoveredWord: "Sem cobertura",
  notDeclaredWord: "Não declarado",
  undeterminedWord: "Indeterminado",
  mapOfPlots: (count, shown) => `Mapa de ${formatCountWithNoun(count, shown, "parcela")}`,
  farFromOthers: (count, shown, names) => [
    count === 1
      ? `${shown} parcela distante das outras não está desenhada: `
      : `${shown} parcelas distantes das outras não estão desenhadas: `,
    names,
    ".",
  ],
  mapOfPlotsCaption:
    "Cada parcela na cor do seu veredito: como contorno onde é grande o bastante, senão como ponto. O norte fica em cima; as fronteiras são generalizadas.",
  notOnMap: (count, shown) =>
    count === 1
      ? `${shown} parcela sem lugar não está no mapa.`
      : `${shown} parcelas sem lugar não estão no mapa.`,
  fictionalPortfolio: (_count, sources) => [
    "Dados fictícios: o conteúdo de ",
    sources,
    " é inventado, e nada disso vale para as parcelas reais.",
  ],
  assumedPortfolio: (count, shown, sources) => [
    "A cobertura de ",
    sources,
    `, da qual ${count === 1 ? `depende ${shown} veredito` : `dependem ${shown} vereditos`}, não está declarada: ela é suposta pelos países das áreas.`,
  ],
  omittedPortfolio: (count, shown, sources) => [
    `${formatCountWithNoun(count, shown, "parcela foi avaliada", "parcelas foram avaliadas")} sem `,
    sources,
    ": as verificações que essas fontes poderiam mudar ficam sem decisão.",
  ],
  triggeredOrOpen: "Motivos",
  place: "Centro",
  more: (shown) => `e mais ${shown}`,
  search: "Buscar id, nome ou verificação",
  allVerdicts: "Todos os vereditos",
  allChecks: "Todas as verificações",
  filterPlots: "Filtrar parcelas",
  clearFilter: "Limpar",
  shownOf: (shown, all) => `${shown} de ${all} parcelas à vista`,
  showMore: "Mostrar mais parcelas",
  sortHint: "Os títulos das colunas ordenam a tabela.",
  sameDataFiles: (files) => `Os mesmos dados estão em ${files}, na pasta desta página.`,
  portfolioFoot:
    "Um veredito diz o que as fontes mostram nas suas datas; não é um levantamento nem aconselhamento jurídico.",

  // Stamp
  fictionalData: "Dados fictícios",
  verifyWith: "verifique com groundrule replay",
};
