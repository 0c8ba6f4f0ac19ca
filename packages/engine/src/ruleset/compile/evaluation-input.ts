import {
  anything,
  array,
  type DescribedInput,
  type MembersOf,
  nullable,
  number,
  object,
  optional,
  type Shape,
  text,
  union,
} from "../../shape/shape.ts";
import { type RoleScheme, roleSchemeShape, SCHEMES_MAX_COUNT } from "../../subjects/schemes.ts";
import { factsShape } from "../../verdict/fact-shape.ts";

/** A GeoJSON geometry: Polygon, MultiPolygon, LineString, MultiLineString, Point or MultiPoint. */
export interface GeometryObject {
  /** The name of its type. */
  readonly type: string;
  /** Positions, `[longitude, latitude]`, nested as the type has them. */
  readonly coordinates: readonly unknown[];
}

/** A GeoJSON Feature around a geometry. */
export interface FeatureObject {
  /** `Feature` */
  readonly type: string;
  /** The geometry; its properties are not read. */
  readonly geometry: GeometryObject;
}

/**
 * A GeoJSON geometry, or a Feature around one: those of `@types/geojson`, literals, parsed JSON. The type helps an
 * author; the engine checks every value passed in.
 */
export type GeometryInput = GeometryObject | FeatureObject | object;

/** Least hectares around a point. */
export const MIN_POINT_AREA_HA = 0.0001;
/** Greatest hectares around a point. */
export const MAX_POINT_AREA_HA = 100_000;

/** Its positions are read one by one, with better words, so its shape says nothing of what is in it. */
const plotShape = anything() as Shape<GeometryInput>;
const propertyShape = anything() as Shape<GeometryInput>;
/** A code in upper or lower case. */
export const countryCodeShape: Shape<string> = text();

/**
 * The members of an evaluation's input. Each is written once, here: the options of the engine, records, replays,
 * requests over HTTP, their description and their types are made from this table.
 */
export const evaluationInputMembers = {
  geometry: optional(
    plotShape,
    "The plot: a Polygon, a MultiPolygon, or with `area_ha` a Point or MultiPoint",
  ),
  crs: optional(
    text(),
    "Coordinate reference system of the positions, such as `EPSG:31982`; absent: longitude and latitude on WGS 84",
  ),
  area_ha: optional(
    number({ min: MIN_POINT_AREA_HA, max: MAX_POINT_AREA_HA }),
    "Hectares of land around each point: the plot is the union of discs of that area. Required with Point and MultiPoint, refused with any other geometry",
  ),
  country_iso3: optional(
    countryCodeShape,
    "The country of the plot, ISO 3166-1 alpha-3. Where the engine has borders, a warning says where they place the plot elsewhere; it changes no verdict",
  ),
  scheme: optional(
    union<[RoleScheme, readonly RoleScheme[]]>([
      roleSchemeShape,
      array(roleSchemeShape, { min: 1, max: SCHEMES_MAX_COUNT }),
    ]),
    "Identifiers of the subjects behind the plot",
  ),
  facts: optional(
    factsShape,
    "What the applicant declares, by the names under which the ruleset asks for it; null: not declared. A day is written `YYYY-MM-DD`. Verdicts print it as declared, not examined",
  ),
  property: optional(
    propertyShape,
    "The land that the plot is part of: a Polygon or MultiPolygon that covers it, in the same CRS",
  ),
};

const { crs, area_ha, country_iso3 } = evaluationInputMembers;

/** The members that are one text or number each, which files write as they are. */
export const plainInputMembers = { crs, area_ha, country_iso3 };

/** The input of an evaluation: a plot, identifiers or both. */
export interface EvaluationInput extends DescribedInput<typeof evaluationInputMembers> {}

/** The names of all members. */
const EVALUATION_INPUT_NAMES = Object.keys(evaluationInputMembers) as readonly (keyof EvaluationInput)[];

/** The members that are null where they are absent, as HTTP and records may write them. */
const nullableMembers = Object.fromEntries(
  Object.entries(evaluationInputMembers).map(([name, { optional: shape }]) => [
    name,
    optional(nullable(shape as Shape<unknown>)),
  ]),
) as object as MembersOf<EvaluationInput>;

/** An input whose parts are checked here. */
export const storedInputShape: Shape<EvaluationInput> = object<EvaluationInput>(nullableMembers);

/** An input whose identifiers and facts are checked where they are read, with better words. */
export const evaluationInputShape: Shape<EvaluationInput> = object<EvaluationInput>(
  {
    ...nullableMembers,
    scheme: optional(anything() as Shape<NonNullable<EvaluationInput["scheme"]>>),
    facts: optional(anything() as Shape<NonNullable<EvaluationInput["facts"]>>),
  },
  { words: "an object with geometry, crs or scheme" },
);

/** The members of an input that have a value; a record may hold others, which nobody knows. */
export function pickInputMembers(input: EvaluationInput): EvaluationInput {
  return Object.fromEntries(
    EVALUATION_INPUT_NAMES.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
  ) as object as EvaluationInput;
}
