/** Names as which a column of a file can be read, whatever the file calls it; so can facts, as `fact:NAME`. */
export const MAPPED_NAMES = [
  "id",
  "ProducerName",
  "ProducerCountry",
  "ProductionPlace",
  "Area",
  "area_ha",
  "area_m2",
  "area_acres",
  "area_manzanas",
  "area_alqueires_paulistas",
  "area_alqueires_mineiros",
  "area_alqueires_baianos",
  "country_iso3",
  "scheme",
  "property",
] as const;
