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
};
