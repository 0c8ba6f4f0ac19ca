/** Texts of presets by the English ones, in Portuguese. */
export const presets: Readonly<Record<string, string>> = {
  // Titles of checks
  "Overlaps a conservation unit": "Sobrepõe uma unidade de conservação",
  "A conservation unit within 3 km": "Uma unidade de conservação a até 3 km",
  "Forest of 2020 lost after 31 December 2020, more than half a hectare":
    "Floresta de 2020 perdida depois de 31 de dezembro de 2020, mais de meio hectare",
  "Forest of 2020 that may have been lost after 31 December 2020":
    "Floresta de 2020 que pode ter sido perdida depois de 31 de dezembro de 2020",
  "Forest cleared after 31 December 2020, as declared":
    "Floresta derrubada depois de 31 de dezembro de 2020, conforme declarado",
  "Wood without a document that its harvest degraded no forest":
    "Madeira sem documento de que a colheita não degradou floresta",
  "Overlaps an indigenous land, without a document of consent":
    "Sobrepõe uma terra indígena, sem documento de consentimento",
  "Overlaps a protected area, without a document that allows it":
    "Sobrepõe uma área protegida, sem documento que o permita",
  "No document of the right to use the land": "Nenhum documento do direito de uso da terra",
  "No document on the protection of the environment": "Nenhum documento sobre a proteção do meio ambiente",
  "Wood without a document on the rules on forests": "Madeira sem documento sobre as regras florestais",
  "No document on rights of third parties": "Nenhum documento sobre direitos de terceiros",
  "No document on labour rights": "Nenhum documento sobre direitos trabalhistas",
  "No document on human rights": "Nenhum documento sobre direitos humanos",
  "No document on tax, corruption, trade and customs":
    "Nenhum documento sobre tributos, corrupção, comércio e aduana",
  "A point that stands for more than four hectares": "Um ponto que representa mais de quatro hectares",
  "Cattle: the plot is an establishment": "Gado: a parcela é um estabelecimento",
  "Not all plots of the product are told": "Nem todas as parcelas do produto foram informadas",
  "In a country of high risk": "Em um país de risco alto",
  "In a country whose benchmark is not known": "Em um país cuja classificação de risco não se conhece",
  "In countries of low risk alone": "Somente em países de risco baixo",
  "Before 30 December 2026: the Regulation does not apply yet":
    "Antes de 30 de dezembro de 2026: o Regulamento ainda não se aplica",
  "Before 30 June 2027: the Regulation does not apply yet to micro and small operators":
    "Antes de 30 de junho de 2027: o Regulamento ainda não se aplica a operadores micro e pequenos",
  "Employer on a register of forced labour": "Empregador em um cadastro de trabalho forçado",
  "Overlaps an indigenous land": "Sobrepõe uma terra indígena",
  "An indigenous land within 10 km": "Uma terra indígena a até 10 km",
  "Mining detected on the plot": "Mineração detectada na parcela",
  "Mining detected on the plot, in an indigenous land": "Mineração detectada na parcela, em terra indígena",
  "Mining detected within 1 km": "Mineração detectada a até 1 km",
  "Overlaps a quilombola territory": "Sobrepõe um território quilombola",
  "Adjoins a quilombola territory": "Confronta com um território quilombola",
  "In a conservation unit": "Em unidade de conservação",
  "Property partly in a conservation unit": "Imóvel em parte em unidade de conservação",
  "Property in a conservation unit, applicant of no traditional community there":
    "Imóvel em unidade de conservação, proponente de nenhuma comunidade tradicional dali",
  "Property in a conservation unit, after the exception for traditional communities":
    "Imóvel em unidade de conservação, depois da exceção para comunidades tradicionais",
  "Property in a conservation unit": "Imóvel em unidade de conservação",
  "In an indigenous land": "Em terra indígena",
  "Property partly in an indigenous land": "Imóvel em parte em terra indígena",
  "In a quilombola territory": "Em território quilombola",
  "Property partly in a quilombola territory": "Imóvel em parte em território quilombola",
  "On embargoed area": "Em área embargada",
  "More than 5 percent of the property embargoed": "Mais de 5 por cento do imóvel embargado",
  "More than 20 ha of the property embargoed": "Mais de 20 ha do imóvel embargados",
  "Property embargoed, after the exception": "Imóvel embargado, depois da exceção",
  "Property embargoed, no project to recover it": "Imóvel embargado, sem projeto de recuperação",
  "Property embargoed": "Imóvel embargado",
  "Native vegetation suppressed after 31 July 2019":
    "Vegetação nativa suprimida depois de 31 de julho de 2019",
  "Native vegetation of the property suppressed after 31 July 2019":
    "Vegetação nativa do imóvel suprimida depois de 31 de julho de 2019",
  "Native vegetation suppressed after 31 July 2019, property above four fiscal modules":
    "Vegetação nativa suprimida depois de 31 de julho de 2019, imóvel acima de quatro módulos fiscais",
  "Native vegetation suppressed after 31 July 2019, property above fifteen fiscal modules":
    "Vegetação nativa suprimida depois de 31 de julho de 2019, imóvel acima de quinze módulos fiscais",
  "Native vegetation suppressed after 31 July 2019, from 4 January 2027":
    "Vegetação nativa suprimida depois de 31 de julho de 2019, a partir de 4 de janeiro de 2027",
  "Native vegetation suppressed after 31 July 2019, property above four fiscal modules, from 1 April 2026":
    "Vegetação nativa suprimida depois de 31 de julho de 2019, imóvel acima de quatro módulos fiscais, a partir de 1º de abril de 2026",
  "Native vegetation suppressed after 31 July 2019, before item 17 reaches every property":
    "Vegetação nativa suprimida depois de 31 de julho de 2019, antes que o item 17 alcance todo imóvel",
  "Native vegetation suppressed at an unknown date": "Vegetação nativa suprimida em data desconhecida",
  "Native vegetation of the property suppressed at an unknown date":
    "Vegetação nativa do imóvel suprimida em data desconhecida",
  "Property on the ministry's list": "Imóvel na lista do ministério",
  "Property on the ministry's list, property above four fiscal modules":
    "Imóvel na lista do ministério, imóvel acima de quatro módulos fiscais",
  "Property on the ministry's list, property above fifteen fiscal modules":
    "Imóvel na lista do ministério, imóvel acima de quinze módulos fiscais",
  "Property on the ministry's list, from 4 January 2027":
    "Imóvel na lista do ministério, a partir de 4 de janeiro de 2027",
  "Property on the ministry's list, property above four fiscal modules, from 1 April 2026":
    "Imóvel na lista do ministério, imóvel acima de quatro módulos fiscais, a partir de 1º de abril de 2026",
  "On the ministry's list, though no suppression is found on the property":
    "Na lista do ministério, embora não se encontre supressão no imóvel",
  "Suppression on the property, which the ministry's list does not name":
    "Supressão no imóvel, que a lista do ministério não cita",
  "Fiscal module not known for the whole property": "Módulo fiscal não conhecido para todo o imóvel",
  "In an undesignated public forest (type B)": "Em floresta pública não destinada (tipo B)",
  "Property above fifteen fiscal modules partly in an undesignated public forest (type B)":
    "Imóvel acima de quinze módulos fiscais em parte em floresta pública não destinada (tipo B)",
  "Native vegetation suppressed in an undesignated public forest (type B)":
    "Vegetação nativa suprimida em floresta pública não destinada (tipo B)",
  "Property partly in an undesignated public forest (type B)":
    "Imóvel em parte em floresta pública não destinada (tipo B)",
  "CAR registration cancelled": "Inscrição no CAR cancelada",
  "CAR registration suspended": "Inscrição no CAR suspensa",
  "CAR registration pending": "Inscrição no CAR pendente",
  "CAR code in no state of the register": "Código do CAR em nenhuma situação do cadastro",
  "Plot outside the properties of the CAR": "Parcela fora dos imóveis do CAR",
  "Employer on the register of conditions analogous to slavery":
    "Empregador no cadastro de condições análogas às de escravo",
  "In the Amazon, an indigenous land within 10 km": "Na Amazônia, uma terra indígena a até 10 km",
  "Outside the Amazon, an indigenous land within 8 km": "Fora da Amazônia, uma terra indígena a até 8 km",
  "On a sanctions list": "Em uma lista de sanções",
  "Another establishment of the company is on a sanctions list":
    "Outro estabelecimento da empresa está em uma lista de sanções",
  "Tree cover in 2020 disturbed since, without a commodity":
    "Cobertura arbórea em 2020 perturbada desde então, sem cultivo",
  "Tree cover in 2020 without a commodity, and not disturbed since":
    "Cobertura arbórea em 2020 sem cultivo, e não perturbada desde então",
  "No tree cover in 2020": "Nenhuma cobertura arbórea em 2020",
  "A commodity in 2020": "Um cultivo em 2020",
  "Tree cover in 2020 disturbed since, without a commodity or a disturbance before":
    "Cobertura arbórea em 2020 perturbada desde então, sem cultivo nem perturbação anterior",
  "Tree cover in 2020 without a commodity, and without disturbances":
    "Cobertura arbórea em 2020 sem cultivo e sem perturbações",
  "Disturbed until 31 December 2020": "Perturbada até 31 de dezembro de 2020",
  "Forest of 2020 that is agriculture since, without a commodity then":
    "Floresta de 2020 que virou agricultura desde então, sem cultivo à época",
  "Forest disturbed since 2020, with nothing that speaks for its persistence":
    "Floresta perturbada desde 2020, sem nada que indique a sua permanência",
  "Forest without a sign of what became of it": "Floresta sem indício do que foi feito dela",
  "No forest in 2020": "Nenhuma floresta em 2020",
  "A plantation in 2020, no agriculture since": "Uma plantação em 2020, nenhuma agricultura desde então",
  "Primary forest, not disturbed since": "Floresta primária, não perturbada desde então",
  "Forest with tree cover since": "Floresta com cobertura arbórea desde então",
  "Forest in a logging concession": "Floresta em concessão madeireira",
};
