import type { Fault, MultiPolygonGeometry, OverlapGeometry } from "@groundrule/engine";
import {
  answerShapes,
  anything,
  array,
  boolean,
  choice,
  type Described,
  describedAs,
  named,
  nullable,
  number,
  object,
  objectOf,
  openObjectOf,
  optional,
  record,
  type Shape,
  sourceOutcomeShape,
  text,
  union,
  warningShape,
} from "@groundrule/engine/internal";
import type { LintFinding } from "@groundrule/engine/rulesets";

// Members that several answers share. Each member of an answer is written once: its shape, its type and its words.

/** A whole number. */
export const countShape = number({ whole: true });

/** An instant in the form of answers. */
export const instantShape = text({ format: "date-time" });

/** When what an answer describes was created. */
export const createdAtShape = describedAs(instantShape, "When it was created, ISO 8601 UTC");

export const requestIdShape = describedAs(
  text(),
  "The service's name for the request, also in `X-Request-Id`",
);

export const engineVersionShape = describedAs(text(), "Version of the engine that answered");

export const referenceIdShape = describedAs(
  nullable(text()),
  "The caller's own identifier of the request, returned and stored; null if it had none",
);

/** An object of any members. */
export const anyMembers = record(text(), anything());

/** A plain text, since codes are many and grow: programs match those they look for. */
export const lintFindingShape: Shape<LintFinding> = named("LintFinding", () =>
  object<LintFinding>({
    code: answerShapes.code as object as Shape<LintFinding["code"]>,
    severity: describedAs(choice("error", "warning", "info"), "How certain the mistake is"),
    pointer: describedAs(text(), "JSON pointer into the ruleset"),
    message: answerShapes.message,
    certain: optional(
      describedAs(
        choice(true),
        "Whether the ruleset and the editions in use leave no doubt about it; then it is also a warning of every evaluation",
      ),
    ),
    hint: optional(text(), "How to fix it"),
  }),
);

const metaMembers = {
  request_id: requestIdShape,
  charged: describedAs(boolean(), "Whether the request counts against the quota"),
  engine_version: engineVersionShape,
  warnings: describedAs(array(warningShape), "Warnings that do not change the answer"),
  lint: optional(array(lintFindingShape), "Likely mistakes in the ruleset, if the request has `lint`"),
};

/** Facts about an answer that are not its data. */
export interface Meta extends Described<typeof metaMembers> {}

export const metaShape: Shape<Meta> = named("Meta", () => objectOf(metaMembers));

/** The members of an answer in addition to its data. */
export const envelopeMembers = {
  meta: metaShape,
  errors: describedAs(array(choice<never>()), "Each fault with its place; empty where there is none"),
};

/** The service's version and the caller's own references. */
export const requestMembers = {
  sources: describedAs(array(sourceOutcomeShape), "The status and edition of each source in the answer"),
  reference_id: referenceIdShape,
};

const POSITIONS = "Positions `[longitude, latitude]` in degrees, nested as in GeoJSON";
const position = array(number());
const polygons = array(array(array(position)));

const multiPolygon = named("MultiPolygon", () =>
  object({ type: choice("MultiPolygon"), coordinates: describedAs(polygons, POSITIONS) }),
);

/** Coordinates are an answer's own, so nobody is kept from changing them. */
export const multiPolygonShape = multiPolygon as object as Shape<MultiPolygonGeometry>;

export const overlapShape = named("OverlapGeometry", () =>
  union([
    multiPolygon,
    named("MultiLineString", () =>
      object({
        type: choice("MultiLineString"),
        coordinates: describedAs(array(array(position)), POSITIONS),
      }),
    ),
    named("LineString", () =>
      object({ type: choice("LineString"), coordinates: describedAs(array(position), POSITIONS) }),
    ),
    named("MultiPoint", () =>
      object({ type: choice("MultiPoint"), coordinates: describedAs(array(position), POSITIONS) }),
    ),
    named("Point", () =>
      object({
        type: choice("Point"),
        coordinates: describedAs(position, "`[longitude, latitude]` in degrees"),
      }),
    ),
  ]),
) as object as Shape<OverlapGeometry>;

/** A fault; in a geometry it has members with its position. */
export const faultShape: Shape<Fault> = named("Fault", () =>
  describedAs(
    openObjectOf({
      pointer: describedAs(
        text(),
        "JSON pointer (RFC 6901) into the body; `?name` for a query parameter, empty for the whole body",
      ),
      code: answerShapes.code,
      message: answerShapes.message,
      polygon: optional(countShape, "Of a fault of a geometry: index of the polygon, from 0"),
      ring: optional(countShape, "Index of the ring in its polygon; 0 is the outer one"),
      position: optional(
        countShape,
        "Index in its ring of the position, or of the start of the edge, that the fault is at",
      ),
      coordinate: optional(array(number(), { min: 2, max: 2 }), "Where it is, `[longitude, latitude]`"),
    }),
    "For a fault of a geometry also the numbers of the polygon, the ring and the position, and the coordinate",
  ),
) as object as Shape<Fault>;
