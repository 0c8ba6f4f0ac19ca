import { parseCalendarDay } from "../../base/calendar-day.ts";
import type { ColumnSummary, LeafSnapshot } from "../../snapshot/snapshot.ts";
import type { EditionValues } from "../../sources/edition-values.ts";
import type { EngineSource } from "../../sources/source-table.ts";
import { createNumberRange, type NumberRange } from "../measures/number-range.ts";
import type { FilterArgument } from "../parse/schema.ts";

/** A source of areas that is open. */
export type OpenAreas = EngineSource & { readonly snapshot: LeafSnapshot; readonly values: EditionValues };

/** The values of a property in one open source. */
export interface PropertyFacts {
  readonly sourceName: string;
  readonly rowCount: number;
  readonly summary: PropertySummary;
}

/** A summary ready to be searched: texts are decoded once. */
export interface PropertySummary extends ColumnSummary {
  /** The texts by their upper case. */
  readonly folded?: () => ReadonlyMap<string, string>;
  /** The range, of dates that of their days. */
  readonly numbers?: NumberRange;
}

/** The values of a property in the sources of a set, of those that have it. */
export type PropertyLookUp = (property: string) => readonly PropertyFacts[];

export function isOpenAreas(source: EngineSource): source is OpenAreas {
  return "values" in source && source.values !== undefined;
}

/** Looks up properties in open sources that have areas; each is made ready once. */
export function createPropertyLookUp(open: readonly OpenAreas[]): PropertyLookUp {
  const known = new Map<string, readonly PropertyFacts[]>();
  return (property) => {
    let facts = known.get(property);
    if (facts === undefined) {
      facts = open.flatMap((source) => listPropertyFacts(source, property));
      known.set(property, facts);
    }
    return facts;
  };
}

function listPropertyFacts(source: OpenAreas, property: string): PropertyFacts[] {
  const summary = prepareSummary(findPropertySummary(source, property));
  const { source_name: sourceName } = source.manifest;
  const { feature_count: rowCount } = source.snapshot.meta;
  return summary === undefined || rowCount === 0 ? [] : [{ sourceName, rowCount, summary }];
}

/** The summary of a property; undefined where the source has no such property. */
function findPropertySummary(
  { manifest, snapshot: { meta }, values }: OpenAreas,
  property: string,
): ColumnSummary | undefined {
  switch (property) {
    case "source_id":
      return { nullCount: 0 };
    case "source_name":
      return summarizeConstantText(manifest.source_name, meta.feature_count);
    case "category":
      return summarizeConstantText(meta.manifest.category, meta.feature_count);
    default:
      return values.summary(property);
  }
}

function summarizeConstantText(text: string | undefined, rowCount: number): ColumnSummary {
  if (text === undefined) return { nullCount: rowCount, textCount: 0, texts: () => new Set() };
  return { nullCount: 0, textCount: 1, texts: () => new Set([text]) };
}

function prepareSummary(summary: ColumnSummary | undefined): PropertySummary | undefined {
  if (summary === undefined) return undefined;
  const { texts, range } = summary;
  if (range !== undefined)
    return {
      ...summary,
      numbers: createNumberRange(toComparableNumber(range.least)!, toComparableNumber(range.greatest)!),
    };
  if (texts === undefined) return summary;
  const kept = memoize(texts);
  const folded = memoize(() => new Map([...kept()].map((text) => [text.toUpperCase(), text])));
  return { ...summary, texts: kept, folded };
}

function memoize<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A number as it is, a day as its number; undefined of anything else. */
export function toComparableNumber(value: FilterArgument | undefined): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string") return parseCalendarDay(value);
  return typeof value === "object" && "date" in value ? parseCalendarDay(value.date) : undefined;
}
