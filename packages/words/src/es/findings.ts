/** Findings of the plot checker, in Spanish. */
export const findings: Readonly<Record<string, string>> = {
  NO_PLOTS: "El archivo no contiene ninguna parcela.",
  PLOT_UNREADABLE: "Lo que el archivo contiene en este lugar no es una parcela.",
  GEOMETRY_MISSING: "La parcela no tiene geometría.",
  GEOMETRY_EMPTY: "La geometría no tiene posiciones.",
  GEOMETRY_TYPE_INVALID: "GeoJSON no conoce el tipo de esta geometría.",
  COORDINATES_INVALID: "Las coordenadas no están anidadas como pide el tipo de la geometría.",
  POSITION_INVALID: "Una posición no es una lista de dos o más números.",
  GEOMETRY_MALFORMED: "Un miembro de la geometría aparte de sus coordenadas está mal formado.",
  LINE_UNSUPPORTED: "La geometría es una línea que no termina donde empieza, y no delimita ninguna área.",
  LINE_CLOSED:
    "La geometría es una línea que termina donde empieza: el límite de una parcela, y no un Polygon.",
  READ_AS_BORDER:
    "El archivo tiene aquí un anillo o un recorrido cerrado; se leyó como el límite de la parcela.",
  LABEL_DROPPED: "Se omitió un punto dentro del polígono de la misma marca, que lleva su etiqueta.",
  COLLECTION: "La parcela es una GeometryCollection, que un conjunto de reglas no puede juzgar.",
  CRS_UNKNOWN: "Las coordenadas están en un sistema de referencia desconocido.",
  CRS_INACCURATE: "El datum del sistema de referencia solo puede pasarse a WGS 84 con la exactitud indicada.",
  CRS_MISMATCH: "Las coordenadas no caben en el sistema de referencia indicado.",
  CRS_NOT_WGS84: "Las coordenadas están en otro sistema de referencia que no es WGS 84.",
  OUTSIDE_AREA_OF_USE: "Hay posiciones fuera del área de uso del sistema de referencia.",
  POSITION_NOT_FINITE: "Una posición no es finita o está fuera de su sistema de referencia.",
  LATITUDE_OUT_OF_RANGE: "Una latitud supera los 90 grados.",
  LONGITUDE_OUT_OF_RANGE: "Una longitud está fuera de los valores posibles.",
  LONGITUDE_BEYOND_180: "Una longitud supera ±180; la parcela se lee como si cruzara el antimeridiano.",
  LONGITUDE_SPAN: "Las longitudes dan más de una vuelta a la tierra.",
  LONGITUDE_JUMP: "Un lado da media vuelta a la tierra: casi siempre cruza el antimeridiano.",
  RING_NOT_CLOSED: "Un anillo no termina donde empieza.",
  RING_TOO_SHORT: "Un anillo tiene menos de tres posiciones distintas y no delimita ninguna área.",
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
  PLOT_TOO_SMALL: "La parcela mide menos de 1 m², y no se evalúa.",
  GEOMETRY_TOO_COMPLEX:
    "La geometría tiene demasiadas posiciones, o sus lados se encuentran demasiado, para ser examinada.",
  REPEATED_POSITION: "Una posición repite la anterior.",
  WINDING_REVERSED:
    "Un anillo gira al revés de lo que pide la RFC 7946: los exteriores en sentido antihorario, los huecos en sentido horario.",
  ORDINATES_IGNORED: "Las posiciones tienen una altura, que no se usa.",
  AXES_SWAPPED:
    "Longitud y latitud están intercambiadas: tal como está escrita, la parcela queda fuera del país que declara, o en ningún lugar de la Tierra.",
  IN_SEA:
    "La parcela no declara país y está en el mar: un error si, con longitud y latitud al revés, estaría en tierra.",
  OUTSIDE_COUNTRY: "La parcela está fuera del país que declara.",
  PARTLY_OUTSIDE_COUNTRY: "Parte de la parcela está fuera del país que declara.",
  AREA_DIFFERS: "El área declarada difiere de la medida en más de un décimo y en más de 100 m².",
  AREA_NOT_NUMBER: "`Area` no es un número; el sistema lee un texto como 0.",
  AREA_TOO_SMALL: "`Area` está por debajo de lo mínimo que se acepta, 0,0001 ha.",
  POINT_TOO_LARGE: "Un punto representa más de 4 ha, lo que solo se permite a establecimientos ganaderos.",
  POINT_WITHOUT_AREA: "Un punto no tiene `Area`, y el sistema supone 4 ha.",
  HOLE_UNSUPPORTED:
    "El polígono tiene un hueco: una sección de la especificación no lo acepta, otra lo cuenta como tierra.",
  FEW_DECIMALS: "Todas las posiciones de la parcela tienen menos de seis decimales.",
  CUT_BREAKS_RING:
    "Anillos que eran válidos se cruzan, se tocan o se superponen cuando las coordenadas se cortan a seis decimales.",
  CUT_REPEATS_POSITION:
    "Dos posiciones distintas se vuelven una cuando las coordenadas se cortan a seis decimales.",
  CUT_COLLAPSES_RING: "Un anillo no encierra nada cuando las coordenadas se cortan a seis decimales.",
  MEMBER_MISSPELT: "El nombre de una propiedad no está escrito exactamente como lo lee el sistema.",
  MEMBER_CUT:
    "El nombre de una propiedad se cortó en diez caracteres, como hacen los Shapefile; se lee entero.",
  MEMBER_MISSING: "Falta una propiedad por la que se agrupan las parcelas.",
  MEMBER_TYPE: "El valor de una propiedad no es del tipo que lee el sistema.",
  COUNTRY_CODE_INVALID: "`ProducerCountry` no es un código ISO 3166-1 alfa-2.",
  IDENTIFIER_UNREADABLE: "Un identificador de `scheme` no es `{type, value}` con textos.",
  IDENTIFIER_MALFORMED: "Un identificador tiene una longitud o caracteres que su esquema excluye.",
  CHECK_DIGITS_WRONG: "Los dígitos de control de un identificador no corresponden a los demás.",
  ID_MISSING: "La columna que nombra las parcelas está vacía aquí.",
  ID_REPEATED: "Dos parcelas tienen el mismo id.",
  ID_DIGITS_LOST: "Una hoja de cálculo acortó el id y se perdieron sus últimos dígitos.",
  GPS_ACCURACY_LOW: "El receptor declara que la posición puede estar a más de 10 m de ahí.",
  FILE_TOO_LARGE: "Las parcelas ocupan más de 25 MB como un solo archivo GeoJSON.",
  PLOTS_IDENTICAL: "Dos parcelas cubren exactamente la misma tierra.",
  PLOTS_OVERLAP: "Dos parcelas se superponen: un error entre productores, un aviso en uno solo.",
  SPIKE:
    "Dos lados de 5 m o más se encuentran en un ángulo de menos de 3° y quedan a menos de 2 m uno del otro: una punta hacia fuera, o una hendidura hacia dentro.",
  SEGMENT_SHORT:
    "Un lado mide menos de 10 mm, lo que ningún levantamiento mide: el vértice se registró dos veces, o quedó de un cálculo.",
  FEW_VERTICES:
    "Un anillo tiene pocos vértices para la tierra que encierra: 3 por encima de 10 ha, 4 por encima de 300 ha, o hasta 7 por encima de 1000 ha.",
  SIZE_IMPLAUSIBLE: "La parcela es mayor de lo que cabe esperar de su cultivo en su país.",
  FAR_FROM_GROUP:
    "La parcela está lejos de las demás de su productor: a más de 100 km de su centro, y a más de diez veces la distancia mediana.",
  PRODUCER_SPELLINGS:
    "El nombre del productor solo difiere de otro en mayúsculas, acentos, signos o el orden de sus palabras.",
};
