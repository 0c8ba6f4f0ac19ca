/** Titles of the checks of presets: as the ruleset has them, in Portuguese, in Spanish. */
const TITLES: readonly (readonly [en: string, pt: string, es: string])[] = [
  [
    "Overlaps a conservation unit",
    "Sobrepõe uma unidade de conservação",
    "Se superpone a una unidad de conservación",
  ],
  [
    "A conservation unit within 3 km",
    "Uma unidade de conservação a até 3 km",
    "Una unidad de conservación a menos de 3 km",
  ],
  [
    "Forest of 2020 lost after 31 December 2020, more than half a hectare",
    "Floresta de 2020 perdida depois de 31 de dezembro de 2020, mais de meio hectare",
    "Bosque de 2020 perdido después del 31 de diciembre de 2020, más de media hectárea",
  ],
  [
    "Forest of 2020 that may have been lost after 31 December 2020",
    "Floresta de 2020 que pode ter sido perdida depois de 31 de dezembro de 2020",
    "Bosque de 2020 que puede haberse perdido después del 31 de diciembre de 2020",
  ],
  [
    "Forest cleared after 31 December 2020, as declared",
    "Floresta derrubada depois de 31 de dezembro de 2020, conforme declarado",
    "Bosque talado después del 31 de diciembre de 2020, según lo declarado",
  ],
  [
    "Wood without a document that its harvest degraded no forest",
    "Madeira sem documento de que a colheita não degradou floresta",
    "Madera sin documento de que su aprovechamiento no degradó ningún bosque",
  ],
  [
    "Overlaps an indigenous land, without a document of consent",
    "Sobrepõe uma terra indígena, sem documento de consentimento",
    "Se superpone a una tierra indígena, sin documento de consentimiento",
  ],
  [
    "Overlaps a protected area, without a document that allows it",
    "Sobrepõe uma área protegida, sem documento que o permita",
    "Se superpone a un área protegida, sin documento que lo permita",
  ],
  [
    "No document of the right to use the land",
    "Nenhum documento do direito de uso da terra",
    "Ningún documento del derecho de uso de la tierra",
  ],
  [
    "No document on the protection of the environment",
    "Nenhum documento sobre a proteção do meio ambiente",
    "Ningún documento sobre la protección del medio ambiente",
  ],
  [
    "Wood without a document on the rules on forests",
    "Madeira sem documento sobre as regras florestais",
    "Madera sin documento sobre las normas forestales",
  ],
  [
    "No document on rights of third parties",
    "Nenhum documento sobre direitos de terceiros",
    "Ningún documento sobre derechos de terceros",
  ],
  [
    "No document on labour rights",
    "Nenhum documento sobre direitos trabalhistas",
    "Ningún documento sobre derechos laborales",
  ],
  [
    "No document on human rights",
    "Nenhum documento sobre direitos humanos",
    "Ningún documento sobre derechos humanos",
  ],
  [
    "No document on tax, corruption, trade and customs",
    "Nenhum documento sobre tributos, corrupção, comércio e aduana",
    "Ningún documento sobre impuestos, corrupción, comercio y aduanas",
  ],
  [
    "A point that stands for more than four hectares",
    "Um ponto que representa mais de quatro hectares",
    "Un punto que representa más de cuatro hectáreas",
  ],
  [
    "Cattle: the plot is an establishment",
    "Gado: a parcela é um estabelecimento",
    "Ganado: la parcela es un establecimiento",
  ],
  [
    "Not all plots of the product are told",
    "Nem todas as parcelas do produto foram informadas",
    "No se informaron todas las parcelas del producto",
  ],
  ["In a country of high risk", "Em um país de risco alto", "En un país de riesgo alto"],
  [
    "In a country whose benchmark is not known",
    "Em um país cuja classificação de risco não se conhece",
    "En un país cuya clasificación de riesgo no se conoce",
  ],
  ["In countries of low risk alone", "Somente em países de risco baixo", "Solo en países de riesgo bajo"],
  [
    "Before 30 December 2026: the Regulation does not apply yet",
    "Antes de 30 de dezembro de 2026: o Regulamento ainda não se aplica",
    "Antes del 30 de diciembre de 2026: el Reglamento aún no se aplica",
  ],
  [
    "Before 30 June 2027: the Regulation does not apply yet to micro and small operators",
    "Antes de 30 de junho de 2027: o Regulamento ainda não se aplica a operadores micro e pequenos",
    "Antes del 30 de junio de 2027: el Reglamento aún no se aplica a microempresas y pequeños operadores",
  ],
  [
    "Employer on a register of forced labour",
    "Empregador em um cadastro de trabalho forçado",
    "Empleador en un registro de trabajo forzoso",
  ],
  ["Overlaps an indigenous land", "Sobrepõe uma terra indígena", "Se superpone a una tierra indígena"],
  [
    "An indigenous land within 10 km",
    "Uma terra indígena a até 10 km",
    "Una tierra indígena a menos de 10 km",
  ],
  ["Mining detected on the plot", "Mineração detectada na parcela", "Minería detectada en la parcela"],
  [
    "Mining detected on the plot, in an indigenous land",
    "Mineração detectada na parcela, em terra indígena",
    "Minería detectada en la parcela, en una tierra indígena",
  ],
  ["Mining detected within 1 km", "Mineração detectada a até 1 km", "Minería detectada a menos de 1 km"],
  [
    "Overlaps a quilombola territory",
    "Sobrepõe um território quilombola",
    "Se superpone a un territorio quilombola",
  ],
  [
    "Adjoins a quilombola territory",
    "Confronta com um território quilombola",
    "Linda con un territorio quilombola",
  ],
  ["In a conservation unit", "Em unidade de conservação", "En una unidad de conservación"],
  [
    "Property partly in a conservation unit",
    "Imóvel em parte em unidade de conservação",
    "Inmueble en parte en una unidad de conservación",
  ],
  [
    "Property in a conservation unit, applicant of no traditional community there",
    "Imóvel em unidade de conservação, proponente de nenhuma comunidade tradicional dali",
    "Inmueble en una unidad de conservación, solicitante de ninguna comunidad tradicional de allí",
  ],
  [
    "Property in a conservation unit, after the exception for traditional communities",
    "Imóvel em unidade de conservação, depois da exceção para comunidades tradicionais",
    "Inmueble en una unidad de conservación, tras la excepción para comunidades tradicionales",
  ],
  [
    "Property in a conservation unit",
    "Imóvel em unidade de conservação",
    "Inmueble en una unidad de conservación",
  ],
  ["In an indigenous land", "Em terra indígena", "En una tierra indígena"],
  [
    "Property partly in an indigenous land",
    "Imóvel em parte em terra indígena",
    "Inmueble en parte en una tierra indígena",
  ],
  ["In a quilombola territory", "Em território quilombola", "En un territorio quilombola"],
  [
    "Property partly in a quilombola territory",
    "Imóvel em parte em território quilombola",
    "Inmueble en parte en un territorio quilombola",
  ],
  ["On embargoed area", "Em área embargada", "En un área embargada"],
  [
    "More than 5 percent of the property embargoed",
    "Mais de 5 por cento do imóvel embargado",
    "Más del 5 por ciento del inmueble embargado",
  ],
  [
    "More than 20 ha of the property embargoed",
    "Mais de 20 ha do imóvel embargados",
    "Más de 20 ha del inmueble embargadas",
  ],
  [
    "Property embargoed, after the exception",
    "Imóvel embargado, depois da exceção",
    "Inmueble embargado, tras la excepción",
  ],
  [
    "Property embargoed, no project to recover it",
    "Imóvel embargado, sem projeto de recuperação",
    "Inmueble embargado, sin proyecto de recuperación",
  ],
  ["Property embargoed", "Imóvel embargado", "Inmueble embargado"],
  [
    "Native vegetation suppressed after 31 July 2019",
    "Vegetação nativa suprimida depois de 31 de julho de 2019",
    "Vegetación nativa suprimida después del 31 de julio de 2019",
  ],
  [
    "Native vegetation of the property suppressed after 31 July 2019",
    "Vegetação nativa do imóvel suprimida depois de 31 de julho de 2019",
    "Vegetación nativa del inmueble suprimida después del 31 de julio de 2019",
  ],
  [
    "Native vegetation suppressed after 31 July 2019, property above four fiscal modules",
    "Vegetação nativa suprimida depois de 31 de julho de 2019, imóvel acima de quatro módulos fiscais",
    "Vegetación nativa suprimida después del 31 de julio de 2019, inmueble de más de cuatro módulos fiscales",
  ],
  [
    "Native vegetation suppressed after 31 July 2019, property above fifteen fiscal modules",
    "Vegetação nativa suprimida depois de 31 de julho de 2019, imóvel acima de quinze módulos fiscais",
    "Vegetación nativa suprimida después del 31 de julio de 2019, inmueble de más de quince módulos fiscales",
  ],
  [
    "Native vegetation suppressed after 31 July 2019, from 4 January 2027",
    "Vegetação nativa suprimida depois de 31 de julho de 2019, a partir de 4 de janeiro de 2027",
    "Vegetación nativa suprimida después del 31 de julio de 2019, a partir del 4 de enero de 2027",
  ],
  [
    "Native vegetation suppressed after 31 July 2019, property above four fiscal modules, from 1 April 2026",
    "Vegetação nativa suprimida depois de 31 de julho de 2019, imóvel acima de quatro módulos fiscais, a partir de 1º de abril de 2026",
    "Vegetación nativa suprimida después del 31 de julio de 2019, inmueble de más de cuatro módulos fiscales, a partir del 1 de abril de 2026",
  ],
  [
    "Native vegetation suppressed after 31 July 2019, before item 17 reaches every property",
    "Vegetação nativa suprimida depois de 31 de julho de 2019, antes que o item 17 alcance todo imóvel",
    "Vegetación nativa suprimida después del 31 de julio de 2019, antes de que el punto 17 alcance a todo inmueble",
  ],
  [
    "Native vegetation suppressed at an unknown date",
    "Vegetação nativa suprimida em data desconhecida",
    "Vegetación nativa suprimida en fecha desconocida",
  ],
  [
    "Native vegetation of the property suppressed at an unknown date",
    "Vegetação nativa do imóvel suprimida em data desconhecida",
    "Vegetación nativa del inmueble suprimida en fecha desconocida",
  ],
  ["Property on the ministry's list", "Imóvel na lista do ministério", "Inmueble en la lista del ministerio"],
  [
    "Property on the ministry's list, property above four fiscal modules",
    "Imóvel na lista do ministério, imóvel acima de quatro módulos fiscais",
    "Inmueble en la lista del ministerio, inmueble de más de cuatro módulos fiscales",
  ],
  [
    "Property on the ministry's list, property above fifteen fiscal modules",
    "Imóvel na lista do ministério, imóvel acima de quinze módulos fiscais",
    "Inmueble en la lista del ministerio, inmueble de más de quince módulos fiscales",
  ],
  [
    "Property on the ministry's list, from 4 January 2027",
    "Imóvel na lista do ministério, a partir de 4 de janeiro de 2027",
    "Inmueble en la lista del ministerio, a partir del 4 de enero de 2027",
  ],
  [
    "Property on the ministry's list, property above four fiscal modules, from 1 April 2026",
    "Imóvel na lista do ministério, imóvel acima de quatro módulos fiscais, a partir de 1º de abril de 2026",
    "Inmueble en la lista del ministerio, inmueble de más de cuatro módulos fiscales, a partir del 1 de abril de 2026",
  ],
  [
    "On the ministry's list, though no suppression is found on the property",
    "Na lista do ministério, embora não se encontre supressão no imóvel",
    "En la lista del ministerio, aunque no se encuentre supresión en el inmueble",
  ],
  [
    "Suppression on the property, which the ministry's list does not name",
    "Supressão no imóvel, que a lista do ministério não cita",
    "Supresión en el inmueble, que la lista del ministerio no nombra",
  ],
  [
    "Fiscal module not known for the whole property",
    "Módulo fiscal não conhecido para todo o imóvel",
    "Módulo fiscal no conocido para todo el inmueble",
  ],
  [
    "In an undesignated public forest (type B)",
    "Em floresta pública não destinada (tipo B)",
    "En un bosque público sin destinación (tipo B)",
  ],
  [
    "Property above fifteen fiscal modules partly in an undesignated public forest (type B)",
    "Imóvel acima de quinze módulos fiscais em parte em floresta pública não destinada (tipo B)",
    "Inmueble de más de quince módulos fiscales en parte en un bosque público sin destinación (tipo B)",
  ],
  [
    "Native vegetation suppressed in an undesignated public forest (type B)",
    "Vegetação nativa suprimida em floresta pública não destinada (tipo B)",
    "Vegetación nativa suprimida en un bosque público sin destinación (tipo B)",
  ],
  [
    "Property partly in an undesignated public forest (type B)",
    "Imóvel em parte em floresta pública não destinada (tipo B)",
    "Inmueble en parte en un bosque público sin destinación (tipo B)",
  ],
  ["CAR registration cancelled", "Inscrição no CAR cancelada", "Inscripción en el CAR cancelada"],
  ["CAR registration suspended", "Inscrição no CAR suspensa", "Inscripción en el CAR suspendida"],
  ["CAR registration pending", "Inscrição no CAR pendente", "Inscripción en el CAR pendiente"],
  [
    "CAR code in no state of the register",
    "Código do CAR em nenhuma situação do cadastro",
    "Código del CAR en ninguna situación del registro",
  ],
  [
    "Plot outside the properties of the CAR",
    "Parcela fora dos imóveis do CAR",
    "Parcela fuera de los inmuebles del CAR",
  ],
  [
    "Employer on the register of conditions analogous to slavery",
    "Empregador no cadastro de condições análogas às de escravo",
    "Empleador en el registro de condiciones análogas a la esclavitud",
  ],
  [
    "In the Amazon, an indigenous land within 10 km",
    "Na Amazônia, uma terra indígena a até 10 km",
    "En la Amazonia, una tierra indígena a menos de 10 km",
  ],
  [
    "Outside the Amazon, an indigenous land within 8 km",
    "Fora da Amazônia, uma terra indígena a até 8 km",
    "Fuera de la Amazonia, una tierra indígena a menos de 8 km",
  ],
  ["On a sanctions list", "Em uma lista de sanções", "En una lista de sanciones"],
  [
    "Another establishment of the company is on a sanctions list",
    "Outro estabelecimento da empresa está em uma lista de sanções",
    "Otro establecimiento de la empresa está en una lista de sanciones",
  ],
  [
    "Tree cover in 2020 disturbed since, without a commodity",
    "Cobertura arbórea em 2020 perturbada desde então, sem cultivo",
    "Cubierta arbórea en 2020 perturbada desde entonces, sin cultivo",
  ],
  [
    "Tree cover in 2020 without a commodity, and not disturbed since",
    "Cobertura arbórea em 2020 sem cultivo, e não perturbada desde então",
    "Cubierta arbórea en 2020 sin cultivo, y no perturbada desde entonces",
  ],
  ["No tree cover in 2020", "Nenhuma cobertura arbórea em 2020", "Ninguna cubierta arbórea en 2020"],
  ["A commodity in 2020", "Um cultivo em 2020", "Un cultivo en 2020"],
  [
    "Tree cover in 2020 disturbed since, without a commodity or a disturbance before",
    "Cobertura arbórea em 2020 perturbada desde então, sem cultivo nem perturbação anterior",
    "Cubierta arbórea en 2020 perturbada desde entonces, sin cultivo ni perturbación anterior",
  ],
  [
    "Tree cover in 2020 without a commodity, and without disturbances",
    "Cobertura arbórea em 2020 sem cultivo e sem perturbações",
    "Cubierta arbórea en 2020 sin cultivo y sin perturbaciones",
  ],
  [
    "Disturbed until 31 December 2020",
    "Perturbada até 31 de dezembro de 2020",
    "Perturbada hasta el 31 de diciembre de 2020",
  ],
  [
    "Forest of 2020 that is agriculture since, without a commodity then",
    "Floresta de 2020 que virou agricultura desde então, sem cultivo à época",
    "Bosque de 2020 que desde entonces es agricultura, sin cultivo en esa fecha",
  ],
  [
    "Forest disturbed since 2020, with nothing that speaks for its persistence",
    "Floresta perturbada desde 2020, sem nada que indique a sua permanência",
    "Bosque perturbado desde 2020, sin nada que indique su permanencia",
  ],
  [
    "Forest without a sign of what became of it",
    "Floresta sem indício do que foi feito dela",
    "Bosque sin indicio de qué fue de él",
  ],
  ["No forest in 2020", "Nenhuma floresta em 2020", "Ningún bosque en 2020"],
  [
    "A plantation in 2020, no agriculture since",
    "Uma plantação em 2020, nenhuma agricultura desde então",
    "Una plantación en 2020, ninguna agricultura desde entonces",
  ],
  [
    "Primary forest, not disturbed since",
    "Floresta primária, não perturbada desde então",
    "Bosque primario, no perturbado desde entonces",
  ],
  [
    "Forest with tree cover since",
    "Floresta com cobertura arbórea desde então",
    "Bosque con cubierta arbórea desde entonces",
  ],
  ["Forest in a logging concession", "Floresta em concessão madeireira", "Bosque en una concesión maderera"],
];

/**
 * The titles of the checks of presets in another language, by the titles as the rulesets have them.
 *
 * @param language `pt` or `es`
 */
export function presetTitles(language: "pt" | "es"): ReadonlyMap<string, string> {
  return new Map(TITLES.map(([en, pt, es]) => [en, language === "pt" ? pt : es]));
}
