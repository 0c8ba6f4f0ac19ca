import {
  array,
  choice,
  type Described,
  describedAs,
  number,
  objectOf,
  optional,
  record,
  type Shape,
  text,
} from "../shape/shape.ts";

const coverageMembers = {
  extent: describedAs(
    choice("undeclared", "global", "countries", "polygons", "cells"),
    "The land that the source covers; `cells`: that of the raster's cells with data. Outside its coverage, that the source has no area proves nothing",
  ),
  known: optional(
    choice("declared", "derived"),
    "Whether the manifest declares the coverage, or it is assumed from the countries of the areas; absent if undeclared, or told by cells",
  ),
};

const gridMembers = {
  columns: describedAs(number({ whole: true }), "Cells from west to east"),
  rows: describedAs(number({ whole: true }), "Cells from north to south"),
  cell_degrees: describedAs(
    array(number(), { min: 2, max: 2 }) as object as Shape<readonly [number, number]>,
    "Width and height of a cell, degrees",
  ),
};

/** The coverage of a source, in the catalog. */
export interface CoverageEntry extends Described<typeof coverageMembers> {}

/** The grid of a raster, in the catalog. */
export interface GridEntry extends Described<typeof gridMembers> {}

export const sourceEntryMembers = {
  source_name: describedAs(text(), "Name of the source"),
  source_dataset: describedAs(
    text(),
    "Title of the data set, or the source's name if the title is not known",
  ),
  titles: optional(record(text(), text()), "The title in other languages, by their tags, such as `pt`"),
  source_url: optional(text(), "URL of the data set"),
  category: optional(text(), "What kind of areas the source has, such as a protected-area category"),
  license_spdx: optional(text(), "Licence of the data, by its SPDX identifier"),
  scope: optional(
    text(),
    "The part of its theme that the source contains, according to its manifest, e.g. federal units",
  ),
  fictional: optional(choice(true), "The areas or records of the source are invented"),
  kind: describedAs(
    choice("leaf", "group", "subject_register"),
    "`leaf`: areas; `group`: several leaves under one name; `subject_register`: a list of identifiers",
  ),
  members: optional(array(text()), "Only for a group: the names of its sources"),
  feature_count: describedAs(
    number({ whole: true }),
    "Number of areas or records; 0 for a live source, whose areas are not counted",
  ),
  country_coverage: optional(
    array(text()),
    "ISO 3166-1 alpha-3 codes: those that the source declares as its coverage, else the countries of its areas",
  ),
  coverage: optional(objectOf(coverageMembers), "Only for sources of areas, and groups with areas"),
  supported_schemes: optional(array(text()), "Kinds of identifiers that the register has, such as `br:cnpj`"),
  collected_at_latest: optional(text(), "When the latest of the data was collected, ISO 8601 UTC"),
  observed_until: optional(
    text(),
    "The last day of which the data speak, `YYYY-MM-DD`; ages count from it, else from the collection. Not told of a group",
  ),
  live: optional(
    choice(true),
    "A live source, such as a table of a database: it is queried for each evaluation, and has no edition",
  ),
  columns: optional(
    record(text(), choice("number", "string", "boolean", "date")),
    "The columns that filters can name (`where`), with their types; for a group, those that every member has with the same type. Absent if there are none",
  ),
  grid: optional(
    objectOf(gridMembers),
    "Only for rasters, whose areas are the values of cells; cells without data are not covered, whatever the coverage says",
  ),
  cell_m: optional(
    array(number(), { min: 2, max: 2 }) as object as Shape<readonly [number, number]>,
    "Width and height of the cells of a raster at the middle of its grid, metres",
  ),
  refresh_interval_days: optional(number(), "Days after which a newer edition is expected"),
};

/** One entry of the source catalog. */
export interface SourceEntry extends Described<typeof sourceEntryMembers> {}
