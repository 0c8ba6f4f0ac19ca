import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { RunError } from "../runs/run-error.ts";
import { readFileLines } from "../runs/shards/record-reader.ts";

const HEAD = '{"type":"FeatureCollection","features":[\n';
const END = "]}\n";
const NEWLINE = 0x0a;

/** Joins lines of features into one document, piece by piece. */
export class GeoJsonDocument {
  #isBegun: boolean = false;
  #isFilled: boolean = false;

  /** @param features whole lines, one feature each */
  push(features: Uint8Array): string {
    const head = this.#isBegun ? "" : HEAD;
    this.#isBegun = true;
    if (features.length === 0) return head;
    const text = Buffer.from(features.buffer, features.byteOffset, features.byteLength - 1).toString();
    const before = this.#isFilled ? ",\n" : "";
    this.#isFilled = true;
    return `${head}${before}${text.replaceAll("\n", ",\n")}`;
  }

  end(): string {
    return `${this.push(new Uint8Array(0))}${this.#isFilled ? "\n" : ""}${END}`;
  }
}

/** Makes a document from temporary lines of features. */
export async function writeGeoJson(rows: string, output: string): Promise<void> {
  const document = new GeoJsonDocument();
  const pieces = function* (): Generator<string> {
    for (const line of readFileLines(rows)) yield document.push(line);
    yield document.end();
  };
  await pipeline(Readable.from(pieces()), createWriteStream(output));
}

/** The lines of features from which {@link writeGeoJson} made a document. */
export function* readGeoJsonLines(path: string): Generator<string, void, undefined> {
  let head: string | undefined;
  for (const line of readFileLines(path)) {
    if (head === undefined) {
      head = line.toString();
      if (head !== HEAD) {
        throw new RunError(
          "SHARD_DAMAGED",
          `${path} is damaged: found another beginning, expected ${HEAD.trim()}`,
        );
      }
    } else if (line.toString("latin1", 0, END.length) !== END) {
      const end = line[line.length - 2] === 0x2c && line[line.length - 1] === NEWLINE ? 2 : 1;
      yield `${line.toString("utf8", 0, line.length - end)}\n`;
    }
  }
}
