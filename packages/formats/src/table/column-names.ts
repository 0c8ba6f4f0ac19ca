/** Names that were cut into words: files have few of them, and each in every row. */
const cut = new Map<string, readonly string[]>();
const MOST_CUT = 4096;

/** The words of a column's name in lower case and without accents: `GPSLatitude (°)` has `gps` and `latitude`. */
function splitNameIntoWords(name: string): readonly string[] {
  const known = cut.get(name);
  if (known !== undefined) return known;
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  if (cut.size >= MOST_CUT) cut.clear();
  cut.set(name, words);
  return words;
}

/** Which coordinate a column holds by its name. */
export interface AxisName {
  readonly axis: "x" | "y";
  /** 3: longitude or latitude; 2: x or y; 1: easting or northing, or the first letter of one. */
  readonly strength: 1 | 2 | 3;
  /** The other words of the name, by which the two columns of a pair belong together: `gps` of `_gps_latitude`. */
  readonly key: string;
}

const BEFORE = "(?:gps|geo|dd|dec|decimal|map|wgs|start|center|centre|centroid|field|farm|plot)?";
const AFTER = "(?:dd|dec|decimal|deg|degree|degrees|gps|wgs|wgs84|84|dms|gms)?";
const LATITUDE = new RegExp(`^${BEFORE}(?:lat|latit|latitud|latitude|latitudine|lintang)${AFTER}y?$`);
const LONGITUDE = new RegExp(
  `^${BEFORE}(?:lon|lng|long|longi|longit|longitud|longitude|longitudine|bujur)${AFTER}x?$`,
);
const OF_COORDINATES =
  "(?:gps|geo|utm|coord|coords|coordinate|coordinates|coordenada|coordenadas|coordonnee|koordinat|point|ponto|punto|pos|wgs|map)";
const X = new RegExp(`^${OF_COORDINATES}?x(?:${OF_COORDINATES}|dd|dec|deg|wgs84|m)?$`);
const Y = new RegExp(`^${OF_COORDINATES}?y(?:${OF_COORDINATES}|dd|dec|deg|wgs84|m)?$`);
const EASTING = /^(?:utm|coord)?(?:e|easting|eastings|este|leste)(?:utm|m)?$/;
const NORTHING = /^(?:utm|coord)?(?:n|northing|northings|norte|nord)(?:utm|m)?$/;

/** Words about how a coordinate is written, not about its kind. */
const HOW =
  /^(?:dd|dec|decimal|decimals|decimales|decimais|deg|degree|degrees|grados|graus|degres|derajat|wgs|wgs84|84|dms|gms|m|metros|metres|meters|coord|coords|coordinate|coordinates|coordenada|coordenadas|coordonnee|koordinat|n|s|e|w|o|l)$/;

/** The axis that a column's name states; undefined where it states none, or both. */
export function detectColumnAxis(name: string): AxisName | undefined {
  const words = splitNameIntoWords(name);
  let best: Omit<AxisName, "key"> | undefined;
  const rest: string[] = [];
  for (const word of words) {
    const found = findWordAxis(word, words.length);
    if (found === undefined) {
      if (!HOW.test(word)) rest.push(word);
      continue;
    }
    if (best !== undefined && best.axis !== found.axis) {
      // `Longitud E` is the longitude with its side of the meridian.
      if (best.strength === 3 && found.strength === 1) continue;
      return undefined;
    }
    if (best === undefined || found.strength > best.strength) best = found;
  }
  return best && { ...best, key: rest.join(" ") };
}

const SIDES_OF_Y = [/^(?:s|south|sur|sul|sud|ls|selatan)$/, /^(?:n|north|norte|nord|lu|utara)$/] as const;
const SIDES_OF_X = [/^(?:w|west|oeste|ouest|o|bb|barat)$/, /^(?:e|east|este|est|leste|l|bt|timur)$/] as const;

/** True if the name of a column of latitudes or longitudes says south or west, as `Latitud Sur` and `Longitude (W)` do. */
export function isOfNegativeSide(name: string): boolean {
  const axis = detectColumnAxis(name);
  if (axis?.strength !== 3) return false;
  const [negative, positive] = axis.axis === "y" ? SIDES_OF_Y : SIDES_OF_X;
  const words = splitNameIntoWords(name);
  return words.some((word) => negative.test(word)) && !words.some((word) => positive.test(word));
}

function findWordAxis(word: string, count: number): Omit<AxisName, "key"> | undefined {
  if (LATITUDE.test(word)) return { axis: "y", strength: 3 };
  if (LONGITUDE.test(word)) return { axis: "x", strength: 3 };
  if (X.test(word)) return { axis: "x", strength: 2 };
  if (Y.test(word)) return { axis: "y", strength: 2 };
  if (count > 3) return undefined;
  if (EASTING.test(word)) return { axis: "x", strength: 1 };
  if (NORTHING.test(word)) return { axis: "y", strength: 1 };
  return undefined;
}

/** Names of columns of geometries to the letter, in any case, the surest first. */
export const GEOMETRY_NAMES: readonly string[] = [
  "wkt",
  "geometry",
  "geom",
  "the_geom",
  "wkt_geom",
  "geom_wkt",
  "wkt_geometry",
  "geometry_wkt",
];

const GEOMETRY_WORD =
  /^(?:e?wk[tb]|geo(?:m|json|shape|trace|point)|the_?geom|geom\w*|polygon[eo]?s?|poligon[os]*|boundary)$/;

