import type { LeafSnapshot } from "../snapshot/snapshot.ts";
import type { AreaMatch } from "../verdict/match.ts";

/** Most values of a source whose areas stay decoded: up to 10 MB, once every one of them was used. */
const KEPT_VALUES = 131_072;
/** Values of an area besides its columns. */
const OWN_VALUES = 4;

/**
 * Descriptions of areas in answers, without measures, frozen. Areas of a source with few of them, like countries,
 * recur in many answers, and are decoded once. Caching changes no answer.
 */
export class AreaDescriptions {
  readonly #kept = new WeakMap<LeafSnapshot, (AreaMatch | undefined)[]>();

  of(snapshot: LeafSnapshot, area: number): AreaMatch {
    const { attributes } = snapshot;
    if (attributes.rowCount * (OWN_VALUES + attributes.columns.length) > KEPT_VALUES) {
      return createAreaMatch(snapshot, area);
    }
    let kept = this.#kept.get(snapshot);
    if (kept === undefined) {
      kept = new Array<AreaMatch | undefined>(attributes.rowCount).fill(undefined);
      this.#kept.set(snapshot, kept);
    }
    const known = kept[area];
    if (known !== undefined) return known;
    const described = createAreaMatch(snapshot, area);
    kept[area] = described;
    return described;
  }
}

function createAreaMatch({ meta, attributes }: LeafSnapshot, area: number): AreaMatch {
  return Object.freeze({
    source_name: meta.manifest.source_name,
    source_id: attributes.id(area),
    name: attributes.name(area),
    country_iso3: attributes.countryIso3(area),
    properties: Object.freeze(attributes.properties(area)),
  });
}
