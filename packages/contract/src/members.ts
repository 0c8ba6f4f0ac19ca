import type { EvaluationInput, GeometryInput, RoleScheme, Scheme } from "@groundrule/engine";
import {
  anything,
  countryCodeShape,
  describedAs,
  evaluationInputMembers,
  factsShape,
  type Optional,
  optional,
  roleSchemeShape,
  type Shape,
  SOURCE_NAME_MAX_LENGTH,
  schemeMembers,
  schemeShape,
  text,
  toJsonSchema,
} from "@groundrule/engine/internal";
import * as z from "zod";
import { countrySchema } from "./country.ts";
import {
  createTextSchema,
  dropAbsentMembers,
  namedPart,
  type OwnSchemas,
  schemaRef,
  toRequestSchema,
} from "./described-shape.ts";
import { REFERENCE_ID_MAX_LENGTH } from "./limits.ts";

// Members that several requests share, and the schemas that are not made from the shape of a member alone: of what the
// engine reads by itself, of what is rewritten, and those with examples.

const POSITIONS = "Positions `[longitude, latitude]` in degrees, nested as in GeoJSON";
const position = z.array(z.number()).min(2).describe("[longitude, latitude], or [x, y] in `crs`");
const line = z.array(position).min(1);
const ring = z.array(position).min(1).describe("A closed ring: its last position equals its first");
const rings = z.array(ring).min(1).describe("The outer ring, then its holes");
const bbox = z
  .array(z.number())
  .min(4)
  .max(6)
  .nullish()
  .meta({ not: { type: "array", minItems: 5, maxItems: 5 } })
  .describe("Of four numbers or of six; checked, but otherwise ignored");

const namedCrs = namedPart(
  "NamedCrs",
  z.looseObject({
    type: z.literal("name"),
    properties: z
      .looseObject({ name: z.string().describe("Such as `urn:ogc:def:crs:EPSG::31982`") })
      .describe("The name of the coordinate reference system"),
  }),
)
  .nullish()
  .describe(
    "The `crs` member of GeoJSON 2008: used if the input has no `crs`, refused if the input names a different one",
  );

function createGeoJsonSchema<Type extends string, Coordinates extends z.ZodType>(
  type: Type,
  coordinates: Coordinates,
) {
  return namedPart(
    type,
    z.looseObject({
      type: z.literal(type),
      coordinates: coordinates.describe(POSITIONS),
      bbox,
      crs: namedCrs,
    }),
  );
}

const EXAMPLE = {
  type: "Polygon",
  coordinates: [
    [
      [-54.2, -3.1],
      [-54.1, -3.1],
      [-54.1, -3],
      [-54.2, -3],
      [-54.2, -3.1],
    ],
  ],
};

const plotForms = [
  createGeoJsonSchema("Polygon", rings),
  createGeoJsonSchema("MultiPolygon", z.array(rings).min(1)),
  createGeoJsonSchema("Point", position),
  createGeoJsonSchema("MultiPoint", line),
] as const;
const otherForms = [
  createGeoJsonSchema("LineString", line),
  createGeoJsonSchema("MultiLineString", z.array(line).min(1)),
] as const;

type GeoJson = (typeof plotForms)[number] | (typeof otherForms)[number];

/**
 * One of several geometries, distinguished by `type`, or a Feature around one.
 *
 * @param featured the Feature, and the name of the component that describes it
 */
function createOneOfSchema(
  forms: readonly GeoJson[],
  featured?: { readonly name: string; readonly schema: z.ZodType },
): z.ZodType {
  const names = forms.map(({ shape }) => [shape.type.value, schemaRef(shape.type.value)]);
  const mapping = Object.fromEntries([
    ...names,
    ...(featured === undefined ? [] : [["Feature", schemaRef(featured.name)]]),
  ]);
  return z.unknown().meta({
    oneOf: [...forms, ...(featured === undefined ? [] : [featured.schema])].map(buildJsonSchema),
    discriminator: { propertyName: "type", mapping },
  });
}

/** A GeoJSON geometry or a Feature around one. */
export const geometrySchema: z.ZodType<object, unknown> = createGeometrySchema(
  [...plotForms, ...otherForms],
  "FeaturedGeometry",
  "GeoJSON geometry (RFC 7946), or a Feature around one",
);

/** A geometry that a verdict can be about. */
export const plotSchema: z.ZodType<object, unknown> = createGeometrySchema(
  plotForms,
  "FeaturedPlot",
  "GeoJSON Polygon or MultiPolygon, or with `area_ha` Point or MultiPoint (RFC 7946), or a Feature around one",
  createPlotGeometrySchema(),
);

/** The land that a plot is part of. */
export const propertySchema: z.ZodType<object, unknown> = createGeometrySchema(
  plotForms.slice(0, 2),
  "FeaturedProperty",
  "The land that the plot is part of: a GeoJSON Polygon or MultiPolygon that covers it, in the same CRS, or a Feature around one",
);

/**
 * Facts that an applicant declares. The engine checks them against the ruleset's declarations; here they are only
 * described.
 */
