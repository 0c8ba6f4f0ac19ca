import type { SourceManifest } from "../snapshot/manifest.ts";
import type { AreaInput, AttributeValue, FoundOfAreas } from "../snapshot/snapshot.ts";
import { type CommonProperty, isSameValue } from "../sources/common-properties.ts";

/** The columns that ids, names and countries are read from. */
export interface MappedColumns {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly country: string | undefined;
}

/** A column whose name is that of a property that every area has, with other values. */
export interface HiddenColumn<Where> {
  readonly name: CommonProperty;
  /** Areas in which they differ. */
  readonly areas: number;
  /** The first of them. */
  readonly first: Where;
}

type Mapping = Pick<SourceManifest, "id" | "name" | "country" | "country_iso3">;

/**
 * The meaning of a source's columns `source_id`, `name`, `country_iso3`, `category` and `source_name`. The first three are the
 * areas' ids, names and countries where the manifest names no columns for these; otherwise each may hide what a filter
 * means, and is counted where its values differ.
 */
export class CommonColumns<Where> {
  readonly #manifest: SourceManifest;
  readonly #found: { -readonly [Member in "id" | "name" | "country"]?: string } = {};
  readonly #hidden = new Map<CommonProperty, { areas: number; readonly first: Where }>();

  constructor(manifest: SourceManifest) {
    this.#manifest = manifest;
  }

  /** The columns of one feature. @param has whether it has a column that is stored */
  of(has: (column: string) => boolean): MappedColumns {
    const { id, name, country, country_iso3 } = this.#manifest;
    return {
      id: id ?? this.#find("id", "source_id", has),
      name: name ?? this.#find("name", "name", has),
      country:
        country ?? (country_iso3 === undefined ? this.#find("country", "country_iso3", has) : undefined),
    };
  }

  #find(
    member: "id" | "name" | "country",
    column: CommonProperty,
    has: (column: string) => boolean,
  ): string | undefined {
    if (!has(column)) return undefined;
    this.#found[member] = column;
    return column;
  }

  /** Records which columns of an area differ from the values stored with it. */
  note(
    { id, name, countryIso3 }: Pick<AreaInput, "id" | "name" | "countryIso3">,
    properties: Readonly<Record<string, AttributeValue>>,
    where: Where,
  ): void {
    const { category = null, source_name } = this.#manifest;
    const values: [CommonProperty, string | null, keyof Mapping | undefined][] = [
      ["source_name", source_name, undefined],
      ["source_id", id, "id"],
      ["name", name, "name"],
      ["country_iso3", countryIso3, "country"],
      ["category", category, undefined],
    ];
    for (const [column, value, member] of values) {
      const found = properties[column];
      if (found === undefined || isSameValue(column, found, value)) continue;
      if (member !== undefined && this.#manifest[member] === column) continue;
      const known = this.#hidden.get(column);
      if (known === undefined) this.#hidden.set(column, { areas: 1, first: where });
      else known.areas++;
    }
  }

  /**
   * The members of the manifest that were found out.
   *
   * @param areAllCountries whether every value of the column of countries is one; otherwise it stays a column of its own
   */
  mapping(areAllCountries: boolean): NonNullable<FoundOfAreas["mapping"]> {
    const { country, ...others } = this.#found;
    return { ...others, ...(areAllCountries && country !== undefined && { country }) };
  }

  /** Columns that may be meant where a filter reads another value, in no mapping. */
  hidden(mapping: FoundOfAreas["mapping"]): readonly HiddenColumn<Where>[] {
    const mapped = new Set(Object.values(mapping ?? {}));
    return [...this.#hidden]
      .filter(([name]) => !mapped.has(name))
      .map(([name, { areas, first }]) => ({ name, areas, first }));
  }
}
