import {
  BorderIndex,
  type BorderPiece,
  decodePieces,
  territoryIn,
  writeBorders,
} from "@groundrule/borders/decode";

/** The borders of countries, fetched from a gzipped file next to the page, at the first plot that names a country. */
export class BordersHere {
  readonly #url: string;
  #pieces: readonly BorderPiece[] | undefined;
  #snapshot: Uint8Array | undefined;
  #index: BorderIndex | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Loads the borders. Fails: if they cannot be fetched or are damaged. */
  async ready(): Promise<void> {
    if (this.#pieces !== undefined) return;
    const packed = await fetch(this.#url);
    if (!packed.ok) throw new Error(`the server answered ${packed.status} for the borders of countries`);
    const unpacked = packed.body!.pipeThrough(new DecompressionStream("gzip"));
    this.#pieces = decodePieces(new Uint8Array(await new Response(unpacked).arrayBuffer()));
  }

  /** Call only after `ready`. */
  snapshot(): Uint8Array {
    this.#snapshot ??= writeBorders(this.#known());
    return this.#snapshot;
  }

  /** Call only after `ready`. */
  territoryOf(iso3: string): readonly BorderPiece["polygons"][] | undefined {
    const territory = territoryIn(this.#known(), iso3);
    return territory.length === 0 ? undefined : territory;
  }

  /** Call only after `ready`. */
  countriesAt(longitude: number, latitude: number): readonly string[] | undefined {
    this.#index ??= new BorderIndex(this.#known());
    return this.#index.countriesAt(longitude, latitude);
  }

  #known(): readonly BorderPiece[] {
    if (this.#pieces === undefined) throw new Error("the borders were used before they were ready");
    return this.#pieces;
  }
}