const factsSchema: z.ZodType<NonNullable<EvaluationInput["facts"]>, unknown> = z
  .unknown()
  .refine((facts) => typeof facts === "object", "expected an object of facts by name")
  .meta({
    ...toJsonSchema(factsShape, schemaRef).schema,
    description:
      "What the applicant declares, by the names under which the ruleset asks for it; a day is written `YYYY-MM-DD`. Verdicts print it as declared, not examined",
    examples: [{ fiscal_modules: 3.5 }],
  }) as z.ZodType<NonNullable<EvaluationInput["facts"]>, unknown>;

/** One of many plots. Its faults are reported in the answer, so it is only described. */
export const plotFeatureSchema: z.ZodType<unknown> = z.unknown().meta(
  buildJsonSchema(
    z.looseObject({
      type: z.literal("Feature"),
      id: z
        .union([z.string(), z.number()])
        .optional()
        .describe("What answers call the plot; its number where it has none"),
      geometry: createPlotGeometrySchema().describe("The plot"),
      properties: z
        .record(z.string(), z.unknown())
        .nullish()
        .describe(
          "Columns of the plot: its identifiers in `scheme`, the hectares of a point in `Area`, what is declared in `facts`, the land that it is part of in `property`",
        ),
      bbox,
    }),
  ),
);

function createPlotGeometrySchema(): z.ZodType {
  return namedPart("PlotGeometry", createOneOfSchema(plotForms));
}

/**
 * The content of a geometry is checked by the engine, in one pass; here it is only described.
 *
 * @param featured the component that is a Feature around one
 * @param geometry describes the geometry of that Feature
 */
function createGeometrySchema(
  forms: readonly GeoJson[],
  featured: string,
  description: string,
  geometry: z.ZodType = createOneOfSchema(forms),
): z.ZodType<object, unknown> {
  const schema = namedPart(
    featured,
    z.looseObject({ type: z.literal("Feature"), geometry: geometry.describe("The geometry"), bbox }),
  );
  return z
    .unknown()
    .refine((geometry) => geometry !== undefined && geometry !== null, "expected a GeoJSON geometry")
    .meta({
      ...buildJsonSchema(createOneOfSchema(forms, { name: featured, schema })),
      description,
      examples: [EXAMPLE],
    }) as z.ZodType<object, unknown>;
}

function buildJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema, ...description } = z.toJSONSchema(schema, {
    io: "input",
    // GeoJSON may have foreign members; declaring that with `{}` reads worse in generated types. An object without
    // known members is declared open, or generators would make an empty type of it.
    override: ({ jsonSchema }) => {
      const { type, properties, additionalProperties: others } = jsonSchema;
      if (type !== "object") return;
      const isRecord = typeof others === "object" && Object.keys(others).length > 0;
      if (properties === undefined && !isRecord) jsonSchema.additionalProperties = true;
      else if (properties !== undefined) delete jsonSchema.additionalProperties;
      delete jsonSchema.propertyNames;
    },
  });
  return description;
}

const { geometry: plot, property, area_ha: areaHa, crs } = evaluationInputMembers;

/** A geometry of any kind that the engine reads. */
export const geometryShape: Shape<GeometryInput> = describedAs(
  anything() as Shape<GeometryInput>,
  "GeoJSON geometry (RFC 7946), or a Feature around one",
);

/** The `crs` of every request; its text is kept, so it is short. */
export const crsMember: Optional<string> = optional(text({ max: 64 }), crs.optional.description);

export const referenceIdMember: Optional<string> = optional(
  text({ max: REFERENCE_ID_MAX_LENGTH }),
  "The caller's own identifier for audit and tracing; stored, and returned in the response",
);

export const sourceNameShape: Shape<string> = text({ max: SOURCE_NAME_MAX_LENGTH });

const NONE: OwnSchemas = new Map();
const schemesOfMembers: OwnSchemas = new Map([
  [schemeMembers.type.form, toRequestSchema(schemeMembers.type, NONE).meta({ examples: ["br:cnpj"] })],
  [
    schemeMembers.value.form,
    toRequestSchema(schemeMembers.value, NONE).meta({
      pattern: "[^ \\t\\n\\r./()-]",
      examples: ["00.000.000/0001-91"],
    }),
  ],
]);

export const schemeSchema: z.ZodType<Scheme, unknown> = toRequestSchema(
  schemeShape,
  schemesOfMembers,
) as z.ZodType<Scheme, unknown>;

export const roleSchemeSchema: z.ZodType<RoleScheme, unknown> = (
  toRequestSchema(roleSchemeShape, schemesOfMembers) as z.ZodType<RoleScheme, unknown>
).transform(dropAbsentMembers);

/** The schemas that are not made from the shape of a member alone, by its form. */
export const OWN_SCHEMAS: OwnSchemas = new Map([
  [plot.optional.form, plotSchema],
  [property.optional.form, propertySchema],
  [geometryShape.form, geometrySchema],
  [factsShape.form, factsSchema],
  [areaHa.optional.form, toRequestSchema(areaHa.optional, NONE).meta({ examples: [4] })],
  [crsMember.optional.form, createTextSchema(64).meta({ examples: ["EPSG:31983", "OGC:CRS84"] })],
  [countryCodeShape.form, countrySchema],
  [schemeShape.form, schemeSchema],
  [roleSchemeShape.form, roleSchemeSchema],
]);
