import type { FindingCode } from "@groundrule/plots";

/** What the checker of plots finds, in Spanish. */
export const findingsEs: Readonly<Record<FindingCode, string>> = {
  PLOT_UNREADABLE: "El archivo tiene en este lugar algo que no es una parcela.",
  GEOMETRY_MISSING: "La parcela no tiene geometría.",
  GEOMETRY_EMPTY: "La geometría no tiene posiciones.",
  GEOMETRY_TYPE_INVALID: "La geometría no es de ningún tipo que tenga GeoJSON.",
  COORDINATES_INVALID: "Las coordenadas no están anidadas como pide el tipo de la geometría.",
  POSITION_INVALID: "Una posición no es una lista de dos o más números.",
  GEOMETRY_MALFORMED: "Un miembro de la geometría aparte de sus coordenadas está mal formado.",
  LINE_UNSUPPORTED: "Una línea no encierra tierra.",
  COLLECTION: "La parcela es una GeometryCollection, que un conjunto de reglas no puede juzgar.",
  CRS_UNKNOWN: "Las coordenadas están en un sistema de referencia desconocido.",
  CRS_MISMATCH: "Las coordenadas no caben en el sistema de referencia indicado.",
  CRS_NOT_WGS84: "Las coordenadas están en otro sistema de referencia que no es WGS 84.",
  OUTSIDE_AREA_OF_USE: "Hay posiciones fuera del área de uso del sistema de referencia.",
  POSITION_NOT_FINITE: "Una posición no es finita, o no es un lugar en su sistema de referencia.",
  LATITUDE_OUT_OF_RANGE: "Una latitud pasa de 90 grados.",
  LONGITUDE_OUT_OF_RANGE: "Una longitud pasa de lo que existe.",
  LONGITUDE_BEYOND_180: "Una longitud pasa de ±180, lo que se lee como parcela sobre el antimeridiano.",
  LONGITUDE_SPAN: "Las longitudes dan más de una vuelta a la tierra.",
  LONGITUDE_JUMP: "Un lado da media vuelta a la tierra: casi siempre cruza el antimeridiano.",
  RING_NOT_CLOSED: "Un anillo no termina donde empieza.",
  RING_TOO_SHORT:
    "Un anillo tiene menos de tres posiciones distintas, menos que las cuatro con que se escribe.",
  RING_STRAIGHT: "Todas las posiciones de un anillo están en una recta, y no encierra nada.",
  RING_SELF_CROSSING: "Dos lados de un anillo se cruzan.",
  RING_SELF_TOUCH: "Un anillo se toca a sí mismo en un punto.",
  RING_SELF_OVERLAP: "Un anillo vuelve sobre sí mismo: un lado doblado o una punta.",
  RINGS_CROSS: "Dos anillos de un polígono se cruzan.",
  HOLE_OUTSIDE_SHELL: "Un hueco está fuera de su anillo exterior.",
  HOLES_OVERLAP: "Un hueco está dentro de otro.",
  INTERIOR_EMPTY: "Los huecos cubren el polígono entero.",
  INTERIOR_DISCONNECTED: "Huecos que se tocan cortan el polígono en pedazos.",
  PARTS_OVERLAP: "Dos partes de un MultiPolygon se superponen.",
  GEOMETRY_TOO_COMPLEX:
    "La geometría tiene demasiadas posiciones, o sus lados se encuentran demasiado, para ser examinada.",
  REPEATED_POSITION: "Una posición repite la anterior.",
  WINDING_REVERSED:
    "Un anillo gira al revés de lo que pide la RFC 7946: los exteriores en sentido antihorario, los huecos en sentido horario.",
  ORDINATES_IGNORED: "Las posiciones tienen una altura, que no se usa.",
  AXES_SWAPPED:
    "Longitud y latitud están una en el lugar de la otra: tal como vino, la parcela está fuera del país que declara, o en ningún lugar de la Tierra.",
  IN_SEA:
    "La parcela no declara país y está en el mar: un error si, con longitud y latitud al revés, estaría en tierra.",
  OUTSIDE_COUNTRY: "La parcela está fuera del país que declara.",
  PARTLY_OUTSIDE_COUNTRY: "Parte de la parcela está fuera del país que declara.",
  AREA_DIFFERS: "El área declarada difiere de la medida en más de un décimo y en más de 100 m².",
  AREA_NOT_NUMBER: "`Area` no es un número; un texto cuenta como 0.",
  AREA_TOO_SMALL: "`Area` está por debajo de lo mínimo que se acepta, 0,0001 ha.",
  POINT_TOO_LARGE: "Un punto representa más de 4 ha; solo un establecimiento ganadero puede.",
  POINT_WITHOUT_AREA: "Un punto no tiene `Area`, y se suponen 4 ha.",
  HOLE_UNSUPPORTED: "El polígono tiene un hueco, que una sección no acepta y otra cuenta como tierra.",
  FEW_DECIMALS: "Todas las posiciones de la parcela tienen menos de seis decimales.",
  CUT_BREAKS_RING:
    "Anillos válidos como vinieron se cruzan, se tocan o se superponen cuando las coordenadas se cortan a seis decimales.",
  CUT_REPEATS_POSITION:
    "Dos posiciones distintas se vuelven una cuando las coordenadas se cortan a seis decimales.",
  CUT_COLLAPSES_RING: "Un anillo no encierra nada cuando las coordenadas se cortan a seis decimales.",
  MEMBER_MISSPELT:
    "Una propiedad está escrita de otra forma que la que lee el sistema, que exige la grafía exacta.",
  MEMBER_CUT:
    "El nombre de una propiedad se cortó en diez caracteres, como hacen los Shapefile; se lee entero.",
  MEMBER_MISSING: "Falta una propiedad por la que se agrupan las parcelas.",
  MEMBER_TYPE: "Una propiedad es de otro tipo que el que lee el sistema.",
  COUNTRY_CODE_INVALID: "`ProducerCountry` no es un código ISO 3166-1 alfa-2.",
  ID_MISSING: "La columna que nombra las parcelas está vacía aquí.",
  ID_REPEATED: "Dos parcelas tienen el mismo id.",
  FILE_TOO_LARGE: "Las parcelas ocupan más de 25 MB como un solo archivo GeoJSON.",
  PLOTS_IDENTICAL: "Dos parcelas son la misma tierra.",
  PLOTS_OVERLAP: "Dos parcelas se superponen: un error entre productores, un aviso en uno solo.",
};
