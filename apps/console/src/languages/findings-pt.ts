import type { FindingCode } from "@groundrule/plots";

/** Findings of the plot checker, in Portuguese. */
export const findingsPt: Readonly<Record<FindingCode, string>> = {
  NO_PLOTS: "O arquivo não contém nenhum talhão.",
  PLOT_UNREADABLE: "O que o arquivo contém neste lugar não é uma parcela.",
  GEOMETRY_MISSING: "A parcela não tem geometria.",
  GEOMETRY_EMPTY: "A geometria não tem posições.",
  GEOMETRY_TYPE_INVALID: "O GeoJSON não conhece o tipo desta geometria.",
  COORDINATES_INVALID: "As coordenadas não estão aninhadas como o tipo da geometria pede.",
  POSITION_INVALID: "Uma posição não é uma lista de dois ou mais números.",
  GEOMETRY_MALFORMED: "Um membro da geometria além das coordenadas está malformado.",
  LINE_UNSUPPORTED: "A geometria é uma linha que não termina onde começa, e não delimita nenhuma área.",
  LINE_CLOSED: "A geometria é uma linha que termina onde começa: o limite de um talhão, e não um Polygon.",
  READ_AS_BORDER: "O arquivo tem aqui um anel ou um trajeto fechado; foi lido como o limite do talhão.",
  LABEL_DROPPED: "Um ponto dentro do polígono do mesmo marcador, que leva seu rótulo, foi omitido.",
  COLLECTION: "A parcela é uma GeometryCollection, que um conjunto de regras não pode julgar.",
  CRS_UNKNOWN: "As coordenadas estão em um sistema de referência desconhecido.",
  CRS_INACCURATE:
    "O datum do sistema de referência só pode ser convertido para WGS 84 com a exatidão indicada.",
  CRS_MISMATCH: "As coordenadas não cabem no sistema de referência indicado.",
  CRS_NOT_WGS84: "As coordenadas estão em outro sistema de referência que não o WGS 84.",
  OUTSIDE_AREA_OF_USE: "Há posições fora da área de uso do sistema de referência.",
  POSITION_NOT_FINITE: "Uma posição não é finita ou está fora do seu sistema de referência.",
  LATITUDE_OUT_OF_RANGE: "Uma latitude passa de 90 graus.",
  LONGITUDE_OUT_OF_RANGE: "Uma longitude está fora dos valores possíveis.",
  LONGITUDE_BEYOND_180: "Uma longitude passa de ±180; a parcela é lida como se cruzasse o antimeridiano.",
  LONGITUDE_SPAN: "As longitudes dão mais de uma volta à terra.",
  LONGITUDE_JUMP: "Um lado dá meia volta à terra: quase sempre cruza o antimeridiano.",
  RING_NOT_CLOSED: "Um anel não termina onde começa.",
  RING_TOO_SHORT: "Um anel tem menos de três posições distintas e não delimita nenhuma área.",
  RING_STRAIGHT: "Todas as posições de um anel estão em uma reta, e ele não encerra nada.",
  RING_SELF_CROSSING: "Dois lados de um anel se cruzam.",
  RING_SELF_TOUCH: "Um anel toca a si mesmo em um ponto.",
  RING_SELF_OVERLAP: "Um anel volta sobre si mesmo: um lado dobrado ou uma ponta.",
  RINGS_CROSS: "Dois anéis de um polígono se cruzam.",
  HOLE_OUTSIDE_SHELL: "Um buraco está fora de seu anel externo.",
  HOLES_OVERLAP: "Um buraco está dentro de outro.",
  INTERIOR_EMPTY: "Os buracos cobrem o polígono inteiro.",
  INTERIOR_DISCONNECTED: "Buracos que se tocam cortam o polígono em pedaços.",
  PARTS_OVERLAP: "Duas partes de um MultiPolygon se sobrepõem.",
  PLOT_TOO_SMALL: "O talhão mede menos de 1 m², e não é avaliado.",
  GEOMETRY_TOO_COMPLEX:
    "A geometria tem posições demais, ou seus lados se encontram demais, para ser examinada.",
  REPEATED_POSITION: "Uma posição repete a anterior.",
  WINDING_REVERSED:
    "Um anel gira ao contrário do que a RFC 7946 pede: os externos em sentido anti-horário, os buracos em sentido horário.",
  ORDINATES_IGNORED: "As posições têm uma altura, que não é usada.",
  AXES_SWAPPED:
    "Longitude e latitude estão trocadas: assim como está escrita, a parcela fica fora do país que declara, ou em lugar nenhum da Terra.",
  IN_SEA:
    "A parcela não declara país e está no mar: um erro se, com longitude e latitude trocadas, ficaria em terra.",
  OUTSIDE_COUNTRY: "A parcela está fora do país que declara.",
  PARTLY_OUTSIDE_COUNTRY: "Parte da parcela está fora do país que declara.",
  AREA_DIFFERS: "A área declarada difere da medida em mais de um décimo e em mais de 100 m².",
  AREA_NOT_NUMBER: "`Area` não é um número; o sistema lê um texto como 0.",
  AREA_TOO_SMALL: "`Area` está abaixo do mínimo aceito, 0,0001 ha.",
  POINT_TOO_LARGE: "Um ponto representa mais de 4 ha, o que só se permite a estabelecimentos de gado.",
  POINT_WITHOUT_AREA: "Um ponto não tem `Area`, e o sistema supõe 4 ha.",
  HOLE_UNSUPPORTED:
    "O polígono tem um buraco: uma seção da especificação não o aceita, outra o conta como terra.",
  FEW_DECIMALS: "Todas as posições da parcela têm menos de seis decimais.",
  CUT_BREAKS_RING:
    "Anéis que eram válidos se cruzam, se tocam ou se sobrepõem quando as coordenadas são cortadas em seis decimais.",
  CUT_REPEATS_POSITION:
    "Duas posições diferentes se tornam uma quando as coordenadas são cortadas em seis decimais.",
  CUT_COLLAPSES_RING: "Um anel não encerra nada quando as coordenadas são cortadas em seis decimais.",
  MEMBER_MISSPELT: "O nome de uma propriedade não está escrito exatamente como o sistema o lê.",
  MEMBER_CUT:
    "O nome de uma propriedade foi cortado em dez caracteres, como fazem os Shapefile; é lido inteiro.",
  MEMBER_MISSING: "Falta uma propriedade pela qual as parcelas são agrupadas.",
  MEMBER_TYPE: "O valor de uma propriedade não é do tipo que o sistema lê.",
  COUNTRY_CODE_INVALID: "`ProducerCountry` não é um código ISO 3166-1 alfa-2.",
  IDENTIFIER_UNREADABLE: "Um identificador de `scheme` não é `{type, value}` com textos.",
  IDENTIFIER_MALFORMED: "Um identificador tem um comprimento ou caracteres que seu esquema exclui.",
  CHECK_DIGITS_WRONG: "Os dígitos verificadores de um identificador não correspondem aos demais.",
  ID_MISSING: "A coluna que dá nome às parcelas está vazia aqui.",
  ID_REPEATED: "Duas parcelas têm o mesmo id.",
  ID_DIGITS_LOST: "Uma planilha encurtou o id, e os seus últimos dígitos se perderam.",
  GPS_ACCURACY_LOW: "O receptor declara que a posição pode estar a mais de 10 m dali.",
  FILE_TOO_LARGE: "As parcelas ocupam mais de 25 MB como um só arquivo GeoJSON.",
  PLOTS_IDENTICAL: "Duas parcelas cobrem exatamente a mesma terra.",
  PLOTS_OVERLAP: "Duas parcelas se sobrepõem: um erro entre produtores, um aviso em um só.",
  SPIKE:
    "Dois lados de 5 m ou mais se encontram em um ângulo de menos de 3° e ficam a menos de 2 m um do outro: uma ponta para fora, ou uma fenda para dentro.",
  SEGMENT_SHORT:
    "Um lado tem menos de 10 mm, que nenhum levantamento mede: o vértice foi gravado duas vezes, ou sobrou de um cálculo.",
  FEW_VERTICES:
    "Um anel tem poucos vértices para a terra que delimita: 3 acima de 10 ha, 4 acima de 300 ha, ou até 7 acima de 1.000 ha.",
  SIZE_IMPLAUSIBLE: "A parcela é maior do que se pode esperar de sua cultura em seu país.",
  FAR_FROM_GROUP:
    "A parcela está longe das outras de seu produtor: a mais de 100 km de seu meio, e a mais de dez vezes a distância mediana.",
  PRODUCER_SPELLINGS:
    "O nome do produtor só difere de outro por maiúsculas, acentos, sinais ou pela ordem das palavras.",
};
