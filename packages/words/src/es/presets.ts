/** Texts of presets by the English ones, in Spanish. */
export const presets: Readonly<Record<string, string>> = {
  // Titles of checks
  "Overlaps a conservation unit": "Se superpone a una unidad de conservación",
  "A conservation unit within 3 km": "Una unidad de conservación a menos de 3 km",
  "Forest of 2020 lost after 31 December 2020, more than half a hectare":
    "Bosque de 2020 perdido después del 31 de diciembre de 2020, más de media hectárea",
  "Forest of 2020 that may have been lost after 31 December 2020":
    "Bosque de 2020 que puede haberse perdido después del 31 de diciembre de 2020",
  "Forest cleared after 31 December 2020, as declared":
    "Bosque talado después del 31 de diciembre de 2020, según lo declarado",
  "Wood without a document that its harvest degraded no forest":
    "Madera sin documento de que su aprovechamiento no degradó ningún bosque",
  "Overlaps an indigenous land, without a document of consent":
    "Se superpone a una tierra indígena, sin documento de consentimiento",
  "Overlaps a protected area, without a document that allows it":
    "Se superpone a un área protegida, sin documento que lo permita",
  "No document of the right to use the land": "Ningún documento del derecho de uso de la tierra",
  "No document on the protection of the environment":
    "Ningún documento sobre la protección del medio ambiente",
  "Wood without a document on the rules on forests": "Madera sin documento sobre las normas forestales",
  "No document on rights of third parties": "Ningún documento sobre derechos de terceros",
  "No document on labour rights": "Ningún documento sobre derechos laborales",
  "No document on human rights": "Ningún documento sobre derechos humanos",
  "No document on tax, corruption, trade and customs":
    "Ningún documento sobre impuestos, corrupción, comercio y aduanas",
  "A point that stands for more than four hectares": "Un punto que representa más de cuatro hectáreas",
  "Cattle: the plot is an establishment": "Ganado: la parcela es un establecimiento",
  "Not all plots of the product are told": "No se informaron todas las parcelas del producto",
  "In a country of high risk": "En un país de riesgo alto",
  "In a country whose benchmark is not known": "En un país cuya clasificación de riesgo no se conoce",
  "In countries of low risk alone": "Solo en países de riesgo bajo",
  "Before 30 December 2026: the Regulation does not apply yet":
    "Antes del 30 de diciembre de 2026: el Reglamento aún no se aplica",
  "Before 30 June 2027: the Regulation does not apply yet to micro and small operators":
    "Antes del 30 de junio de 2027: el Reglamento aún no se aplica a microempresas y pequeños operadores",
  "Employer on a register of forced labour": "Empleador en un registro de trabajo forzoso",
  "Overlaps an indigenous land": "Se superpone a una tierra indígena",
  "An indigenous land within 10 km": "Una tierra indígena a menos de 10 km",
  "Mining detected on the plot": "Minería detectada en la parcela",
  "Mining detected on the plot, in an indigenous land":
    "Minería detectada en la parcela, en una tierra indígena",
  "Mining detected within 1 km": "Minería detectada a menos de 1 km",
  "Overlaps a quilombola territory": "Se superpone a un territorio quilombola",
  "Adjoins a quilombola territory": "Linda con un territorio quilombola",
  "In a conservation unit": "En una unidad de conservación",
  "Property partly in a conservation unit": "Inmueble en parte en una unidad de conservación",
  "Property in a conservation unit, applicant of no traditional community there":
    "Inmueble en una unidad de conservación, solicitante de ninguna comunidad tradicional de allí",
  "Property in a conservation unit, after the exception for traditional communities":
    "Inmueble en una unidad de conservación, tras la excepción para comunidades tradicionales",
  "Property in a conservation unit": "Inmueble en una unidad de conservación",
  "In an indigenous land": "En una tierra indígena",
  "Property partly in an indigenous land": "Inmueble en parte en una tierra indígena",
  "In a quilombola territory": "En un territorio quilombola",
  "Property partly in a quilombola territory": "Inmueble en parte en un territorio quilombola",
  "On embargoed area": "En un área embargada",
  "More than 5 percent of the property embargoed": "Más del 5 por ciento del inmueble embargado",
  "More than 20 ha of the property embargoed": "Más de 20 ha del inmueble embargadas",
  "Property embargoed, after the exception": "Inmueble embargado, tras la excepción",
  "Property embargoed, no project to recover it": "Inmueble embargado, sin proyecto de recuperación",
  "Property embargoed": "Inmueble embargado",
  "Native vegetation suppressed after 31 July 2019":
    "Vegetación nativa suprimida después del 31 de julio de 2019",
  "Native vegetation of the property suppressed after 31 July 2019":
    "Vegetación nativa del inmueble suprimida después del 31 de julio de 2019",
  "Native vegetation suppressed after 31 July 2019, property above four fiscal modules":
    "Vegetación nativa suprimida después del 31 de julio de 2019, inmueble de más de cuatro módulos fiscales",
  "Native vegetation suppressed after 31 July 2019, property above fifteen fiscal modules":
    "Vegetación nativa suprimida después del 31 de julio de 2019, inmueble de más de quince módulos fiscales",
  "Native vegetation suppressed after 31 July 2019, from 4 January 2027":
    "Vegetación nativa suprimida después del 31 de julio de 2019, a partir del 4 de enero de 2027",
  "Native vegetation suppressed after 31 July 2019, property above four fiscal modules, from 1 April 2026":
    "Vegetación nativa suprimida después del 31 de julio de 2019, inmueble de más de cuatro módulos fiscales, a partir del 1 de abril de 2026",
  "Native vegetation suppressed after 31 July 2019, before item 17 reaches every property":
    "Vegetación nativa suprimida después del 31 de julio de 2019, antes de que el punto 17 alcance a todo inmueble",
  "Native vegetation suppressed at an unknown date": "Vegetación nativa suprimida en fecha desconocida",
  "Native vegetation of the property suppressed at an unknown date":
    "Vegetación nativa del inmueble suprimida en fecha desconocida",
  "Property on the ministry's list": "Inmueble en la lista del ministerio",
  "Property on the ministry's list, property above four fiscal modules":
    "Inmueble en la lista del ministerio, inmueble de más de cuatro módulos fiscales",
  "Property on the ministry's list, property above fifteen fiscal modules":
    "Inmueble en la lista del ministerio, inmueble de más de quince módulos fiscales",
  "Property on the ministry's list, from 4 January 2027":
    "Inmueble en la lista del ministerio, a partir del 4 de enero de 2027",
  "Property on the ministry's list, property above four fiscal modules, from 1 April 2026":
    "Inmueble en la lista del ministerio, inmueble de más de cuatro módulos fiscales, a partir del 1 de abril de 2026",
  "On the ministry's list, though no suppression is found on the property":
    "En la lista del ministerio, aunque no se encuentre supresión en el inmueble",
  "Suppression on the property, which the ministry's list does not name":
    "Supresión en el inmueble, que la lista del ministerio no nombra",
  "Fiscal module not known for the whole property": "Módulo fiscal no conocido para todo el inmueble",
  "In an undesignated public forest (type B)": "En un bosque público sin destinación (tipo B)",
  "Property above fifteen fiscal modules partly in an undesignated public forest (type B)":
    "Inmueble de más de quince módulos fiscales en parte en un bosque público sin destinación (tipo B)",
  "Native vegetation suppressed in an undesignated public forest (type B)":
    "Vegetación nativa suprimida en un bosque público sin destinación (tipo B)",
  "Property partly in an undesignated public forest (type B)":
    "Inmueble en parte en un bosque público sin destinación (tipo B)",
  "CAR registration cancelled": "Inscripción en el CAR cancelada",
  "CAR registration suspended": "Inscripción en el CAR suspendida",
  "CAR registration pending": "Inscripción en el CAR pendiente",
  "CAR code in no state of the register": "Código del CAR en ninguna situación del registro",
  "Plot outside the properties of the CAR": "Parcela fuera de los inmuebles del CAR",
  "Employer on the register of conditions analogous to slavery":
    "Empleador en el registro de condiciones análogas a la esclavitud",
  "In the Amazon, an indigenous land within 10 km": "En la Amazonia, una tierra indígena a menos de 10 km",
  "Outside the Amazon, an indigenous land within 8 km":
    "Fuera de la Amazonia, una tierra indígena a menos de 8 km",
  "On a sanctions list": "En una lista de sanciones",
  "Another establishment of the company is on a sanctions list":
    "Otro establecimiento de la empresa está en una lista de sanciones",
  "Tree cover in 2020 disturbed since, without a commodity":
    "Cubierta arbórea en 2020 perturbada desde entonces, sin cultivo",
  "Tree cover in 2020 without a commodity, and not disturbed since":
    "Cubierta arbórea en 2020 sin cultivo, y no perturbada desde entonces",
  "No tree cover in 2020": "Ninguna cubierta arbórea en 2020",
  "A commodity in 2020": "Un cultivo en 2020",
  "Tree cover in 2020 disturbed since, without a commodity or a disturbance before":
    "Cubierta arbórea en 2020 perturbada desde entonces, sin cultivo ni perturbación anterior",
  "Tree cover in 2020 without a commodity, and without disturbances":
    "Cubierta arbórea en 2020 sin cultivo y sin perturbaciones",
  "Disturbed until 31 December 2020": "Perturbada hasta el 31 de diciembre de 2020",
  "Forest of 2020 that is agriculture since, without a commodity then":
    "Bosque de 2020 que desde entonces es agricultura, sin cultivo en esa fecha",
  "Forest disturbed since 2020, with nothing that speaks for its persistence":
    "Bosque perturbado desde 2020, sin nada que indique su permanencia",
  "Forest without a sign of what became of it": "Bosque sin indicio de qué fue de él",
  "No forest in 2020": "Ningún bosque en 2020",
  "A plantation in 2020, no agriculture since": "Una plantación en 2020, ninguna agricultura desde entonces",
  "Primary forest, not disturbed since": "Bosque primario, no perturbado desde entonces",
  "Forest with tree cover since": "Bosque con cubierta arbórea desde entonces",
  "Forest in a logging concession": "Bosque en una concesión maderera",

  // Names of sets, and values of facts
  agriculture: "agricultura",
  amazon: "Amazonia",
  "car active": "CAR activo",
  "car cancelled": "CAR cancelado",
  "car land": "tierra del CAR",
  "car pending": "CAR pendiente",
  "car suspended": "CAR suspendido",
  commodity: "cultivo",
  "company listed": "empresa en la lista",
  concession: "concesión",
  deforested: "deforestada",
  "disturbed after": "perturbada después",
  "disturbed before": "perturbada antes",
  embargoed: "embargada",
  employers: "empleadores",
  forest: "bosque",
  "high risk": "riesgo alto",
  indigenous: "tierra indígena",
  "indigenous 10 km": "tierra indígena a 10 km",
  "indigenous 8 km": "tierra indígena a 8 km",
  "indigenous near": "tierra indígena cercana",
  listed: "incluido en la lista",
  lost: "perdida",
  "low risk": "riesgo bajo",
  mining: "minería",
  "mining in indigenous": "minería en tierra indígena",
  "mining near": "minería cercana",
  municipality: "municipio",
  "not low risk": "riesgo no bajo",
  "perhaps deforested": "quizá deforestada",
  "perhaps lost": "quizá perdida",
  "perhaps suppressed": "quizá suprimida",
  "perhaps suppressed in type b": "quizá suprimida en tipo B",
  plantation: "plantación",
  primary: "bosque primario",
  protected: "área protegida",
  quilombola: "territorio quilombola",
  "quilombola adjoining": "territorio quilombola colindante",
  suppressed: "suprimida",
  "suppressed undated": "suprimida sin fecha",
  "tree cover": "cubierta arbórea",
  "tree cover after": "cubierta arbórea después",
  "type b": "tipo B",
  units: "unidades de conservación",
  "units near": "unidades de conservación cercanas",
  "unknown risk": "riesgo desconocido",
  cattle: "ganado",
  cocoa: "cacao",
  coffee: "café",
  "oil palm": "palma aceitera",
  rubber: "caucho",
  soya: "soja",
  wood: "madera",
  micro: "micro",
  small: "pequeño",
  medium: "mediano",
  large: "grande",

  // Topics that are not examined
  "Anything that the maps of the groups do not tell. Whisp asks the data sets that it chose; a group has those that you give it.":
    "Todo lo que los mapas de los grupos no dicen. Whisp consulta los conjuntos de datos que eligió; un grupo tiene los que usted le da.",
  "Claimed lands that no source has.": "Tierras reivindicadas que ninguna fuente tiene.",
  "Communities whose territory is not delimited yet.": "Comunidades cuyo territorio aún no está delimitado.",
  "Consent of peoples whose land no map shows, and feed of cattle (art. 2(13)(a)).":
    "El consentimiento de pueblos cuya tierra ningún mapa muestra, y el pienso del ganado (art. 2(13)(a)).",
  "Conservation units: management plans and the category of the unit. No text was read that says which of them lift the block of item 3.":
    "Unidades de conservación: planes de manejo y la categoría de la unidad. No se leyó ningún texto que diga cuáles levantan el impedimento del punto 3.",
  "Documents and facts: they are declared. Whether a document is genuine, and whether it is of this land and of all that was suppressed or embargoed, is for the bank to see.":
    "Documentos y hechos: se declaran. Si un documento es auténtico, y si es de esta tierra y de todo lo suprimido o embargado, corresponde al banco verificarlo.",
  "Embargoes: credit only for the recovery of the embargoed area, and conditions of the exception that no document of the applicant shows, such as recovery that begins within six months, and no fine for breaking the embargo (second-hand).":
    "Embargos: crédito solo para la recuperación del área embargada, y condiciones de la excepción que ningún documento del solicitante muestra, como una recuperación que empiece en seis meses y ninguna multa por incumplir el embargo (de segunda mano).",
  "Employers that came on the list, or were taken off it by a court, after the list was collected.":
    "Empleadores que entraron en la lista, o que un tribunal retiró de ella, después de recogerse la lista.",
  "Forest of 2020 that the maps of the group preset:forest_2020 lack.":
    "Bosque de 2020 que falta en los mapas del grupo preset:forest_2020.",
  "Indigenous lands and quilombola territories: the stage of demarcation or titling, and whether the applicant belongs to the people whose land it is. No text was read that says how they lift the block of item 5.":
    "Tierras indígenas y territorios quilombolas: la fase de demarcación o titulación, y si el solicitante pertenece al pueblo dueño de la tierra. No se leyó ningún texto que diga cómo eso levanta el impedimento del punto 5.",
  "Item 17: the wording of Resolution 5.303/2026, which was not read, and the action against items 17 and 18 before the Supreme Court (ADPF 1.228).":
    "Punto 17: la redacción de la Resolución 5.303/2026, que no se leyó, y la acción contra los puntos 17 y 18 ante el Supremo Tribunal Federal (ADPF 1.228).",
  "Items 17 and 18: the source of the funds. They condition credit from controlled or directed funds (second-hand); here they are asked of every credit.":
    "Puntos 17 y 18: el origen de los fondos. Condicionan el crédito con fondos controlados o dirigidos (de segunda mano); aquí se exigen a todo crédito.",
  "Land in use beyond the property of the CAR, and the monitoring of the credit while it lasts (Resolution 5.267/2025).":
    "Tierra en uso más allá del inmueble del CAR, y el seguimiento del crédito mientras dura (Resolución 5.267/2025).",
  "Loss that neither the data nor the applicant tell: after the last day that the data speak of, or missed by them.":
    "Pérdida que ni los datos ni el solicitante indican: después del último día del que hablan los datos, o que estos no captaron.",
  "Names: only identifiers are compared.": "Nombres: solo se comparan identificadores.",
  "Ownership: companies owned to 50 percent or more by listed persons are not found (for OFAC: guidance of 13 August 2014).":
    "Propiedad: no se encuentran las empresas de las que personas incluidas en la lista poseen el 50 por ciento o más (para la OFAC: guía del 13 de agosto de 2014).",
  "Parties that were listed after the list was collected.":
    "Partes incluidas en la lista después de recogerse esta.",
  "Risk assessment and mitigation (arts. 10 and 11), and the due diligence statement (art. 4).":
    "La evaluación y la reducción del riesgo (arts. 10 y 11), y la declaración de diligencia debida (art. 4).",
  "Sectoral and territorial sanctions.": "Sanciones sectoriales y territoriales.",
  "Suppliers and contractors of the employer, and natural persons whom the register leaves out.":
    "Proveedores y contratistas del empleador, y personas físicas que el registro deja fuera.",
  "The CAR: the exceptions of MCR 2-1, items 12 to 15, and whether the polygon that covers the plot is that of the code; sets of areas are not chosen by identifiers.":
    "El CAR: las excepciones del MCR 2-1, puntos 12 a 15, y si el polígono que cubre la parcela es el del código; los conjuntos de áreas no se eligen por identificadores.",
  "The category of the unit: private land and production are allowed in some units of sustainable use (Law 9.985/2000, arts. 14 to 21) and barred from those of strict protection (arts. 8 to 13).":
    "La categoría de la unidad: las tierras privadas y la producción se permiten en algunas unidades de uso sostenible (Ley 9.985/2000, arts. 14 a 21) y se prohíben en las de protección integral (arts. 8 a 13).",
  "The management plan of the unit and its buffer zone (arts. 25, 27 and 28).":
    "El plan de manejo de la unidad y su zona de amortiguamiento (arts. 25, 27 y 28).",
  "The phase of demarcation: lands count alike from study to registration.":
    "La fase de la demarcación: las tierras cuentan igual desde el estudio hasta el registro.",
  "The phase of the process: territories count alike from delimitation to title.":
    "La fase del proceso: los territorios cuentan igual desde la delimitación hasta el título.",
  "The supply chain, and whether the product is mixed with others (arts. 9 and 13).":
    "La cadena de suministro, y si el producto se mezcla con otros (arts. 9 y 13).",
  "Type B forests: native vegetation that was lost otherwise than by PRODES since 31 July 2019.":
    "Bosques de tipo B: vegetación nativa perdida, según otro que no sea el PRODES, desde el 31 de julio de 2019.",
  "What was listed, registered, embargoed or cleared after the sources were collected.":
    "Lo que se incluyó en listas, registró, embargó o taló después de recogerse las fuentes.",
  "Whether a detection is right, and mining after the detections were collected.":
    "Si una detección es correcta, y la minería posterior a la recogida de las detecciones.",
  "Whether a permit, concession or licence exists (Law 7.805/1989).":
    "Si existe un permiso, una concesión o una licencia (Ley 7.805/1989).",
  "Whether a product was made with forced labour (Regulation (EU) 2024/3015, art. 3): absence from the lists does not show that it was not.":
    "Si un producto se hizo con trabajo forzoso (Reglamento (UE) 2024/3015, art. 3): la ausencia en las listas no demuestra que no lo fue.",
  "Whether documents and answers are true, and enough: they are declared, not examined.":
    "Si los documentos y las respuestas son ciertos, y si bastan: se declaran, no se examinan.",
  "Whether regenerating or planted forest became plantation after 2020: Whisp has the question, and no data set for it at that commit.":
    "Si un bosque en regeneración o plantado se convirtió en plantación después de 2020: Whisp tiene la pregunta, y ningún conjunto de datos para ella en ese commit.",
  "Whether the plot complies with Regulation (EU) 2023/1115: Whisp's answer is a risk, and preset.eudr asks the Regulation's questions.":
    "Si la parcela cumple el Reglamento (UE) 2023/1115: la respuesta de Whisp es un riesgo, y preset.eudr hace las preguntas del Reglamento.",
  "Who is an operator, and what else the later date of micro and small operators needs (art. 38).":
    "Quién es operador, y qué más exige la fecha posterior de las microempresas y pequeños operadores (art. 38).",

  // Descriptions of checks
  "31 CFR chapter V, for the SDN list.": "31 CFR, capítulo V, para la lista SDN.",
  "Art. 13: due diligence may be simplified, if the product is not mixed with others or made to circumvent the Regulation.":
    "Art. 13: la diligencia debida puede simplificarse, si el producto no se mezcla con otros ni se hace para eludir el Reglamento.",
  "Art. 2(13)(a): any area, also loss of an unknown time, is to be looked at before it is called noise or dated before the cut-off. Open where the data speak of no day in the last two years (731 days): maps of loss are yearly and appear in the year that follows, so older ones have been replaced.":
    "Art. 2(13)(a): cualquier área, también una pérdida de época desconocida, debe mirarse antes de llamarla ruido o fecharla antes de la fecha límite. Abierta donde los datos no hablan de ningún día de los últimos dos años (731 días): los mapas de pérdida son anuales y aparecen al año siguiente, así que los más antiguos ya fueron sustituidos.",
  "Art. 2(13)(a): what the applicant knows, the maps may lack.":
    "Art. 2(13)(a): lo que el solicitante sabe puede faltar en los mapas.",
  "Art. 2(28): above four hectares a polygon is needed, of cattle not.":
    "Art. 2(28): por encima de cuatro hectáreas hace falta un polígono; para ganado, no.",
  "Art. 2(29) and art. 9(1)(d): every establishment where the cattle were kept is told.":
    "Art. 2(29) y art. 9(1)(d): se indica cada establecimiento en que se mantuvo el ganado.",
  "Art. 2(7), art. 2(13)(b) and art. 3(a): of wood alone. No map that is asked tells it.":
    "Art. 2(7), art. 2(13)(b) y art. 3(a): solo de madera. Ningún mapa consultado lo dice.",
  "Art. 29: the source says neither low, standard nor high.":
    "Art. 29: la fuente no dice bajo, estándar ni alto.",
  "Art. 29; the risk assessment takes the benchmark into account (art. 10(2)(a)).":
    "Art. 29; la evaluación del riesgo tiene en cuenta la clasificación (art. 10(2)(a)).",
  "Art. 3(b) with art. 2(40)(a) and art. 9(1)(h).": "Art. 3(b) con art. 2(40)(a) y art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(a), (d), (f) and (g): land use rights, rights of third parties, human rights, consent.":
    "Art. 3(b) con art. 2(40)(a), (d), (f) y (g): derechos de uso de la tierra, derechos de terceros, derechos humanos, consentimiento.",
  "Art. 3(b) with art. 2(40)(b) and art. 9(1)(h).": "Art. 3(b) con art. 2(40)(b) y art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(b): protection of the environment.":
    "Art. 3(b) con art. 2(40)(b): protección del medio ambiente.",
  "Art. 3(b) with art. 2(40)(c) and art. 9(1)(h).": "Art. 3(b) con art. 2(40)(c) y art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(d) and art. 9(1)(h).": "Art. 3(b) con art. 2(40)(d) y art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(e) and art. 9(1)(h).": "Art. 3(b) con art. 2(40)(e) y art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(f) and art. 9(1)(h).": "Art. 3(b) con art. 2(40)(f) y art. 9(1)(h).",
  "Art. 3(b) with art. 2(40)(h) and art. 9(1)(h).": "Art. 3(b) con art. 2(40)(h) y art. 9(1)(h).",
  "Art. 38(2), as amended by Regulation (EU) 2025/2650 (second-hand).":
    "Art. 38(2), modificado por el Reglamento (UE) 2025/2650 (de segunda mano).",
  "Art. 38(3), as amended by Regulation (EU) 2025/2650 (second-hand), with an exception for timber, taken here as all wood.":
    "Art. 38(3), modificado por el Reglamento (UE) 2025/2650 (de segunda mano), con una excepción para la madera, tomada aquí como toda madera.",
  "Art. 9(1)(d).": "Art. 9(1)(d).",
  "Constitution of Brazil, art. 231, § 3.": "Constitución de Brasil, art. 231, § 3.",
  "Constitution of Brazil, art. 231, §§ 2, 4 and 6.": "Constitución de Brasil, art. 231, §§ 2, 4 y 6.",
  "Distance of Interministerial Ordinance 60/2015, Annex I.":
    "Distancia de la Ordenanza Interministerial 60/2015, Anexo I.",
  "Interministerial Ordinance MTE/MDHC/MIR 18/2024.": "Ordenanza Interministerial MTE/MDHC/MIR 18/2024.",
  "Law 7.805/1989, art. 21.": "Ley 7.805/1989, art. 21.",
  "Law 9.985/2000, art. 25; distance after CONAMA Resolution 428/2010.":
    "Ley 9.985/2000, art. 25; distancia según la Resolución CONAMA 428/2010.",
  "Law 9.985/2000, arts. 7 to 21 and 28.": "Ley 9.985/2000, arts. 7 a 21 y 28.",
  "MCR 2-9, for all biomes. The exception does not reach it: embargoed area must be out of use (press on Resolution 5.193/2024).":
    "MCR 2-9, para todos los biomas. La excepción no lo alcanza: el área embargada debe estar fuera de uso (prensa sobre la Resolución 5.193/2024).",
  "MCR 2-9, item 1, knows the property by the CAR. One percent is left for borders that were drawn twice.":
    "MCR 2-9, punto 1, conoce el inmueble por el CAR. Un uno por ciento queda para límites dibujados dos veces.",
  "MCR 2-9, item 17, properties of any size. Resolution 5.268/2025 blocks from this day, Resolution 5.303/2026 only later (both second-hand): a warning until both do.":
    "MCR 2-9, punto 17, inmuebles de cualquier tamaño. La Resolución 5.268/2025 bloquea desde este día, la Resolución 5.303/2026 solo más tarde (ambas de segunda mano): una advertencia hasta que bloqueen las dos.",
  "MCR 2-9, item 17. Resolution 5.268/2025 blocks from this day, Resolution 5.303/2026 only later (both second-hand): a warning until both do.":
    "MCR 2-9, punto 17. La Resolución 5.268/2025 bloquea desde este día, la Resolución 5.303/2026 solo más tarde (ambas de segunda mano): una advertencia hasta que bloqueen las dos.",
  "MCR 2-9, item 17: what will block the credit later, whatever the size of the property.":
    "MCR 2-9, punto 17: lo que bloqueará el crédito más tarde, sea cual sea el tamaño del inmueble.",
  "MCR 2-9, item 2, does not name this state.": "MCR 2-9, punto 2, no nombra esta situación.",
  "MCR 2-9, item 2.": "MCR 2-9, punto 2.",
  "MCR 2-9, item 2: no credit without registration. A warning, since registers of the CAR are published in parts.":
    "MCR 2-9, punto 2: ningún crédito sin inscripción. Una advertencia, porque los registros del CAR se publican por partes.",
  "MCR 2-9, item 3. Consent of the body that manages the unit lifts it for traditional communities (Resolution 5.268/2025, by the ministry's note).":
    "MCR 2-9, punto 3. El consentimiento del órgano que gestiona la unidad lo levanta para comunidades tradicionales (Resolución 5.268/2025, según la nota del ministerio).",
  "MCR 2-9, item 3: a property that lies wholly or partly in a unit.":
    "MCR 2-9, punto 3: un inmueble situado total o parcialmente en una unidad.",
  "MCR 2-9, item 3: consent lifts the block only for beneficiaries of an extractive reserve, a national forest or a sustainable development reserve without a management plan, under Pronaf (the ministry's note on Resolution 5.268/2025).":
    "MCR 2-9, punto 3: el consentimiento levanta el impedimento solo para beneficiarios de una reserva extractivista, un bosque nacional o una reserva de desarrollo sostenible sin plan de manejo, en el Pronaf (nota del ministerio sobre la Resolución 5.268/2025).",
  "MCR 2-9, item 5.": "MCR 2-9, punto 5.",
  "MCR 2-9, item 5: a property that lies wholly or partly in one.":
    "MCR 2-9, punto 5: un inmueble situado total o parcialmente en una de ellas.",
  "MCR 2-9, items 17 and 18, by PRODES, for properties of any size from 3 January 2028 by the dates of Resolution 5.303/2026 (second-hand).":
    "MCR 2-9, puntos 17 y 18, según el PRODES, para inmuebles de cualquier tamaño a partir del 3 de enero de 2028, por las fechas de la Resolución 5.303/2026 (de segunda mano).",
  "MCR 2-9, items 17 and 18, from 1 July 2027 by the dates of Resolution 5.303/2026 (second-hand); from 3 January 2028 the size does not matter. Of several municipalities the least module counts.":
    "MCR 2-9, puntos 17 y 18, a partir del 1 de julio de 2027, por las fechas de la Resolución 5.303/2026 (de segunda mano); a partir del 3 de enero de 2028 el tamaño no importa. De varios municipios cuenta el módulo menor.",
  "MCR 2-9, items 17 and 18, from 4 January 2027 by the dates of Resolution 5.303/2026 (second-hand); from 1 July 2027 four modules are enough.":
    "MCR 2-9, puntos 17 y 18, a partir del 4 de enero de 2027, por las fechas de la Resolución 5.303/2026 (de segunda mano); a partir del 1 de julio de 2027 bastan cuatro módulos.",
  "MCR 2-9, items 17 and 18: the list of properties by CAR code, which banks consult, for any size from 3 January 2028 by the dates of Resolution 5.303/2026 (second-hand).":
    "MCR 2-9, puntos 17 y 18: la lista de inmuebles por código del CAR, que consultan los bancos, de cualquier tamaño a partir del 3 de enero de 2028, por las fechas de la Resolución 5.303/2026 (de segunda mano).",
  "MCR 2-9.": "MCR 2-9.",
  "MCR 2-9: a property that lies wholly or partly in one, but for an entry in the land register, or up to fifteen modules (second-hand).":
    "MCR 2-9: un inmueble situado total o parcialmente en uno, salvo inscripción en el registro de la propiedad, o hasta quince módulos (de segunda mano).",
  "MCR 2-9: a property that lies wholly or partly in one.":
    "MCR 2-9: un inmueble situado total o parcialmente en uno.",
  "MCR 2-9: the exception asks for a recovery project, paid fines and a closed area (press on Resolution 5.193/2024; its wording was not read).":
    "MCR 2-9: la excepción exige un proyecto de recuperación, multas pagadas y un área cerrada (prensa sobre la Resolución 5.193/2024; no se leyó su redacción).",
  "MCR 2-9: the exception ends at 5 percent of the property or 20 ha, whichever is less (press on Resolution 5.193/2024).":
    "MCR 2-9: la excepción termina en el 5 por ciento del inmueble o en 20 ha, lo que sea menor (prensa sobre la Resolución 5.193/2024).",
  "MCR 2-9: the exception for up to fifteen fiscal modules wants its native vegetation kept (second-hand); of that only PRODES since 31 July 2019 is seen.":
    "MCR 2-9: la excepción para hasta quince módulos fiscales quiere que se conserve la vegetación nativa (de segunda mano); de eso solo se ve el PRODES desde el 31 de julio de 2019.",
  "MCR 2-9: the exception for up to fifteen fiscal modules wants what is financed outside of the forest (second-hand). An entry in the land register lifts it (the ministry's note on Resolution 5.268/2025).":
    "MCR 2-9: la excepción para hasta quince módulos fiscales quiere lo financiado fuera del bosque (de segunda mano). Una inscripción en el registro de la propiedad lo levanta (nota del ministerio sobre la Resolución 5.268/2025).",
  "MCR 2-9: the exception lasts until 30 June 2027 (press on Resolution 5.193/2024).":
    "MCR 2-9: la excepción dura hasta el 30 de junio de 2027 (prensa sobre la Resolución 5.193/2024).",
  "MCR 2-9; Interministerial Ordinance MTE/MDHC/MIR 18/2024.":
    "MCR 2-9; Ordenanza Interministerial MTE/MDHC/MIR 18/2024.",
  "Regulation (EU) 2023/1115, art. 2(13)(a) and art. 3(a). The Regulation sets no least area of loss; half a hectare is the least area of a forest (art. 2(4)), and keeps the noise of single cells out. A document that the land was no forest (art. 2(4)), or was not put to agricultural use (art. 2(3)), leaves the warning below.":
    "Reglamento (UE) 2023/1115, art. 2(13)(a) y art. 3(a). El Reglamento no fija un área mínima de pérdida; media hectárea es el área mínima de un bosque (art. 2(4)) y deja fuera el ruido de celdas sueltas. Un documento de que la tierra no era bosque (art. 2(4)), o no se destinó a uso agrícola (art. 2(3)), deja la advertencia de abajo.",
  "Screening distance, not a prohibition.": "Distancia de cribado, no una prohibición.",
  "Screening distance.": "Distancia de cribado.",
  "The cut-off of item 17 cannot be applied.": "La fecha límite del punto 17 no se puede aplicar.",
  "The exception lasts until 30 June 2028 (the ministry's note on Resolution 5.268/2025).":
    "La excepción dura hasta el 30 de junio de 2028 (nota del ministerio sobre la Resolución 5.268/2025).",
  "The first eight characters of a CNPJ name the company.":
    "Los ocho primeros caracteres de un CNPJ nombran la empresa.",
  "The list and the overlay differ: the list decides for the bank, the overlay is a second look.":
    "La lista y la superposición difieren: para el banco decide la lista, la superposición es una segunda mirada.",
  "The size in fiscal modules, which items 17 and type B forests depend on, is that of the part in municipalities with a module.":
    "El tamaño en módulos fiscales, del que dependen el punto 17 y los bosques de tipo B, es el de la parte en municipios con módulo.",
  "Transitional Provisions, art. 68; Decree 4.887/2003.":
    "Disposiciones transitorias de la Constitución, art. 68; Decreto 4.887/2003.",
  "Where nothing else of the embargoes is found, the exception for 5 percent or 20 ha holds until 30 June 2027.":
    "Donde no se encuentra nada más de los embargos, la excepción del 5 por ciento o 20 ha vale hasta el 30 de junio de 2027.",
  "Where nothing else of the units is found, the exception for traditional communities holds until 30 June 2028.":
    "Donde no se encuentra nada más de las unidades, la excepción para comunidades tradicionales vale hasta el 30 de junio de 2028.",
  "Where nothing else of these forests is found, one of the exceptions holds.":
    "Donde no se encuentra nada más de esos bosques, vale una de las excepciones.",
  "Whisp: high risk (its rule 3).": "Whisp: riesgo alto (su regla 3).",
  "Whisp: high risk (its rule 5).": "Whisp: riesgo alto (su regla 5).",
  "Whisp: high risk.": "Whisp: riesgo alto.",
  "Whisp: low risk.": "Whisp: riesgo bajo.",
  "Whisp: more information needed.": "Whisp: hace falta más información.",
  "Within 50 m, without overlap: neighbours to be heard.":
    "A menos de 50 m, sin superposición: vecinos a quienes oír.",

  // Descriptions of rulesets
  "Conservation units of the Brazilian national system (SNUC, Law 9.985/2000). An overlap fails; a unit within 3 km is a warning. Buffer zones are set unit by unit (art. 25); 3 km is the band that CONAMA Resolution 428/2010, art. 1, § 2, used for units without one, and whose term Resolution 473/2015 prolonged by five years. Here it is a screening distance, so it is waived where what lies around the plot is not covered. Uses the sources of the group preset:conservation_units.":
    "Unidades de conservación del sistema nacional brasileño (SNUC, Ley 9.985/2000). Una superposición no se aprueba; una unidad a menos de 3 km es una advertencia. Las zonas de amortiguamiento se fijan unidad por unidad (art. 25); 3 km es la franja que la Resolución CONAMA 428/2010, art. 1, § 2, usaba para unidades sin zona, y cuyo plazo la Resolución 473/2015 prorrogó cinco años. Aquí es una distancia de cribado, así que se dispensa donde los alrededores de la parcela no están cubiertos. Usa las fuentes del grupo preset:conservation_units.",
  "Due diligence under Regulation (EU) 2023/1115 on deforestation-free products, as amended by Regulation (EU) 2025/2650. Was there forest at the end of 2020, and has it been lost since? Deforestation after 31 December 2020 (art. 2(13)) is where land that a map of forest of 2020 calls forest lost its tree cover later. Loss that is certainly later, on more than half a hectare of the plot, fails unless a document says that it was no deforestation; loss that may be later (of a period that ends after the cut-off, or of no known time), on any area, is a warning. Production must be legal (art. 3(b), art. 2(40)): a plot that overlaps an indigenous land or a protected area is a warning until a document is brought, and each other field of law of which no document is brought is a notice: art. 9(1)(h) asks for information on it, not for one paper a plot. What is declared is declared, not examined. Countries are benchmarked as of low, standard or high risk (art. 29): high is a warning, and so is a benchmark that is not known; a plot in countries of low risk alone is reported, since due diligence may be simplified (art. 13). The dates of application (30 December 2026, and 30 June 2027 for micro and small operators) and the benchmark (implementing act of 22 May 2025) are second-hand: take the list of countries from the act itself. Uses the groups preset:forest_2020 (forest at the end of 2020), preset:tree_cover_loss (with date columns `from` and `to`, between which each loss happened), preset:indigenous_lands, preset:conservation_units and preset:country_benchmark (borders with a text column `benchmark`: low, standard or high). docs/presets/eudr.md has the article beside every check.":
    "Diligencia debida según el Reglamento (UE) 2023/1115 sobre productos libres de deforestación, modificado por el Reglamento (UE) 2025/2650. ¿Había bosque a finales de 2020, y se ha perdido desde entonces? Hay deforestación después del 31 de diciembre de 2020 (art. 2(13)) donde la tierra que un mapa de bosque de 2020 llama bosque perdió después su cubierta arbórea. Una pérdida con certeza posterior, en más de media hectárea de la parcela, no se aprueba, salvo que un documento diga que no fue deforestación; una pérdida que puede ser posterior (de un período que termina después de la fecha límite, o de época desconocida), en cualquier área, es una advertencia. La producción debe ser legal (art. 3(b), art. 2(40)): una parcela que se superpone a una tierra indígena o un área protegida es una advertencia hasta que se aporte un documento, y cada otro campo del derecho sin documento es un aviso: el art. 9(1)(h) pide información sobre él, no un papel por parcela. Lo que se declara está declarado, no examinado. Los países se clasifican como de riesgo bajo, estándar o alto (art. 29): alto es una advertencia, y también una clasificación desconocida; una parcela solo en países de riesgo bajo se comunica, pues la diligencia debida puede simplificarse (art. 13). Las fechas de aplicación (30 de diciembre de 2026, y 30 de junio de 2027 para microempresas y pequeños operadores) y la clasificación (acto de ejecución del 22 de mayo de 2025) son de segunda mano: tome la lista de países del propio acto. Usa los grupos preset:forest_2020 (bosque a finales de 2020), preset:tree_cover_loss (con las columnas de fecha `from` y `to`, entre las que ocurrió cada pérdida), preset:indigenous_lands, preset:conservation_units y preset:country_benchmark (fronteras con una columna de texto `benchmark`: low, standard o high). docs/presets/eudr.md tiene el artículo junto a cada comprobación.",
  "Forced labour, by identifier. Brazil's register of employers found to have kept workers in conditions analogous to slavery (Interministerial Ordinance MTE/MDHC/MIR 18 of 13 September 2024; Penal Code, art. 149) names an employer for two years. A listed employer fails, whichever of its establishments the input names. The register appears twice a year: one that is older than 184 days proves nothing by its silence. Uses the registers of the group preset:forced_labour.":
    "Trabajo forzoso, por identificador. El registro brasileño de empleadores que sometieron a trabajadores a condiciones análogas a la esclavitud (Ordenanza Interministerial MTE/MDHC/MIR 18 del 13 de septiembre de 2024; Código Penal, art. 149) nombra a un empleador durante dos años. Un empleador de la lista no se aprueba, sea cual sea el establecimiento que nombre la entrada. El registro aparece dos veces al año: el silencio de uno de más de 184 días no prueba nada. Usa los registros del grupo preset:forced_labour.",
  "Indigenous lands with a buffer. Lands traditionally occupied by indigenous peoples are inalienable and reserved for their permanent use, and titles over them are void (Constitution of Brazil, art. 231, in particular §§ 2, 4 and 6; Law 6.001/1973, art. 18). An overlap fails; a land within 10 km is a warning. The law sets no general buffer: 10 km is a screening distance, and is waived where what lies around the plot is not covered. Any overlap of more than a hundredth of a square metre counts, so boundaries from different surveys may need a tolerance. Uses the sources of the group preset:indigenous_lands.":
    "Tierras indígenas con entorno. Las tierras tradicionalmente ocupadas por pueblos indígenas son inalienables y reservadas a su uso permanente, y los títulos sobre ellas son nulos (Constitución de Brasil, art. 231, en particular §§ 2, 4 y 6; Ley 6.001/1973, art. 18). Una superposición no se aprueba; una tierra a menos de 10 km es una advertencia. La ley no fija un entorno general: 10 km es una distancia de cribado, y se dispensa donde los alrededores de la parcela no están cubiertos. Cuenta cualquier superposición de más de una centésima de metro cuadrado, así que límites de levantamientos distintos pueden pedir una tolerancia. Usa las fuentes del grupo preset:indigenous_lands.",
  "Quilombola territories. The remnants of quilombo communities own the lands they occupy (Constitution of Brazil, Transitional Provisions, art. 68), which Decree 4.887/2003 has identified, delimited and titled. An overlap fails; a shared border is reported, and waived where what lies around the plot is not covered. Uses the sources of the group preset:quilombola_territories.":
    "Territorios quilombolas. Los remanentes de las comunidades de los quilombos son dueños de las tierras que ocupan (Disposiciones transitorias de la Constitución de Brasil, art. 68), que se identifican, delimitan y titulan por el Decreto 4.887/2003. Una superposición no se aprueba; un límite común se comunica, y se dispensa donde los alrededores de la parcela no están cubiertos. Usa las fuentes del grupo preset:quilombola_territories.",
  "Risk of deforestation and degradation of a plot that timber comes from, by Whisp's published decision (FAO, Open Foris; openforis-whisp, risk.py at commit 0534f68b), made for Regulation (EU) 2023/1115. High where forest of 2020 is agriculture since, and where primary, regenerating or planted forest was disturbed since and nothing speaks for its persistence; low where there was no forest or a commodity in 2020, where a plantation is no agriculture, and where primary forest was not disturbed, tree cover stands since or a logging concession covers the plot; else more information needed. High risk is NON_COMPLIANT, more information needed is WARNING, and so is what no source covers; low risk is COMPLIANT, with the reason as a notice. A question is answered yes where more than a tenth of the plot says so, by shares of cells, of all maps of a group together. docs/presets/whisp.md says where that is not what Whisp does. Uses the groups preset:forest_types_2020 (with a text column `forest_type`: primary, naturally_regenerating, planted or plantation), preset:commodities_2020, preset:agriculture_after_2020, preset:disturbances (with date columns `from` and `to`), preset:tree_cover_after_2020 and preset:logging_concessions.":
    "Riesgo de deforestación y degradación de una parcela de la que viene madera, por la decisión publicada de Whisp (FAO, Open Foris; openforis-whisp, risk.py en el commit 0534f68b), hecha para el Reglamento (UE) 2023/1115. Alto donde bosque de 2020 es agricultura desde entonces, y donde bosque primario, en regeneración o plantado se perturbó desde entonces y nada indica su permanencia; bajo donde no había bosque o había un cultivo en 2020, donde una plantación no es agricultura, y donde el bosque primario no se perturbó, hay cubierta arbórea desde entonces o una concesión maderera cubre la parcela; si no, hace falta más información. Riesgo alto es NON_COMPLIANT, más información es WARNING, y también lo que ninguna fuente cubre; riesgo bajo es COMPLIANT, con el motivo como aviso. Una pregunta se responde con sí donde más de una décima parte de la parcela lo dice, por partes de celdas, de todos los mapas de un grupo juntos. docs/presets/whisp.md dice dónde eso no es lo que hace Whisp. Usa los grupos preset:forest_types_2020 (con una columna de texto `forest_type`: primary, naturally_regenerating, planted o plantation), preset:commodities_2020, preset:agriculture_after_2020, preset:disturbances (con las columnas de fecha `from` y `to`), preset:tree_cover_after_2020 y preset:logging_concessions.",
  "Risk of deforestation of a plot with a perennial crop (coffee, cocoa, rubber, oil palm), by the four questions of Whisp's published decision (FAO, Open Foris; openforis-whisp, risk.py at commit 0534f68b), made for Regulation (EU) 2023/1115. Low where there was no tree cover in 2020, where there was a commodity then, or where the trees were disturbed until 2020; else high where they were disturbed since, and more information needed where they were not. High risk is NON_COMPLIANT, more information needed is WARNING, and so is what no source covers; low risk is COMPLIANT, with the reason as a notice. A question is answered yes where more than a tenth of the plot says so, by shares of cells, of all maps of a group together. docs/presets/whisp.md says where that is not what Whisp does. Uses the groups preset:tree_cover_2020, preset:commodities_2020 and preset:disturbances (with date columns `from` and `to`).":
    "Riesgo de deforestación de una parcela con un cultivo perenne (café, cacao, caucho, palma aceitera), por las cuatro preguntas de la decisión publicada de Whisp (FAO, Open Foris; openforis-whisp, risk.py en el commit 0534f68b), hecha para el Reglamento (UE) 2023/1115. Bajo donde no había cubierta arbórea en 2020, donde había entonces un cultivo, o donde los árboles se perturbaron hasta 2020; si no, alto donde se perturbaron desde entonces, y hace falta más información donde no. Riesgo alto es NON_COMPLIANT, más información es WARNING, y también lo que ninguna fuente cubre; riesgo bajo es COMPLIANT, con el motivo como aviso. Una pregunta se responde con sí donde más de una décima parte de la parcela lo dice, por partes de celdas, de todos los mapas de un grupo juntos. docs/presets/whisp.md dice dónde eso no es lo que hace Whisp. Usa los grupos preset:tree_cover_2020, preset:commodities_2020 y preset:disturbances (con las columnas de fecha `from` y `to`).",
  "Risk of deforestation of a plot with an annual crop (soya), by the questions of Whisp's published decision (FAO, Open Foris; openforis-whisp, risk.py at commit 0534f68b), made for Regulation (EU) 2023/1115. Low where there was no tree cover in 2020 or where there was a commodity then; else high where the trees were disturbed since, and more information needed where they were not. Disturbances before are not asked. High risk is NON_COMPLIANT, more information needed is WARNING, and so is what no source covers; low risk is COMPLIANT, with the reason as a notice. A question is answered yes where more than a tenth of the plot says so, by shares of cells, of all maps of a group together. docs/presets/whisp.md says where that is not what Whisp does. Whisp's answer for livestock has the same tree at that commit. Uses the groups preset:tree_cover_2020, preset:commodities_2020 and preset:disturbances (with date columns `from` and `to`).":
    "Riesgo de deforestación de una parcela con un cultivo anual (soja), por las preguntas de la decisión publicada de Whisp (FAO, Open Foris; openforis-whisp, risk.py en el commit 0534f68b), hecha para el Reglamento (UE) 2023/1115. Bajo donde no había cubierta arbórea en 2020 o donde había entonces un cultivo; si no, alto donde los árboles se perturbaron desde entonces, y hace falta más información donde no. No se pregunta por perturbaciones anteriores. Riesgo alto es NON_COMPLIANT, más información es WARNING, y también lo que ninguna fuente cubre; riesgo bajo es COMPLIANT, con el motivo como aviso. Una pregunta se responde con sí donde más de una décima parte de la parcela lo dice, por partes de celdas, de todos los mapas de un grupo juntos. docs/presets/whisp.md dice dónde eso no es lo que hace Whisp. La respuesta de Whisp para ganado tiene el mismo árbol en ese commit. Usa los grupos preset:tree_cover_2020, preset:commodities_2020 y preset:disturbances (con las columnas de fecha `from` y `to`).",
  "Rural credit in Brazil: social, environmental and climatic impediments of the Manual de Crédito Rural (MCR 2-9, as reworded by CMN Resolutions 5.081/2023, 5.193/2024, 5.268 of 18 December 2025 and 5.303 of 12 May 2026). No credit for a property that lies wholly or partly in a conservation unit (item 3), in indigenous land (item 5), in quilombola territory or in an undesignated public forest (type B), that is embargoed, whose CAR registration is cancelled or suspended (item 2), or whose employer is on the register of conditions analogous to slavery; where native vegetation was suppressed after 31 July 2019 (item 17), none without one of the documents of item 18. Resolutions 5.193 to 5.303 are second-hand: notes of the ministry, the press and public code that cites them. Of the dates of item 17 there are two: Resolution 5.268 named 1 April 2026 for properties above four fiscal modules and 4 January 2027 for all; Resolution 5.303 names 4 January 2027 above fifteen, 1 July 2027 above four and 3 January 2028 for all. What the later one blocks is NON_COMPLIANT here, what only the earlier one would is WARNING. In addition, a nearby indigenous land is a warning: within 10 km in the Amazon biome, within 8 km elsewhere; Interministerial Ordinance 60/2015, Annex I, sets these distances for single projects such as ports and mines (there for the Legal Amazon, here for the biome), so they are waived where what lies around the plot is not covered. Asks for the property (the land of the CAR), an identifier with the role owner and the CAR code (br:car) with the role property. Uses the groups preset:conservation_units, preset:indigenous_lands, preset:quilombola_territories, preset:embargoes, preset:prodes (with a date column `detected`), preset:prodes_properties, preset:fiscal_modules (municipalities with a number column `fiscal_module_ha`), preset:type_b_forests, preset:car_polygons, preset:car_active, preset:car_pending, preset:car_suspended, preset:car_cancelled, preset:biomes (areas named after the biomes) and preset:forced_labour.":
    "Crédito rural en Brasil: impedimentos sociales, ambientales y climáticos del Manual de Crédito Rural (MCR 2-9, según las Resoluciones CMN 5.081/2023, 5.193/2024, 5.268 del 18 de diciembre de 2025 y 5.303 del 12 de mayo de 2026). Ningún crédito para un inmueble situado total o parcialmente en una unidad de conservación (punto 3), en tierra indígena (punto 5), en territorio quilombola o en un bosque público sin destinación (tipo B), que esté embargado, cuya inscripción en el CAR esté cancelada o suspendida (punto 2), o cuyo empleador esté en el registro de condiciones análogas a la esclavitud; donde se suprimió vegetación nativa después del 31 de julio de 2019 (punto 17), ninguno sin uno de los documentos del punto 18. Las Resoluciones 5.193 a 5.303 son de segunda mano: notas del ministerio, prensa y código público que las cita. De las fechas del punto 17 hay dos: la Resolución 5.268 indicó el 1 de abril de 2026 para inmuebles de más de cuatro módulos fiscales y el 4 de enero de 2027 para todos; la Resolución 5.303 indica el 4 de enero de 2027 para más de quince, el 1 de julio de 2027 para más de cuatro y el 3 de enero de 2028 para todos. Lo que bloquea la posterior es NON_COMPLIANT aquí, lo que bloquearía solo la anterior es WARNING. Además, una tierra indígena cercana es una advertencia: a menos de 10 km en el bioma Amazonia, a menos de 8 km en los demás; la Ordenanza Interministerial 60/2015, Anexo I, fija estas distancias para proyectos puntuales como puertos y minas (allí para la Amazonia Legal, aquí para el bioma), así que se dispensan donde los alrededores de la parcela no están cubiertos. Pide el inmueble (la tierra del CAR), un identificador con el papel owner y el código del CAR (br:car) con el papel property. Usa los grupos preset:conservation_units, preset:indigenous_lands, preset:quilombola_territories, preset:embargoes, preset:prodes (con una columna de fecha `detected`), preset:prodes_properties, preset:fiscal_modules (municipios con una columna de número `fiscal_module_ha`), preset:type_b_forests, preset:car_polygons, preset:car_active, preset:car_pending, preset:car_suspended, preset:car_cancelled, preset:biomes (áreas con los nombres de los biomas) y preset:forced_labour.",
  "Sanctions lists, by identifier. A listed identifier fails (for the SDN list of OFAC: 31 CFR chapter V, where dealings with blocked persons are prohibited). For a Brazilian CNPJ, another establishment of the same company on a list is a warning. A designation binds from the day it is published, and no law says how old a list may be: here, a list older than a week proves nothing by its silence. Uses the registers of the group preset:sanctions.":
    "Listas de sanciones, por identificador. Un identificador de la lista no se aprueba (para la lista SDN de la OFAC: 31 CFR, capítulo V, que prohíbe tratos con personas bloqueadas). Para un CNPJ brasileño, otro establecimiento de la misma empresa en una lista es una advertencia. Una designación obliga desde el día en que se publica, y ninguna ley dice cuán antigua puede ser una lista: aquí, el silencio de una lista de más de una semana no prueba nada. Usa los registros del grupo preset:sanctions.",
  "Traces of mining. Extracting minerals without permit, concession or licence is a crime in Brazil (Law 7.805/1989, art. 21); in indigenous lands mining needs the authorisation of Congress and a hearing of the communities (Constitution, art. 231, § 3). A detection on the plot fails, with a check of its own for one in an indigenous land; a detection within 1 km is a warning. That is a screening distance, and is waived where what lies around the plot is not covered. Uses the sources of the groups preset:mining and preset:indigenous_lands.":
    "Rastros de minería. Extraer minerales sin permiso, concesión o licencia es un delito en Brasil (Ley 7.805/1989, art. 21); en tierras indígenas la minería necesita la autorización del Congreso y oír a las comunidades (Constitución, art. 231, § 3). Una detección en la parcela no se aprueba, con una comprobación propia para una en tierra indígena; una detección a menos de 1 km es una advertencia. Esa es una distancia de cribado, y se dispensa donde los alrededores de la parcela no están cubiertos. Usa las fuentes de los grupos preset:mining y preset:indigenous_lands.",
};
