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

  // Names of sets, and values of facts
  agriculture: "agricultura",
  amazon: "Amazônia",
  "car active": "CAR ativo",
  "car cancelled": "CAR cancelado",
  "car land": "terra do CAR",
  "car pending": "CAR pendente",
  "car suspended": "CAR suspenso",
  commodity: "cultivo",
  "company listed": "empresa listada",
  concession: "concessão",
  deforested: "desmatada",
  "disturbed after": "perturbada depois",
  "disturbed before": "perturbada antes",
  embargoed: "embargada",
  employers: "empregadores",
  forest: "floresta",
  "high risk": "risco alto",
  indigenous: "terra indígena",
  "indigenous 10 km": "terra indígena a 10 km",
  "indigenous 8 km": "terra indígena a 8 km",
  "indigenous near": "terra indígena próxima",
  listed: "listado",
  lost: "perdida",
  "low risk": "risco baixo",
  mining: "mineração",
  "mining in indigenous": "mineração em terra indígena",
  "mining near": "mineração próxima",
  municipality: "município",
  "not low risk": "risco não baixo",
  "perhaps deforested": "talvez desmatada",
  "perhaps lost": "talvez perdida",
  "perhaps suppressed": "talvez suprimida",
  "perhaps suppressed in type b": "talvez suprimida em tipo B",
  plantation: "plantação",
  primary: "floresta primária",
  protected: "área protegida",
  quilombola: "território quilombola",
  "quilombola adjoining": "território quilombola confrontante",
  suppressed: "suprimida",
  "suppressed undated": "suprimida sem data",
  "tree cover": "cobertura arbórea",
  "tree cover after": "cobertura arbórea depois",
  "type b": "tipo B",
  units: "unidades de conservação",
  "units near": "unidades de conservação próximas",
  "unknown risk": "risco desconhecido",
  cattle: "gado",
  cocoa: "cacau",
  coffee: "café",
  "oil palm": "palma de óleo",
  rubber: "borracha",
  soya: "soja",
  wood: "madeira",
  micro: "micro",
  small: "pequeno",
  medium: "médio",
  large: "grande",

  // Topics that are not examined
  "Anything that the maps of the groups do not tell. Whisp asks the data sets that it chose; a group has those that you give it.":
    "Tudo o que os mapas dos grupos não dizem. O Whisp consulta os conjuntos de dados que escolheu; um grupo tem os que você lhe dá.",
  "Claimed lands that no source has.": "Terras reivindicadas que nenhuma fonte tem.",
  "Communities whose territory is not delimited yet.":
    "Comunidades cujo território ainda não foi delimitado.",
  "Consent of peoples whose land no map shows, and feed of cattle (art. 2(13)(a)).":
    "O consentimento de povos cuja terra nenhum mapa mostra, e a ração do gado (art. 2(13)(a)).",
  "Conservation units: management plans and the category of the unit. No text was read that says which of them lift the block of item 3.":
    "Unidades de conservação: planos de manejo e a categoria da unidade. Não se leu nenhum texto que diga quais deles suspendem o impedimento do item 3.",
  "Documents and facts: they are declared. Whether a document is genuine, and whether it is of this land and of all that was suppressed or embargoed, is for the bank to see.":
    "Documentos e fatos: são declarados. Se um documento é autêntico, e se é desta terra e de tudo o que foi suprimido ou embargado, cabe ao banco verificar.",
  "Embargoes: credit only for the recovery of the embargoed area, and conditions of the exception that no document of the applicant shows, such as recovery that begins within six months, and no fine for breaking the embargo (second-hand).":
    "Embargos: crédito apenas para a recuperação da área embargada, e condições da exceção que nenhum documento do proponente mostra, como recuperação que começa em seis meses e nenhuma multa por descumprir o embargo (de segunda mão).",
  "Employers that came on the list, or were taken off it by a court, after the list was collected.":
    "Empregadores que entraram na lista, ou dela foram retirados por decisão judicial, depois da coleta da lista.",
  "Forest of 2020 that the maps of the group preset:forest_2020 lack.":
    "Floresta de 2020 que falta nos mapas do grupo preset:forest_2020.",
  "Indigenous lands and quilombola territories: the stage of demarcation or titling, and whether the applicant belongs to the people whose land it is. No text was read that says how they lift the block of item 5.":
    "Terras indígenas e territórios quilombolas: a fase de demarcação ou titulação, e se o proponente pertence ao povo dono da terra. Não se leu nenhum texto que diga como isso suspende o impedimento do item 5.",
  "Item 17: the wording of Resolution 5.303/2026, which was not read, and the action against items 17 and 18 before the Supreme Court (ADPF 1.228).":
    "Item 17: a redação da Resolução 5.303/2026, que não foi lida, e a ação contra os itens 17 e 18 no Supremo Tribunal Federal (ADPF 1.228).",
  "Items 17 and 18: the source of the funds. They condition credit from controlled or directed funds (second-hand); here they are asked of every credit.":
    "Itens 17 e 18: a origem dos recursos. Eles condicionam o crédito com recursos controlados ou direcionados (de segunda mão); aqui são exigidos de todo crédito.",
  "Land in use beyond the property of the CAR, and the monitoring of the credit while it lasts (Resolution 5.267/2025).":
    "Terra em uso além do imóvel do CAR, e o monitoramento do crédito enquanto dura (Resolução 5.267/2025).",
  "Loss that neither the data nor the applicant tell: after the last day that the data speak of, or missed by them.":
    "Perda que nem os dados nem o proponente informam: depois do último dia de que os dados falam, ou que eles não captaram.",
  "Names: only identifiers are compared.": "Nomes: só se comparam identificadores.",
  "Ownership: companies owned to 50 percent or more by listed persons are not found (for OFAC: guidance of 13 August 2014).":
    "Participação societária: não se encontram empresas das quais pessoas listadas têm 50 por cento ou mais (para a OFAC: orientação de 13 de agosto de 2014).",
  "Parties that were listed after the list was collected.":
    "Partes que foram listadas depois da coleta da lista.",
  "Risk assessment and mitigation (arts. 10 and 11), and the due diligence statement (art. 4).":
    "A avaliação e a mitigação do risco (arts. 10 e 11), e a declaração de diligência devida (art. 4).",
  "Sectoral and territorial sanctions.": "Sanções setoriais e territoriais.",
  "Suppliers and contractors of the employer, and natural persons whom the register leaves out.":
    "Fornecedores e contratados do empregador, e pessoas físicas que o cadastro deixa de fora.",
  "The CAR: the exceptions of MCR 2-1, items 12 to 15, and whether the polygon that covers the plot is that of the code; sets of areas are not chosen by identifiers.":
    "O CAR: as exceções do MCR 2-1, itens 12 a 15, e se o polígono que cobre a parcela é o do código; conjuntos de áreas não são escolhidos por identificadores.",
  "The category of the unit: private land and production are allowed in some units of sustainable use (Law 9.985/2000, arts. 14 to 21) and barred from those of strict protection (arts. 8 to 13).":
    "A categoria da unidade: terras privadas e produção são permitidas em algumas unidades de uso sustentável (Lei 9.985/2000, arts. 14 a 21) e vedadas nas de proteção integral (arts. 8 a 13).",
  "The management plan of the unit and its buffer zone (arts. 25, 27 and 28).":
    "O plano de manejo da unidade e a sua zona de amortecimento (arts. 25, 27 e 28).",
  "The phase of demarcation: lands count alike from study to registration.":
    "A fase da demarcação: as terras contam igualmente do estudo ao registro.",
  "The phase of the process: territories count alike from delimitation to title.":
    "A fase do processo: os territórios contam igualmente da delimitação ao título.",
  "The supply chain, and whether the product is mixed with others (arts. 9 and 13).":
    "A cadeia de fornecimento, e se o produto é misturado com outros (arts. 9 e 13).",
  "Type B forests: native vegetation that was lost otherwise than by PRODES since 31 July 2019.":
    "Florestas do tipo B: vegetação nativa perdida, segundo outro que não o PRODES, desde 31 de julho de 2019.",
  "What was listed, registered, embargoed or cleared after the sources were collected.":
    "O que foi listado, registrado, embargado ou desmatado depois da coleta das fontes.",
  "Whether a detection is right, and mining after the detections were collected.":
    "Se uma detecção está certa, e a mineração posterior à coleta das detecções.",
  "Whether a permit, concession or licence exists (Law 7.805/1989).":
    "Se existe permissão, concessão ou licença (Lei 7.805/1989).",
  "Whether a product was made with forced labour (Regulation (EU) 2024/3015, art. 3): absence from the lists does not show that it was not.":
    "Se um produto foi feito com trabalho forçado (Regulamento (UE) 2024/3015, art. 3): a ausência nas listas não mostra que não foi.",
  "Whether documents and answers are true, and enough: they are declared, not examined.":
    "Se documentos e respostas são verdadeiros, e se bastam: são declarados, não examinados.",
  "Whether regenerating or planted forest became plantation after 2020: Whisp has the question, and no data set for it at that commit.":
    "Se floresta em regeneração ou plantada virou plantação depois de 2020: o Whisp tem a pergunta, e nenhum conjunto de dados para ela naquele commit.",
  "Whether the plot complies with Regulation (EU) 2023/1115: Whisp's answer is a risk, and preset.eudr asks the Regulation's questions.":
    "Se a parcela cumpre o Regulamento (UE) 2023/1115: a resposta do Whisp é um risco, e preset.eudr faz as perguntas do Regulamento.",
  "Who is an operator, and what else the later date of micro and small operators needs (art. 38).":
    "Quem é operador, e o que mais a data posterior dos operadores micro e pequenos exige (art. 38).",

  // Descriptions of checks
  "31 CFR chapter V, for the SDN list.": "31 CFR, capítulo V, para a lista SDN.",
  "Art. 13: due diligence may be simplified, if the product is not mixed with others or made to circumvent the Regulation.":
    "Art. 13: a diligência devida pode ser simplificada, se o produto não é misturado com outros nem feito para contornar o Regulamento.",
  "Art. 2(13)(a): any area, also loss of an unknown time, is to be looked at before it is called noise or dated before the cut-off. Open where the data speak of no day in the last two years (731 days): maps of loss are yearly and appear in the year that follows, so older ones have been replaced.":
    "Art. 2(13)(a): qualquer área, também perda de época desconhecida, deve ser vista antes de ser chamada de ruído ou datada de antes da data de corte. Em aberto onde os dados não falam de nenhum dia dos últimos dois anos (731 dias): os mapas de perda são anuais e aparecem no ano seguinte, portanto os mais antigos já foram substituídos.",
  "Art. 2(13)(a): what the applicant knows, the maps may lack.":
    "Art. 2(13)(a): o que o proponente sabe pode faltar nos mapas.",
  "Art. 2(28): above four hectares a polygon is needed, of cattle not.":
    "Art. 2(28): acima de quatro hectares é preciso um polígono; para gado, não.",
  "Art. 2(29) and art. 9(1)(d): every establishment where the cattle were kept is told.":
    "Art. 2(29) e art. 9(1)(d): informa-se cada estabelecimento em que o gado foi mantido.",
  "Art. 2(7), art. 2(13)(b) and art. 3(a): of wood alone. No map that is asked tells it.":
    "Art. 2(7), art. 2(13)(b) e art. 3(a): só de madeira. Nenhum mapa consultado o diz.",
  "Art. 29: the source says neither low, standard nor high.":
    "Art. 29: a fonte não diz baixo, normal nem alto.",
  "Art. 29; the risk assessment takes the benchmark into account (art. 10(2)(a)).":
    "Art. 29; a avaliação do risco leva em conta a classificação (art. 10(2)(a)).",
  "Art. 3(b) with art. 2(40)(a) and art. 9(1)(h).": "Art. 3(b) com art. 2(40)(a) e art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(a), (d), (f) and (g): land use rights, rights of third parties, human rights, consent.":
    "Art. 3(b) com art. 2(40)(a), (d), (f) e (g): direitos de uso da terra, direitos de terceiros, direitos humanos, consentimento.",
  "Art. 3(b) with art. 2(40)(b) and art. 9(1)(h).": "Art. 3(b) com art. 2(40)(b) e art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(b): protection of the environment.":
    "Art. 3(b) com art. 2(40)(b): proteção do meio ambiente.",
  "Art. 3(b) with art. 2(40)(c) and art. 9(1)(h).": "Art. 3(b) com art. 2(40)(c) e art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(d) and art. 9(1)(h).": "Art. 3(b) com art. 2(40)(d) e art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(e) and art. 9(1)(h).": "Art. 3(b) com art. 2(40)(e) e art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(f) and art. 9(1)(h).": "Art. 3(b) com art. 2(40)(f) e art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(h) and art. 9(1)(h).": "Art. 3(b) com art. 2(40)(h) e art. 9(1)(h).",
  "Art. 38(2), as amended by Regulation (EU) 2025/2650 (second-hand).":
    "Art. 38(2), na redação do Regulamento (UE) 2025/2650 (de segunda mão).",
  "Art. 38(3), as amended by Regulation (EU) 2025/2650 (second-hand), with an exception for timber, taken here as all wood.":
    "Art. 38(3), na redação do Regulamento (UE) 2025/2650 (de segunda mão), com uma exceção para madeira, aqui tomada como toda madeira.",
  "Art. 9(1)(d).": "Art. 9(1)(d).",
  "Constitution of Brazil, art. 231, § 3.": "Constituição Federal, art. 231, § 3.",
  "Constitution of Brazil, art. 231, §§ 2, 4 and 6.": "Constituição Federal, art. 231, §§ 2, 4 e 6.",
  "Distance of Interministerial Ordinance 60/2015, Annex I.":
    "Distância da Portaria Interministerial 60/2015, Anexo I.",
  "Interministerial Ordinance MTE/MDHC/MIR 18/2024.": "Portaria Interministerial MTE/MDHC/MIR 18/2024.",
  "Law 7.805/1989, art. 21.": "Lei 7.805/1989, art. 21.",
  "Law 9.985/2000, art. 25; distance after CONAMA Resolution 428/2010.":
    "Lei 9.985/2000, art. 25; distância conforme a Resolução CONAMA 428/2010.",
  "Law 9.985/2000, arts. 7 to 21 and 28.": "Lei 9.985/2000, arts. 7 a 21 e 28.",
  "MCR 2-9, for all biomes. The exception does not reach it: embargoed area must be out of use (press on Resolution 5.193/2024).":
    "MCR 2-9, para todos os biomas. A exceção não o alcança: a área embargada deve estar fora de uso (imprensa sobre a Resolução 5.193/2024).",
  "MCR 2-9, item 1, knows the property by the CAR. One percent is left for borders that were drawn twice.":
    "MCR 2-9, item 1, conhece o imóvel pelo CAR. Um por cento fica para limites desenhados duas vezes.",
  "MCR 2-9, item 17, properties of any size. Resolution 5.268/2025 blocks from this day, Resolution 5.303/2026 only later (both second-hand): a warning until both do.":
    "MCR 2-9, item 17, imóveis de qualquer tamanho. A Resolução 5.268/2025 bloqueia a partir deste dia, a Resolução 5.303/2026 só mais tarde (ambas de segunda mão): um alerta até que as duas bloqueiem.",
  "MCR 2-9, item 17. Resolution 5.268/2025 blocks from this day, Resolution 5.303/2026 only later (both second-hand): a warning until both do.":
    "MCR 2-9, item 17. A Resolução 5.268/2025 bloqueia a partir deste dia, a Resolução 5.303/2026 só mais tarde (ambas de segunda mão): um alerta até que as duas bloqueiem.",
  "MCR 2-9, item 17: what will block the credit later, whatever the size of the property.":
    "MCR 2-9, item 17: o que bloqueará o crédito mais tarde, seja qual for o tamanho do imóvel.",
  "MCR 2-9, item 2, does not name this state.": "MCR 2-9, item 2, não cita esta situação.",
  "MCR 2-9, item 2.": "MCR 2-9, item 2.",
  "MCR 2-9, item 2: no credit without registration. A warning, since registers of the CAR are published in parts.":
    "MCR 2-9, item 2: nenhum crédito sem inscrição. Um alerta, porque os cadastros do CAR são publicados em partes.",
  "MCR 2-9, item 3. Consent of the body that manages the unit lifts it for traditional communities (Resolution 5.268/2025, by the ministry's note).":
    "MCR 2-9, item 3. O consentimento do órgão gestor da unidade o suspende para comunidades tradicionais (Resolução 5.268/2025, pela nota do ministério).",
  "MCR 2-9, item 3: a property that lies wholly or partly in a unit.":
    "MCR 2-9, item 3: imóvel situado total ou parcialmente em uma unidade.",
  "MCR 2-9, item 3: consent lifts the block only for beneficiaries of an extractive reserve, a national forest or a sustainable development reserve without a management plan, under Pronaf (the ministry's note on Resolution 5.268/2025).":
    "MCR 2-9, item 3: o consentimento suspende o impedimento só para beneficiários de reserva extrativista, floresta nacional ou reserva de desenvolvimento sustentável sem plano de manejo, no Pronaf (nota do ministério sobre a Resolução 5.268/2025).",
  "MCR 2-9, item 5.": "MCR 2-9, item 5.",
  "MCR 2-9, item 5: a property that lies wholly or partly in one.":
    "MCR 2-9, item 5: imóvel situado total ou parcialmente em uma delas.",
  "MCR 2-9, items 17 and 18, by PRODES, for properties of any size from 3 January 2028 by the dates of Resolution 5.303/2026 (second-hand).":
    "MCR 2-9, itens 17 e 18, pelo PRODES, para imóveis de qualquer tamanho a partir de 3 de janeiro de 2028, pelas datas da Resolução 5.303/2026 (de segunda mão).",
  "MCR 2-9, items 17 and 18, from 1 July 2027 by the dates of Resolution 5.303/2026 (second-hand); from 3 January 2028 the size does not matter. Of several municipalities the least module counts.":
    "MCR 2-9, itens 17 e 18, a partir de 1º de julho de 2027, pelas datas da Resolução 5.303/2026 (de segunda mão); a partir de 3 de janeiro de 2028 o tamanho não importa. De vários municípios conta o menor módulo.",
  "MCR 2-9, items 17 and 18, from 4 January 2027 by the dates of Resolution 5.303/2026 (second-hand); from 1 July 2027 four modules are enough.":
    "MCR 2-9, itens 17 e 18, a partir de 4 de janeiro de 2027, pelas datas da Resolução 5.303/2026 (de segunda mão); a partir de 1º de julho de 2027 bastam quatro módulos.",
  "MCR 2-9, items 17 and 18: the list of properties by CAR code, which banks consult, for any size from 3 January 2028 by the dates of Resolution 5.303/2026 (second-hand).":
    "MCR 2-9, itens 17 e 18: a lista de imóveis por código do CAR, que os bancos consultam, de qualquer tamanho a partir de 3 de janeiro de 2028, pelas datas da Resolução 5.303/2026 (de segunda mão).",
  "MCR 2-9.": "MCR 2-9.",
  "MCR 2-9: a property that lies wholly or partly in one, but for an entry in the land register, or up to fifteen modules (second-hand).":
    "MCR 2-9: imóvel situado total ou parcialmente em uma delas, salvo registro no cartório de imóveis, ou até quinze módulos (de segunda mão).",
  "MCR 2-9: a property that lies wholly or partly in one.":
    "MCR 2-9: imóvel situado total ou parcialmente em um deles.",
  "MCR 2-9: the exception asks for a recovery project, paid fines and a closed area (press on Resolution 5.193/2024; its wording was not read).":
    "MCR 2-9: a exceção exige projeto de recuperação, multas pagas e área isolada (imprensa sobre a Resolução 5.193/2024; a redação não foi lida).",
  "MCR 2-9: the exception ends at 5 percent of the property or 20 ha, whichever is less (press on Resolution 5.193/2024).":
    "MCR 2-9: a exceção termina em 5 por cento do imóvel ou 20 ha, o que for menor (imprensa sobre a Resolução 5.193/2024).",
  "MCR 2-9: the exception for up to fifteen fiscal modules wants its native vegetation kept (second-hand); of that only PRODES since 31 July 2019 is seen.":
    "MCR 2-9: a exceção para até quinze módulos fiscais quer a vegetação nativa mantida (de segunda mão); disso só se vê o PRODES desde 31 de julho de 2019.",
  "MCR 2-9: the exception for up to fifteen fiscal modules wants what is financed outside of the forest (second-hand). An entry in the land register lifts it (the ministry's note on Resolution 5.268/2025).":
    "MCR 2-9: a exceção para até quinze módulos fiscais quer o que se financia fora da floresta (de segunda mão). Um registro no cartório de imóveis a suspende (nota do ministério sobre a Resolução 5.268/2025).",
  "MCR 2-9: the exception lasts until 30 June 2027 (press on Resolution 5.193/2024).":
    "MCR 2-9: a exceção dura até 30 de junho de 2027 (imprensa sobre a Resolução 5.193/2024).",
  "MCR 2-9; Interministerial Ordinance MTE/MDHC/MIR 18/2024.":
    "MCR 2-9; Portaria Interministerial MTE/MDHC/MIR 18/2024.",
  "Regulation (EU) 2023/1115, art. 2(13)(a) and art. 3(a). The Regulation sets no least area of loss; half a hectare is the least area of a forest (art. 2(4)), and keeps the noise of single cells out. A document that the land was no forest (art. 2(4)), or was not put to agricultural use (art. 2(3)), leaves the warning below.":
    "Regulamento (UE) 2023/1115, art. 2(13)(a) e art. 3(a). O Regulamento não fixa área mínima de perda; meio hectare é a área mínima de uma floresta (art. 2(4)) e deixa de fora o ruído de células isoladas. Um documento de que a terra não era floresta (art. 2(4)), ou não foi posta em uso agrícola (art. 2(3)), deixa o alerta abaixo.",
  "Screening distance, not a prohibition.": "Distância de triagem, não uma proibição.",
  "Screening distance.": "Distância de triagem.",
  "The cut-off of item 17 cannot be applied.": "A data de corte do item 17 não pode ser aplicada.",
  "The exception lasts until 30 June 2028 (the ministry's note on Resolution 5.268/2025).":
    "A exceção dura até 30 de junho de 2028 (nota do ministério sobre a Resolução 5.268/2025).",
  "The first eight characters of a CNPJ name the company.":
    "Os oito primeiros caracteres de um CNPJ identificam a empresa.",
  "The list and the overlay differ: the list decides for the bank, the overlay is a second look.":
    "A lista e a sobreposição diferem: para o banco decide a lista, a sobreposição é um segundo olhar.",
  "The size in fiscal modules, which items 17 and type B forests depend on, is that of the part in municipalities with a module.":
    "O tamanho em módulos fiscais, do qual dependem o item 17 e as florestas do tipo B, é o da parte em municípios com módulo.",
  "Transitional Provisions, art. 68; Decree 4.887/2003.":
    "Ato das Disposições Constitucionais Transitórias, art. 68; Decreto 4.887/2003.",
  "Where nothing else of the embargoes is found, the exception for 5 percent or 20 ha holds until 30 June 2027.":
    "Onde nada mais dos embargos é encontrado, a exceção de 5 por cento ou 20 ha vale até 30 de junho de 2027.",
  "Where nothing else of the units is found, the exception for traditional communities holds until 30 June 2028.":
    "Onde nada mais das unidades é encontrado, a exceção para comunidades tradicionais vale até 30 de junho de 2028.",
  "Where nothing else of these forests is found, one of the exceptions holds.":
    "Onde nada mais dessas florestas é encontrado, vale uma das exceções.",
  "Whisp: high risk (its rule 3).": "Whisp: risco alto (a sua regra 3).",
  "Whisp: high risk (its rule 5).": "Whisp: risco alto (a sua regra 5).",
  "Whisp: high risk.": "Whisp: risco alto.",
  "Whisp: low risk.": "Whisp: risco baixo.",
  "Whisp: more information needed.": "Whisp: é preciso mais informação.",
  "Within 50 m, without overlap: neighbours to be heard.": "A até 50 m, sem sobreposição: vizinhos a ouvir.",

  // Descriptions of rulesets
  "Conservation units of the Brazilian national system (SNUC, Law 9.985/2000). An overlap fails; a unit within 3 km is a warning. Buffer zones are set unit by unit (art. 25); 3 km is the band that CONAMA Resolution 428/2010, art. 1, § 2, used for units without one, and whose term Resolution 473/2015 prolonged by five years. Here it is a screening distance, so it is waived where what lies around the plot is not covered. Uses the sources of the group preset:conservation_units.":
    "Unidades de conservação do sistema nacional brasileiro (SNUC, Lei 9.985/2000). Uma sobreposição reprova; uma unidade a até 3 km é um alerta. As zonas de amortecimento são fixadas unidade por unidade (art. 25); 3 km é a faixa que a Resolução CONAMA 428/2010, art. 1, § 2, usava para unidades sem zona, e cujo prazo a Resolução 473/2015 prorrogou por cinco anos. Aqui é uma distância de triagem, portanto é dispensada onde o entorno da parcela não está coberto. Usa as fontes do grupo preset:conservation_units.",
  "Due diligence under Regulation (EU) 2023/1115 on deforestation-free products, as amended by Regulation (EU) 2025/2650. Was there forest at the end of 2020, and has it been lost since? Deforestation after 31 December 2020 (art. 2(13)) is where land that a map of forest of 2020 calls forest lost its tree cover later. Loss that is certainly later, on more than half a hectare of the plot, fails unless a document says that it was no deforestation; loss that may be later (of a period that ends after the cut-off, or of no known time), on any area, is a warning. Production must be legal (art. 3(b), art. 2(40)): a plot that overlaps an indigenous land or a protected area is a warning until a document is brought, and each other field of law of which no document is brought is a notice: art. 9(1)(h) asks for information on it, not for one paper a plot. What is declared is declared, not examined. Countries are benchmarked as of low, standard or high risk (art. 29): high is a warning, and so is a benchmark that is not known; a plot in countries of low risk alone is reported, since due diligence may be simplified (art. 13). The dates of application (30 December 2026, and 30 June 2027 for micro and small operators) and the benchmark (implementing act of 22 May 2025) are second-hand: take the list of countries from the act itself. Uses the groups preset:forest_2020 (forest at the end of 2020), preset:tree_cover_loss (with date columns `from` and `to`, between which each loss happened), preset:indigenous_lands, preset:conservation_units and preset:country_benchmark (borders with a text column `benchmark`: low, standard or high). docs/presets/eudr.md has the article beside every check.":
    "Diligência devida segundo o Regulamento (UE) 2023/1115 sobre produtos livres de desmatamento, na redação do Regulamento (UE) 2025/2650. Havia floresta no fim de 2020, e ela se perdeu desde então? Há desmatamento depois de 31 de dezembro de 2020 (art. 2(13)) onde a terra que um mapa de floresta de 2020 chama de floresta perdeu mais tarde a cobertura arbórea. Perda certamente posterior, em mais de meio hectare da parcela, reprova, a menos que um documento diga que não foi desmatamento; perda que pode ser posterior (de um período que termina depois da data de corte, ou de época desconhecida), em qualquer área, é um alerta. A produção deve ser legal (art. 3(b), art. 2(40)): uma parcela que sobrepõe terra indígena ou área protegida é um alerta até que se apresente um documento, e cada outro campo do direito sem documento é um aviso: o art. 9(1)(h) pede informações sobre ele, não um papel por parcela. O que se declara é declarado, não examinado. Os países são classificados como de risco baixo, normal ou alto (art. 29): alto é um alerta, e também uma classificação desconhecida; uma parcela apenas em países de risco baixo é informada, pois a diligência devida pode ser simplificada (art. 13). As datas de aplicação (30 de dezembro de 2026, e 30 de junho de 2027 para operadores micro e pequenos) e a classificação (ato de execução de 22 de maio de 2025) são de segunda mão: tome a lista de países do próprio ato. Usa os grupos preset:forest_2020 (floresta no fim de 2020), preset:tree_cover_loss (com as colunas de data `from` e `to`, entre as quais ocorreu cada perda), preset:indigenous_lands, preset:conservation_units e preset:country_benchmark (fronteiras com uma coluna de texto `benchmark`: low, standard ou high). docs/presets/eudr.md traz o artigo ao lado de cada verificação.",
  "Forced labour, by identifier. Brazil's register of employers found to have kept workers in conditions analogous to slavery (Interministerial Ordinance MTE/MDHC/MIR 18 of 13 September 2024; Penal Code, art. 149) names an employer for two years. A listed employer fails, whichever of its establishments the input names. The register appears twice a year: one that is older than 184 days proves nothing by its silence. Uses the registers of the group preset:forced_labour.":
    "Trabalho forçado, por identificador. O cadastro brasileiro de empregadores que submeteram trabalhadores a condições análogas às de escravo (Portaria Interministerial MTE/MDHC/MIR 18, de 13 de setembro de 2024; Código Penal, art. 149) mantém um empregador por dois anos. Um empregador listado reprova, seja qual for o estabelecimento que a entrada cita. O cadastro sai duas vezes por ano: o silêncio de um com mais de 184 dias nada prova. Usa os cadastros do grupo preset:forced_labour.",
  "Indigenous lands with a buffer. Lands traditionally occupied by indigenous peoples are inalienable and reserved for their permanent use, and titles over them are void (Constitution of Brazil, art. 231, in particular §§ 2, 4 and 6; Law 6.001/1973, art. 18). An overlap fails; a land within 10 km is a warning. The law sets no general buffer: 10 km is a screening distance, and is waived where what lies around the plot is not covered. Any overlap of more than a hundredth of a square metre counts, so boundaries from different surveys may need a tolerance. Uses the sources of the group preset:indigenous_lands.":
    "Terras indígenas com entorno. As terras tradicionalmente ocupadas por povos indígenas são inalienáveis e reservadas ao seu uso permanente, e títulos sobre elas são nulos (Constituição Federal, art. 231, em especial §§ 2, 4 e 6; Lei 6.001/1973, art. 18). Uma sobreposição reprova; uma terra a até 10 km é um alerta. A lei não fixa um entorno geral: 10 km é uma distância de triagem, dispensada onde o entorno da parcela não está coberto. Conta qualquer sobreposição de mais de um centésimo de metro quadrado, portanto limites de levantamentos diferentes podem pedir uma tolerância. Usa as fontes do grupo preset:indigenous_lands.",
  "Quilombola territories. The remnants of quilombo communities own the lands they occupy (Constitution of Brazil, Transitional Provisions, art. 68), which Decree 4.887/2003 has identified, delimited and titled. An overlap fails; a shared border is reported, and waived where what lies around the plot is not covered. Uses the sources of the group preset:quilombola_territories.":
    "Territórios quilombolas. Os remanescentes das comunidades dos quilombos são donos das terras que ocupam (Ato das Disposições Constitucionais Transitórias, art. 68), que se identificam, delimitam e titulam pelo Decreto 4.887/2003. Uma sobreposição reprova; um limite comum é informado, e dispensado onde o entorno da parcela não está coberto. Usa as fontes do grupo preset:quilombola_territories.",
  "Risk of deforestation and degradation of a plot that timber comes from, by Whisp's published decision (FAO, Open Foris; openforis-whisp, risk.py at commit 0534f68b), made for Regulation (EU) 2023/1115. High where forest of 2020 is agriculture since, and where primary, regenerating or planted forest was disturbed since and nothing speaks for its persistence; low where there was no forest or a commodity in 2020, where a plantation is no agriculture, and where primary forest was not disturbed, tree cover stands since or a logging concession covers the plot; else more information needed. High risk is NON_COMPLIANT, more information needed is WARNING, and so is what no source covers; low risk is COMPLIANT, with the reason as a notice. A question is answered yes where more than a tenth of the plot says so, by shares of cells, of all maps of a group together. docs/presets/whisp.md says where that is not what Whisp does. Uses the groups preset:forest_types_2020 (with a text column `forest_type`: primary, naturally_regenerating, planted or plantation), preset:commodities_2020, preset:agriculture_after_2020, preset:disturbances (with date columns `from` and `to`), preset:tree_cover_after_2020 and preset:logging_concessions.":
    "Risco de desmatamento e degradação de uma parcela de que vem madeira, pela decisão publicada do Whisp (FAO, Open Foris; openforis-whisp, risk.py no commit 0534f68b), feita para o Regulamento (UE) 2023/1115. Alto onde floresta de 2020 virou agricultura desde então, e onde floresta primária, em regeneração ou plantada foi perturbada desde então e nada indica a sua permanência; baixo onde não havia floresta ou havia um cultivo em 2020, onde uma plantação não virou agricultura, e onde floresta primária não foi perturbada, há cobertura arbórea desde então ou uma concessão madeireira cobre a parcela; senão, é preciso mais informação. Risco alto é NON_COMPLIANT, mais informação é WARNING, e também o que nenhuma fonte cobre; risco baixo é COMPLIANT, com o motivo como aviso. Uma pergunta se responde com sim onde mais de um décimo da parcela o diz, por partes de células, de todos os mapas de um grupo juntos. docs/presets/whisp.md diz onde isso não é o que o Whisp faz. Usa os grupos preset:forest_types_2020 (com uma coluna de texto `forest_type`: primary, naturally_regenerating, planted ou plantation), preset:commodities_2020, preset:agriculture_after_2020, preset:disturbances (com as colunas de data `from` e `to`), preset:tree_cover_after_2020 e preset:logging_concessions.",
  "Risk of deforestation of a plot with a perennial crop (coffee, cocoa, rubber, oil palm), by the four questions of Whisp's published decision (FAO, Open Foris; openforis-whisp, risk.py at commit 0534f68b), made for Regulation (EU) 2023/1115. Low where there was no tree cover in 2020, where there was a commodity then, or where the trees were disturbed until 2020; else high where they were disturbed since, and more information needed where they were not. High risk is NON_COMPLIANT, more information needed is WARNING, and so is what no source covers; low risk is COMPLIANT, with the reason as a notice. A question is answered yes where more than a tenth of the plot says so, by shares of cells, of all maps of a group together. docs/presets/whisp.md says where that is not what Whisp does. Uses the groups preset:tree_cover_2020, preset:commodities_2020 and preset:disturbances (with date columns `from` and `to`).":
    "Risco de desmatamento de uma parcela com cultivo perene (café, cacau, borracha, palma de óleo), pelas quatro perguntas da decisão publicada do Whisp (FAO, Open Foris; openforis-whisp, risk.py no commit 0534f68b), feita para o Regulamento (UE) 2023/1115. Baixo onde não havia cobertura arbórea em 2020, onde havia então um cultivo, ou onde as árvores foram perturbadas até 2020; senão, alto onde foram perturbadas desde então, e é preciso mais informação onde não foram. Risco alto é NON_COMPLIANT, mais informação é WARNING, e também o que nenhuma fonte cobre; risco baixo é COMPLIANT, com o motivo como aviso. Uma pergunta se responde com sim onde mais de um décimo da parcela o diz, por partes de células, de todos os mapas de um grupo juntos. docs/presets/whisp.md diz onde isso não é o que o Whisp faz. Usa os grupos preset:tree_cover_2020, preset:commodities_2020 e preset:disturbances (com as colunas de data `from` e `to`).",
  "Risk of deforestation of a plot with an annual crop (soya), by the questions of Whisp's published decision (FAO, Open Foris; openforis-whisp, risk.py at commit 0534f68b), made for Regulation (EU) 2023/1115. Low where there was no tree cover in 2020 or where there was a commodity then; else high where the trees were disturbed since, and more information needed where they were not. Disturbances before are not asked. High risk is NON_COMPLIANT, more information needed is WARNING, and so is what no source covers; low risk is COMPLIANT, with the reason as a notice. A question is answered yes where more than a tenth of the plot says so, by shares of cells, of all maps of a group together. docs/presets/whisp.md says where that is not what Whisp does. Whisp's answer for livestock has the same tree at that commit. Uses the groups preset:tree_cover_2020, preset:commodities_2020 and preset:disturbances (with date columns `from` and `to`).":
    "Risco de desmatamento de uma parcela com cultivo anual (soja), pelas perguntas da decisão publicada do Whisp (FAO, Open Foris; openforis-whisp, risk.py no commit 0534f68b), feita para o Regulamento (UE) 2023/1115. Baixo onde não havia cobertura arbórea em 2020 ou onde havia então um cultivo; senão, alto onde as árvores foram perturbadas desde então, e é preciso mais informação onde não foram. Não se pergunta por perturbações anteriores. Risco alto é NON_COMPLIANT, mais informação é WARNING, e também o que nenhuma fonte cobre; risco baixo é COMPLIANT, com o motivo como aviso. Uma pergunta se responde com sim onde mais de um décimo da parcela o diz, por partes de células, de todos os mapas de um grupo juntos. docs/presets/whisp.md diz onde isso não é o que o Whisp faz. A resposta do Whisp para gado tem a mesma árvore naquele commit. Usa os grupos preset:tree_cover_2020, preset:commodities_2020 e preset:disturbances (com as colunas de data `from` e `to`).",
  "Rural credit in Brazil: social, environmental and climatic impediments of the Manual de Crédito Rural (MCR 2-9, as reworded by CMN Resolutions 5.081/2023, 5.193/2024, 5.268 of 18 December 2025 and 5.303 of 12 May 2026). No credit for a property that lies wholly or partly in a conservation unit (item 3), in indigenous land (item 5), in quilombola territory or in an undesignated public forest (type B), that is embargoed, whose CAR registration is cancelled or suspended (item 2), or whose employer is on the register of conditions analogous to slavery; where native vegetation was suppressed after 31 July 2019 (item 17), none without one of the documents of item 18. Resolutions 5.193 to 5.303 are second-hand: notes of the ministry, the press and public code that cites them. Of the dates of item 17 there are two: Resolution 5.268 named 1 April 2026 for properties above four fiscal modules and 4 January 2027 for all; Resolution 5.303 names 4 January 2027 above fifteen, 1 July 2027 above four and 3 January 2028 for all. What the later one blocks is NON_COMPLIANT here, what only the earlier one would is WARNING. In addition, a nearby indigenous land is a warning: within 10 km in the Amazon biome, within 8 km elsewhere; Interministerial Ordinance 60/2015, Annex I, sets these distances for single projects such as ports and mines (there for the Legal Amazon, here for the biome), so they are waived where what lies around the plot is not covered. Asks for the property (the land of the CAR), an identifier with the role owner and the CAR code (br:car) with the role property. Uses the groups preset:conservation_units, preset:indigenous_lands, preset:quilombola_territories, preset:embargoes, preset:prodes (with a date column `detected`), preset:prodes_properties, preset:fiscal_modules (municipalities with a number column `fiscal_module_ha`), preset:type_b_forests, preset:car_polygons, preset:car_active, preset:car_pending, preset:car_suspended, preset:car_cancelled, preset:biomes (areas named after the biomes) and preset:forced_labour.":
    "Crédito rural no Brasil: impedimentos sociais, ambientais e climáticos do Manual de Crédito Rural (MCR 2-9, na redação das Resoluções CMN 5.081/2023, 5.193/2024, 5.268, de 18 de dezembro de 2025, e 5.303, de 12 de maio de 2026). Nenhum crédito para imóvel situado total ou parcialmente em unidade de conservação (item 3), em terra indígena (item 5), em território quilombola ou em floresta pública não destinada (tipo B), que esteja embargado, cuja inscrição no CAR esteja cancelada ou suspensa (item 2), ou cujo empregador esteja no cadastro de condições análogas às de escravo; onde vegetação nativa foi suprimida depois de 31 de julho de 2019 (item 17), nenhum sem um dos documentos do item 18. As Resoluções 5.193 a 5.303 são de segunda mão: notas do ministério, imprensa e código público que as cita. Das datas do item 17 há duas: a Resolução 5.268 indicou 1º de abril de 2026 para imóveis acima de quatro módulos fiscais e 4 de janeiro de 2027 para todos; a Resolução 5.303 indica 4 de janeiro de 2027 acima de quinze, 1º de julho de 2027 acima de quatro e 3 de janeiro de 2028 para todos. O que a posterior bloqueia é NON_COMPLIANT aqui, o que só a anterior bloquearia é WARNING. Além disso, uma terra indígena próxima é um alerta: a até 10 km no bioma Amazônia, a até 8 km nos demais; a Portaria Interministerial 60/2015, Anexo I, fixa essas distâncias para empreendimentos pontuais como portos e minas (lá para a Amazônia Legal, aqui para o bioma), portanto são dispensadas onde o entorno da parcela não está coberto. Pede o imóvel (a terra do CAR), um identificador com o papel owner e o código do CAR (br:car) com o papel property. Usa os grupos preset:conservation_units, preset:indigenous_lands, preset:quilombola_territories, preset:embargoes, preset:prodes (com uma coluna de data `detected`), preset:prodes_properties, preset:fiscal_modules (municípios com uma coluna de número `fiscal_module_ha`), preset:type_b_forests, preset:car_polygons, preset:car_active, preset:car_pending, preset:car_suspended, preset:car_cancelled, preset:biomes (áreas com os nomes dos biomas) e preset:forced_labour.",
  "Sanctions lists, by identifier. A listed identifier fails (for the SDN list of OFAC: 31 CFR chapter V, where dealings with blocked persons are prohibited). For a Brazilian CNPJ, another establishment of the same company on a list is a warning. A designation binds from the day it is published, and no law says how old a list may be: here, a list older than a week proves nothing by its silence. Uses the registers of the group preset:sanctions.":
    "Listas de sanções, por identificador. Um identificador listado reprova (para a lista SDN da OFAC: 31 CFR, capítulo V, que proíbe negócios com pessoas bloqueadas). Para um CNPJ, outro estabelecimento da mesma empresa em uma lista é um alerta. Uma designação vale desde o dia em que é publicada, e nenhuma lei diz quão antiga uma lista pode ser: aqui, o silêncio de uma lista com mais de uma semana nada prova. Usa os cadastros do grupo preset:sanctions.",
  "Traces of mining. Extracting minerals without permit, concession or licence is a crime in Brazil (Law 7.805/1989, art. 21); in indigenous lands mining needs the authorisation of Congress and a hearing of the communities (Constitution, art. 231, § 3). A detection on the plot fails, with a check of its own for one in an indigenous land; a detection within 1 km is a warning. That is a screening distance, and is waived where what lies around the plot is not covered. Uses the sources of the groups preset:mining and preset:indigenous_lands.":
    "Vestígios de mineração. Extrair minerais sem permissão, concessão ou licença é crime no Brasil (Lei 7.805/1989, art. 21); em terras indígenas a mineração precisa da autorização do Congresso e da consulta às comunidades (Constituição, art. 231, § 3). Uma detecção na parcela reprova, com verificação própria para uma em terra indígena; uma detecção a até 1 km é um alerta. Essa é uma distância de triagem, dispensada onde o entorno da parcela não está coberto. Usa as fontes dos grupos preset:mining e preset:indigenous_lands.",
};
