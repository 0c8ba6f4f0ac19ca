import {
  type EvaluationInput,
  MAX_POINT_AREA_HA,
  MIN_POINT_AREA_HA,
  type RoleScheme,
  type Scheme,
} from "@groundrule/engine";
import {
  factsShape,
  formatSchemeSuggestion,
  ROLE_PATTERN,
  SCHEME_MAX_LENGTH,
  SCHEME_PATTERN,
  SOURCE_NAME_MAX_LENGTH,
  toJsonSchema,
  VALUE_MAX_LENGTH,
} from "@groundrule/engine/internal";
import * as z from "zod";
import { schemaRef } from "./described-shape.ts";
import { REFERENCE_ID_MAX_LENGTH } from "./limits.ts";

// Members that several requests or answers share.

/** A schema of {@link absentable}. */
export type Absentable<Schema extends z.ZodType> = z.ZodPipe<
  z.ZodOptional<z.ZodNullable<Schema>>,
  z.ZodTransform<NonNullable<z.output<Schema>> | undefined, z.output<z.ZodOptional<z.ZodNullable<Schema>>>>
>;

/** Makes a member optional, with `null` equivalent to its absence. */
export function absentable<Schema extends z.ZodType>(schema: Schema): Absentable<Schema> {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** Text of at most `maxLength` characters, counted in code points as in JSON Schema. */
function createTextSchema(maxLength: number): z.ZodString {
  return z
    .string()
    .refine((text) => [...text].length <= maxLength, `expected at most ${maxLength} characters`)
    .meta({ maxLength });
}

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

const namedCrs = z
  .looseObject({
    type: z.literal("name"),
    properties: z
      .looseObject({ name: z.string().describe("Such as `urn:ogc:def:crs:EPSG::31982`") })
      .describe("The name of the coordinate reference system"),
  })
  .nullish()
  .describe(
    "The `crs` member of GeoJSON 2008: used if the input has no `crs`, refused if the input names a different one",
  );

function createGeoJsonSchema<Type extends string, Coordinates extends z.ZodType>(
  type: Type,
  coordinates: Coordinates,
) {
  return z.looseObject({ type: z.literal(type), coordinates, bbox, crs: namedCrs });
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
export const factsSchema: z.ZodType<NonNullable<EvaluationInput["facts"]>, unknown> = z
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
      geometry: createOneOfSchema(plotForms).describe("The plot"),
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

/** Hectares around each point of a plot. */
export const areaHaSchema: z.ZodNumber = z
  .number()
  .min(MIN_POINT_AREA_HA)
  .max(MAX_POINT_AREA_HA)
  .meta({
    description:
      "Hectares of land around each point: the plot is the union of discs of that area. Required with Point and MultiPoint, refused with any other geometry",
    examples: [4],
  });

/**
 * The content of a geometry is checked by the engine, in one pass; here it is only described.
 *
 * @param featured the component that is a Feature around one
 */
function createGeometrySchema(
  forms: readonly GeoJson[],
  featured: string,
  description: string,
): z.ZodType<object, unknown> {
  const schema = z.looseObject({ type: z.literal("Feature"), geometry: createOneOfSchema(forms), bbox });
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

export const crsSchema: z.ZodString = createTextSchema(64).meta({
  description: "Coordinate reference system of the positions; default: longitude and latitude on WGS 84",
  examples: ["EPSG:31983", "OGC:CRS84"],
});

export const referenceIdSchema: z.ZodString = createTextSchema(REFERENCE_ID_MAX_LENGTH).describe(
  "The caller's own identifier for audit and tracing; returned in the response",
);

export const sourceNameSchema: z.ZodString = createTextSchema(SOURCE_NAME_MAX_LENGTH);

const schemeShape = {
  type: z
    .string()
    .max(SCHEME_MAX_LENGTH)
    .regex(SCHEME_PATTERN, {
      error: ({ input }) => `expected <authority>:<name>, lowercase${formatSchemeSuggestion(input)}`,
    })
    .meta({ examples: ["br:cnpj"] }),
  value: createTextSchema(VALUE_MAX_LENGTH).meta({
    pattern: "[^ \\t\\n\\r./()-]",
    description: "Spaces, dashes, dots, slashes, parentheses and case are ignored in comparisons",
    examples: ["00.000.000/0001-91"],
  }),
};

export const schemeSchema: z.ZodType<Scheme, unknown> = z.strictObject(schemeShape);

const role = absentable(
  z
    .string()
    .regex(ROLE_PATTERN, "expected a lowercase word of at most 64 characters")
    .describe("The role of the identified party, such as `owner`; rulesets select roles with `asks`"),
);

export const roleSchemeSchema: z.ZodType<RoleScheme, unknown> = z
  .strictObject({ ...schemeShape, role })
  .transform(({ role, ...scheme }) => (role === undefined ? scheme : { ...scheme, role }));