/** True if a name speaks of a geometry. */
export function isGeometryName(name: string): boolean {
  return splitNameIntoWords(name).some((word) => GEOMETRY_WORD.test(word));
}

const PAIR_WORD =
  /^(?:coord\w*|koordinat|gps|location|localizacao|localisation|ubicacion|lokasi|posicao|posicion|position|geo(?:point|location|loc)?|latlon\w*|latlng|lonlat|lnglat|point|ponto|punto|titik)$/;

/** True if a name speaks of a position in one cell. */
export function isPairName(name: string): boolean {
  const words = splitNameIntoWords(name);
  return words.some((word) => PAIR_WORD.test(word)) || detectAxisOrder(name) !== undefined;
}

/** The order of coordinates that a name states: `lat/lon` has the latitude first. */
export function detectAxisOrder(name: string): "latitude" | "longitude" | undefined {
  const words = splitNameIntoWords(name).flatMap((word) => {
    const joined = /^(lat|lon|long|lng|x|y)(?:itude)?(lat|lon|long|lng|x|y)(?:itude)?$/.exec(word);
    return joined === null ? [word] : [joined[1]!, joined[2]!];
  });
  const latitude = words.findIndex((word) => LATITUDE.test(word) || word === "y");
  const longitude = words.findIndex((word) => LONGITUDE.test(word) || word === "x");
  if (latitude === -1 || longitude === -1) return undefined;
  return latitude < longitude ? "latitude" : "longitude";
}

/** The content of a column of ODK's lists of positions, by its name: a border, or a way that was walked. */
export function detectPositionListShape(name: string): "border" | "way" | undefined {
  const words = splitNameIntoWords(name);
  if (words.some((word) => WAY.test(word))) return "way";
  return words.some((word) => BORDER.test(word)) ? "border" : undefined;
}

const WAY =
  /^(?:trace|geotrace|line|linea|linha|ligne|path|track|route|ruta|rota|road|camin\w+|jalan|jalur)$/;
const BORDER =
  /^(?:\w*shape|polyg\w*|polig\w*|boundar\w*|border\w*|perimet\w*|limite?s?|linderos?|contou?r\w*|batas|area|plots?|parcel\w*|field|talhao|talhoes|lotes?|gleba|finca|fazenda|farm|lahan|kebun|terrain|terreno)$/;

/** Columns that count the corners of a plot. */
const ORDER =
  /^(?:vertex|vertices|vertice|vert|corner|corners|seq|sequence|sequencia|secuencia|order|orden|ordem|ordre|urutan|ponto|pontos|punto|puntos|point|points|pt|titik|sommet|esquina|canto|node|nodo|marco|mojon|sudut)$/;
const OF_NUMBERS =
  /^(?:id|no|nr|num|number|numero|n|index|idx|order|orden|ordem|ordre|of|de|do|da|del|du|code|cod|codigo|kode|pos|position)$/;
/** Those of them that count nothing but corners. */
const CORNER =
  /^(?:vertex|vertices|vertice|vert|corner|corners|sommet|esquina|canto|node|nodo|marco|mojon|sudut)$/;

/** True if a name is that of a column that counts corners and nothing else: `vertex`, not `ponto`. */
export function isCornerName(name: string): boolean {
  return isOrderName(name) && splitNameIntoWords(name).some((word) => CORNER.test(word));
}

/** True if a name is that of a column that counts corners: `vertex`, `corner_no`, `Orden`, `ponto`. */
export function isOrderName(name: string): boolean {
  const words = splitNameIntoWords(name);
  return (
    words.some((word) => ORDER.test(word)) && words.every((word) => ORDER.test(word) || OF_NUMBERS.test(word))
  );
}

const PLOT_WORD =
  /^(?:plot|plots|parcel|parcela|parcelle|field|talhao|lote|gleba|chacra|finca|fazenda|farm|kebun|lahan|petak|persil|bidang|polygon|poligono|imovel|predio|quadra|parcels|parcelas|parcelles|fields|lotes|talhoes|plantation|plantations|garden|block|blok|bloc|champ|terrain|terreno)$/;
const ID_WORD =
  /^(?:id|ids|fid|gid|code|cod|codigo|kode|ref|reference|referencia|identifier|identificador|identifiant|number|numero|nomor|no|nr|nro|n|key|uuid|name|nome|nombre|nama|nom)$/;
const JOINING = /^(?:of|de|do|da|del|du|des|the|la|el)$/;

/** How surely a column identifies plots by its name: 3 a plot's id, 2 an id, 1 a plot; 0 not at all. */
export function rateIdColumnName(name: string): 0 | 1 | 2 | 3 {
  const joined = splitNameIntoWords(name).flatMap((word) => {
    const parts =
      /^(plot|parcel|parcela|field|farm|talhao|lote)(id|code|no)$|^(id|cod)(plot|parcela|talhao|lote)$/.exec(
        word,
      );
    return parts === null ? [word] : parts.slice(1).filter((part) => typeof part === "string");
  });
  const words = joined.filter((word) => !JOINING.test(word));
  if (words.length === 0 || !words.every((word) => PLOT_WORD.test(word) || ID_WORD.test(word))) return 0;
  const [ofPlot, ofId] = [
    words.some((word) => PLOT_WORD.test(word)),
    words.some((word) => ID_WORD.test(word)),
  ];
  if (ofPlot && ofId) return 3;
  return ofId ? 2 : 1;
}
