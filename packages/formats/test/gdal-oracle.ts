import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";

/** A file for GDAL to write; members that are absent are as GDAL has them by default. */
export interface GdalSpec {
  readonly path: string;
  /** As numpy names it. */
  readonly dtype: string;
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  /** The values that cells hold, as texts: in patches and noise. */
  readonly pool: readonly string[];
  readonly seed: number;
  /** Creation options. */
  readonly options: Readonly<Record<string, string | number>>;
  readonly nodata?: string;
  /** A nodata value that the type may not hold. */
  readonly rawNodata?: string;
  readonly mask?: "internal" | "external";
  /** Number of the band that is alpha, from 1. */
  readonly alpha?: number;
  readonly palette?: readonly (readonly number[])[];
  readonly scale?: number;
  readonly offset?: number;
  readonly tags?: Readonly<Record<string, string>>;
  /** The only cells that are written: column, row, columns, rows. */
  readonly window?: readonly [number, number, number, number];
  readonly overviews?: readonly number[];
  /** The text of GDAL's `.aux.xml` next to it. */
  readonly auxiliary?: string;
}

/** A raster as rasterio reads it. */
export interface GdalRaster {
  readonly width: number;
  readonly height: number;
  readonly types: readonly string[];
  readonly nodata: string | null;
  /** The kind of each band: `gray`, `alpha` … */
  readonly colors: readonly string[];
  /** The origin of each band's mask: `all_valid`, `nodata`, `per_dataset`, `alpha`. */
  readonly flags: readonly (readonly string[])[];
  /** By band. */
  readonly values: readonly Float64Array[];
  /** By band; 0: no value. */
  readonly masks: readonly Uint8Array[];
}

/** True if there is a Python with rasterio, whose wheels bring GDAL along. */
export const hasRasterio: boolean = spawnSync("python3", ["-c", "import rasterio"]).status === 0;

/** GDAL, in a process of its own. */
export class GdalOracle {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  /** @param folder in which paths begin */
  constructor(folder: string) {
    const script = join(import.meta.dirname, "gdal-rasters.py");
    this.#process = spawn("python3", [script, folder]);
    this.#process.stderr.resume();
    this.#reader = createInterface({ input: this.#process.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** Waits until GDAL is there. @returns its version */
  async start(): Promise<string> {
    return ((await this.#next()) as { gdal: string }).gdal;
  }

  /** @returns the error of GDAL; undefined where the file is written */
  async write(spec: GdalSpec): Promise<string | undefined> {
    return ((await this.#ask({ write: spec })) as { error?: string }).error;
  }

  /** Does what a line of GDAL's programs does. @returns its error; undefined where it is done */
  async run(line: string): Promise<string | undefined> {
    return ((await this.#ask({ run: line.split(" ") })) as { error?: string }).error;
  }

  /** Reads a file. Fails: an error where GDAL cannot read it. */
  async read(path: string): Promise<GdalRaster> {
    const answer = (await this.#ask({ read: path })) as { error?: string } & Record<
      "values" | "masks",
      string[]
    >;
    if (answer.error !== undefined) throw new Error(`${path}: ${answer.error}`);
    const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64"));
    return {
      ...(answer as unknown as GdalRaster),
      values: answer.values.map((text) => new Float64Array(bytes(text).buffer)),
      masks: answer.masks.map(bytes),
    };
  }

  close(): void {
    this.#reader.close();
    this.#process.kill();
  }

  async #ask(request: object): Promise<unknown> {
    this.#process.stdin.write(`${JSON.stringify(request)}\n`);
    return this.#next();
  }

  async #next(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error("the process of GDAL has ended");
    return JSON.parse(value);
  }
}
