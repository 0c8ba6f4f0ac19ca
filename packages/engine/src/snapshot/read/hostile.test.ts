import { createSeededRandom, type Random } from "@groundrule/testing/random";
import { describe, expect, it } from "vitest";
import { SnapshotParts } from "../../../test/snapshot-file.ts";
import {
  makeSmallAreaSnapshot,
  makeSmallCoveredSnapshot,
  makeSmallRegisterSnapshot,
} from "../../../test/snapshot-fixtures.ts";
import { EngineError } from "../../base/errors.ts";
import { PatternMeter } from "../../base/pattern-meter.ts";
import type { AreaLayer } from "../../geometry/trees/layer.ts";
import { findRingsMeetingBox } from "../../geometry/trees/ring-index.ts";
import type { CoveragePieces } from "../coverage.ts";
import { FIRST_COLUMN_SECTION, SECTION } from "../format.ts";
import { type Attributes, type IdentifierIndex, isRaster, type Snapshot } from "../snapshot.ts";
import { openSnapshot } from "./reader.ts";

const SEED = 20_240_611;
const MUTATIONS = process.env.GROUNDRULE_FULL === undefined ? 3_000 : 100_000;
const QUERIES = 100;

describe(`a hostile file (seed ${SEED})`, () => {
  const valid = [makeSmallAreaSnapshot(), makeSmallRegisterSnapshot(), makeSmallCoveredSnapshot()];

  it(`is refused as corrupt or of another version, ${MUTATIONS / 2} times, where its bytes were damaged`, () => {
    const random = createSeededRandom(SEED);
    for (let done = 0; done < MUTATIONS / 2; ) {
      const file = valid[random.integer(valid.length)]!;
      const [kind, damage] = pick(random, Object.entries(DAMAGES));
      const damaged = damage(file, random);
      if (sameBytes(file, damaged)) continue;
      done++;
      const error = openRefusalCode(damaged);
      if (error === undefined) throw new Error(`damage ${done} (${kind}) was not noticed`);
    }
  });

  it(`is refused as corrupt, or answers ${QUERIES} questions in bounded work, ${MUTATIONS / 2} times, where its checksums were made to match`, () => {
    const random = createSeededRandom(SEED + 1);
    const outcomes = { refused: 0, answered: 0 };
    for (let done = 0; done < MUTATIONS / 2; ) {
      const file = valid[random.integer(valid.length)]!;
      const parts = new SnapshotParts(file);
      const kinds: string[] = [];
      for (let times = 1 + random.integer(3); times > 0; times--) {
        const [kind, forge] = pick(random, Object.entries(FORGERIES));
        const within = random.integer(2) === 0 && readPiecesSection(parts);
        forge(within || parts, random);
        if (within) parts.replace(SECTION.COVERAGE, new Uint8Array(within.seal()));
        kinds.push(within ? `${kind} of the pieces` : kind);
      }
      const forged = parts.seal();
      if (sameBytes(file, forged)) continue;
      done++;
      const failure = `forgery ${done} (${kinds.join(", ")})`;
      let snapshot: Snapshot;
      try {
        snapshot = openSnapshot(forged);
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== "SNAPSHOT_CORRUPT")
          throw new Error(failure, { cause: error });
        outcomes.refused++;
        continue;
      }
      outcomes.answered++;
      try {
        for (let q = 0; q < QUERIES; q++) query(snapshot, random);
      } catch (error) {
        throw new Error(failure, { cause: error });
      }
    }
    // Both must occur often, or the forgeries are too crude or too tame to show anything.
    expect(outcomes.refused).toBeGreaterThan(MUTATIONS / 10);
    expect(outcomes.answered).toBeGreaterThan(MUTATIONS / 20);
  });
});

/** The error's code, where it is one that a damaged file may meet; undefined where it opened. */
function openRefusalCode(file: ArrayBuffer): string | undefined {
  try {
    openSnapshot(file);
    return undefined;
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    expect(["SNAPSHOT_CORRUPT", "SNAPSHOT_VERSION_UNSUPPORTED"]).toContain(error.code);
    return error.code;
  }
}

function sameBytes(a: ArrayBuffer, b: ArrayBuffer): boolean {
  if (a.byteLength !== b.byteLength) return false;
  const [x, y] = [new Uint8Array(a), new Uint8Array(b)];
  return x.every((byte, i) => byte === y[i]);
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random.integer(choices.length)]!;
}

const DAMAGES: Record<string, (file: ArrayBuffer, random: Random) => ArrayBuffer> = {
  "flipped bits"(file, random) {
    const bytes = new Uint8Array(file.slice());
    for (let n = 1 + random.integer(8); n > 0; n--)
      bytes[random.integer(bytes.length)]! ^= 1 << random.integer(8);
    return bytes.buffer;
  },
  "a flipped bit in header or table"(file, random) {
    const bytes = new Uint8Array(file.slice());
    bytes[random.integer(400)]! ^= 1 << random.integer(8);
    return bytes.buffer;
  },
  truncation: (file, random) => file.slice(0, random.integer(file.byteLength)),
  "inserted bytes"(file, random) {
    const at = random.integer(file.byteLength + 1);
    const added = Array.from({ length: 1 + random.integer(80) }, () => random.integer(256));
    const bytes = [...new Uint8Array(file)];
    return Uint8Array.from([...bytes.slice(0, at), ...added, ...bytes.slice(at)]).buffer;
  },
  "removed bytes"(file, random) {
    const at = random.integer(file.byteLength);
    const bytes = [...new Uint8Array(file)];
    bytes.splice(at, 1 + random.integer(80));
    return Uint8Array.from(bytes).buffer;
  },
  "zeroed bytes"(file, random) {
    const at = random.integer(file.byteLength);
    return new Uint8Array(file.slice()).fill(0, at, at + 1 + random.integer(500)).buffer;
  },
  "two ranges changed about"(file, random) {
    const bytes = new Uint8Array(file.slice());
    const length = 1 + random.integer(200);
    const a = random.integer(bytes.length - length);
    const b = random.integer(bytes.length - length);
    const kept = bytes.slice(a, a + length);
    bytes.copyWithin(a, b, b + length);
    bytes.set(kept, b);
    return bytes.buffer;
  },
  "two sections changed about, checksums left"(file, random) {
    const parts = new SnapshotParts(file);
    swapSections(parts, random);
    const bytes = new Uint8Array(parts.seal());
    bytes.set(new Uint8Array(file, 0, Math.min(bytes.length, 64 + parts.sections.length * 24)));
    return bytes.buffer;
  },
};

const COUNTS = ["rowCount", "ringCount", "positionCount", "columnCount", "identifierCount"] as const;

const FORGERIES: Record<string, (parts: SnapshotParts, random: Random) => void> = {
  "a count": forgeCount,
  "the row count wherever it is stated"(parts, random) {
    const rows = parts.count("rowCount") + pick(random, [-1, 1, 8, 2 ** 20]);
    parts.setCount("rowCount", Math.max(0, rows));
    editMeta(parts, (meta) => Object.assign(meta, { feature_count: Math.max(0, rows) }));
    for (const { id, bytes } of parts.sections) {
      if (id >= FIRST_COLUMN_SECTION && random.integer(2) === 0)
        parts.splice(id, bytes.length, 0, [0, 0, 0, 0]);
    }
  },
  "the last ring or position, taken off wherever it is counted"(parts, random) {
    if (!has(parts, SECTION.XY)) return;
    const count = pick(random, ["ringCount", "positionCount"] as const);
    parts.setCount(count, Math.max(0, parts.count(count) - 1));
    if (count === "positionCount") cutEnd(parts, SECTION.XY, 16);
    else {
      for (const id of [SECTION.RING_STARTS, SECTION.RING_AREAS, SECTION.CHAIN_STARTS]) cutEnd(parts, id, 4);
      cutEnd(parts, SECTION.RING_ROLES, 1);
    }
    const areas = parts.u32(SECTION.AREA_RINGS);
    if (areas.length > 0 && random.integer(2) === 0) areas[areas.length - 1] = parts.count("ringCount");
  },
  "a 32-bit number": (parts, random) => forgeU32(parts, random, pick(random, parts.sections).id),
  "an offset": (parts, random) => forgeU32(parts, random, pick(random, OFFSET_SECTIONS)),
  "two offsets changed about"(parts, random) {
    const id = pick(random, OFFSET_SECTIONS);
    if (!has(parts, id)) return;
    const values = parts.u32(id);
    if (values.length === 0) return;
    const i = random.integer(values.length);
    const j = random.integer(values.length);
    [values[i], values[j]] = [values[j]!, values[i]!];
  },
  "a coordinate or other 64-bit float"(parts, random) {
    const id = pick(random, [
      SECTION.XY,
      SECTION.CHAIN_INTEGRALS,
      SECTION.AREA_SQUARE_METERS,
      FIRST_COLUMN_SECTION,
    ]);
    if (!has(parts, id)) return;
    const values = parts.f64(id);
    const i = random.integer(Math.max(1, values.length));
    if (i < values.length)
      values[i] = pick(random, [Number.NaN, Infinity, -Infinity, 1e300, -541, 91, 0, -0, values[i]! + 1e-9]);
  },
  "coordinates, with trees and index to match"(parts, random) {
    if (!has(parts, SECTION.XY) || parts.f64(SECTION.XY).length < 60) return;
    const values = parts.f64(SECTION.XY);
    for (let n = 1 + random.integer(3); n > 0; n--)
      values[random.integer(values.length)] = random.between(-95, 95);
    if (isIndexable(parts)) parts.reindex();
  },
  "a box of a tree"(parts, random) {
    const id = pick(random, [SECTION.RING_INDEX, SECTION.CHAIN_BOXES]);
    if (!has(parts, id) || parts.bytes(id).length < 64) return;
    const start = id === SECTION.RING_INDEX ? 8 : 0;
    const boxes = new Int32Array(parts.bytes(id).buffer, start, (parts.bytes(id).length - start) >> 2);
    const box = pick(random, [
      [-0x8000_0000, -0x8000_0000, -0x8000_0000, -0x8000_0000],
      [0x7fff_ffff, 0x7fff_ffff, -0x8000_0000, -0x8000_0000],
      [-0x8000_0000, -0x8000_0000, 0x7fff_ffff, 0x7fff_ffff],
      [0, 0, 0, 0],
    ]);
    boxes.set(box, 4 * random.integer(boxes.length >> 2));
  },
  "a child, leaf or header of the index"(parts, random) {
    if (!has(parts, SECTION.RING_INDEX) || parts.bytes(SECTION.RING_INDEX).length < 8 + 44 * 18) return;
    const view = parts.view(SECTION.RING_INDEX);
    if (random.integer(4) === 0) {
      view.setUint8(random.integer(8), random.integer(256));
      return;
    }
    const node = random.integer(44);
    view.setUint16(
      8 + 44 * 16 + node * 2,
      pick(random, [node * 4, node, 43 * 4, 40 * 4, random.integer(176)]),
      true,
    );
  },
  "two leaves of the index changed about, boxes and all"(parts, random) {
    if (!has(parts, SECTION.RING_INDEX) || parts.bytes(SECTION.RING_INDEX).length < 8 + 44 * 18) return;
    const bytes = parts.bytes(SECTION.RING_INDEX);
    // Neighbours, so that often they share a parent and the index stays valid.
    const i = random.integer(39);
    for (const [at, size] of [
      [8 + i * 16, 16],
      [8 + 44 * 16 + i * 2, 2],
    ] as const) {
      const kept = bytes.slice(at, at + size);
      bytes.copyWithin(at, at + size, at + 2 * size);
      bytes.set(kept, at + size);
    }
  },
  "two sections changed about": swapSections,
  "a section cut or grown"(parts, random) {
    const { id, bytes } = pick(random, parts.sections);
    if (random.integer(2) === 0) cutEnd(parts, id, 1 + random.integer(40));
    else parts.splice(id, bytes.length, 0, new Array(1 + random.integer(40)).fill(random.integer(256)));
  },
  "bytes of a text or dictionary"(parts, random) {
    const id = pick(random, TEXT_SECTIONS);
    if (!has(parts, id) || parts.bytes(id).length === 0) return;
    const bytes = parts.bytes(id);
    // Towards the end lie the texts and indices themselves.
    const at = bytes.length - 1 - random.integer(Math.min(bytes.length, 200));
    bytes[at] = random.integer(256);
  },
  "the text bytes of a section, none of them UTF-8"(parts, random) {
    const id = pick(random, [SECTION.IDS, SECTION.IDENTIFIER_VALUES]);
    if (!has(parts, id) || parts.bytes(id).length < 200) return;
    const bytes = parts.bytes(id);
    for (let n = 0; n < 40; n++) bytes[bytes.length - 1 - n] = 0x80 + random.integer(128);
  },
  "bytes of META"(parts, random) {
    const bytes = parts.bytes(SECTION.META);
    if (bytes.length > 0)
      bytes[random.integer(bytes.length)] = pick(random, [0x22, 0x7b, 0x5b, 0x30, random.integer(256)]);
  },
  "a member of META"(parts, random) {
    const change = pick(random, META_CHANGES);
    editMeta(parts, (meta) => change(meta, random));
  },
  "harmless members of META"(parts, random) {
    editMeta(parts, (meta) => Object.assign(meta.manifest as object, { category: `c${random.integer(99)}` }));
  },
  "numbers, booleans, dates within their ranges"(parts, random) {
    if (!has(parts, FIRST_COLUMN_SECTION)) return;
    const numbers = parts.f64(FIRST_COLUMN_SECTION);
    if (numbers.length > 30) numbers[random.integer(30)] = random.between(-1e9, 1e9);
  },
};

const OFFSET_SECTIONS: readonly number[] = [
  SECTION.IDS,
  SECTION.NAMES,
  SECTION.COUNTRIES,
  SECTION.RING_STARTS,
  SECTION.AREA_RINGS,
  SECTION.RING_AREAS,
  SECTION.CHAIN_STARTS,
  SECTION.IDENTIFIER_SCHEMES,
  SECTION.IDENTIFIER_CANONICAL,
  SECTION.IDENTIFIER_VALUES,
  SECTION.IDENTIFIER_ROWS,
  SECTION.IDENTIFIER_ORDER,
  SECTION.GRAM_SCHEMES,
  SECTION.GRAMS,
];

const TEXT_SECTIONS: readonly number[] = [
  SECTION.IDS,
  SECTION.NAMES,
  SECTION.COUNTRIES,
  SECTION.IDENTIFIER_CANONICAL,
  SECTION.IDENTIFIER_VALUES,
  FIRST_COLUMN_SECTION + 3,
];

const META_CHANGES: readonly ((meta: Record<string, unknown>, random: Random) => unknown)[] = [
  (meta) => delete meta.edition,
  (meta, random) => Object.assign(meta, { edition: random.integer(16).toString(16).repeat(64) }),
  (meta, random) =>
    Object.assign(meta, { feature_count: pick<unknown>(random, [-1, 0.5, 1e300, "40", null]) }),
  (meta) => Object.assign(meta, { country_coverage: [], schemes: [] }),
  (meta) => Object.assign(meta, { schemes: Array.from({ length: 50 }, (_, i) => `a:${i}`) }),
  (meta) => Object.assign(meta.manifest as object, { kind: "leaf" }),
  (meta, random) =>
    Object.assign(meta.manifest as object, {
      coverage: pick(random, ["global", "polygons", ["BRA"], ["BRA", "PER", "ZZZ"], [], 7]),
      coverage_known: pick(random, ["declared", "derived", "guessed"]),
    }),
  (meta) => Object.assign(meta.manifest as object, { columns: { hectares: "string" } }),
  (meta, random) => {
    const columns = (meta.manifest as { columns?: Record<string, string> }).columns ?? {};
    const names = Object.keys(columns);
    if (names.length > 0)
      columns[pick(random, names)] = pick(random, ["number", "string", "boolean", "date", "blob"]);
  },
];

/** The snapshot within one that holds the pieces of its coverage, where that is still one. */
function readPiecesSection(parts: SnapshotParts): SnapshotParts | false {
  if (!has(parts, SECTION.COVERAGE) || parts.bytes(SECTION.COVERAGE).length === 0) return false;
  try {
    return new SnapshotParts(parts.bytes(SECTION.COVERAGE).buffer);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function has(parts: SnapshotParts, id: number): boolean {
  return parts.sections.some((section) => section.id === id);
}

function cutEnd(parts: SnapshotParts, id: number, bytes: number): void {
  const { length } = parts.bytes(id);
  parts.splice(id, Math.max(0, length - bytes), bytes);
}

function swapSections(parts: SnapshotParts, random: Random): void {
  const a = pick(random, parts.sections);
  const b = pick(random, parts.sections);
  [a.bytes, b.bytes] = [b.bytes, a.bytes];
}

function forgeCount(parts: SnapshotParts, random: Random): void {
  const count = pick(random, COUNTS);
  parts.setCount(count, randomWildNumber(random, parts.count(count)));
}

function forgeU32(parts: SnapshotParts, random: Random, id: number): void {
  if (!has(parts, id)) return;
  const values = parts.u32(id);
  if (values.length === 0) return;
  const i = random.integer(values.length);
  values[i] = randomWildNumber(random, values[i]!);
}

function randomWildNumber(random: Random, value: number): number {
  const near = [value + 1, Math.max(0, value - 1), value * 2];
  return pick(random, [...near, 0, 1, 2 ** 20, 2 ** 31, 2 ** 32 - 1, random.integer(2 ** 32)]) >>> 0;
}

/** Leaves META alone where an earlier forgery left it no JSON. */
function editMeta(parts: SnapshotParts, change: (meta: Record<string, unknown>) => unknown): void {
  try {
    parts.editMeta(change);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
}

function isIndexable(parts: SnapshotParts): boolean {
  const starts = parts.u32(SECTION.RING_STARTS);
  const positions = parts.bytes(SECTION.XY).length / 16;
  return starts.every((start, i) => start <= positions && (i === 0 || start >= starts[i - 1]! + 4));
}

/** One random question; throws where its work passes the bound. */
function query(snapshot: Snapshot, random: Random): void {
  readRow(snapshot.attributes, random);
  if (snapshot.kind === "leaf" && !isRaster(snapshot)) {
    const { coverage } = snapshot;
    for (const layer of "pieces" in coverage ? [snapshot.layer, coverage.pieces.layer] : [snapshot.layer]) {
      searchIndex(layer, random);
      walkRings(layer, random);
    }
    if ("pieces" in coverage) walkPieces(coverage.pieces, random);
  } else if (snapshot.kind === "subject_register") {
    findIdentifiers(snapshot.identifiers, snapshot.attributes.rowCount, random);
  }
}

function readRow(attributes: Attributes, random: Random): void {
  const { rowCount } = attributes;
  if (rowCount === 0) return;
  const row = random.integer(rowCount);
  const texts = [attributes.id(row), attributes.name(row), attributes.countryIso3(row)];
  for (const value of Object.values(attributes.properties(row))) {
    if (typeof value === "number") assertThat(Number.isFinite(value), "a number that is not finite");
    else if (typeof value === "string") texts.push(value);
  }
  for (const text of texts) assertThat(text === null || text.isWellFormed(), "half a surrogate pair");
}

/** Each node of the index may be read once in a search, which a tree of the one right shape ensures. */
function searchIndex(layer: AreaLayer, random: Random): void {
  const { index, ringCount } = layer;
  if (index === undefined) return;
  const [west, south] = [random.between(-200, 200), random.between(-90, 90)];
  const size = pick(random, [0, 1, 20, 400]);
  let reads = 0;
  const indices = new Proxy(index.indices, {
    get: (target, key) => {
      if (++reads > 2 * target.length) throw new Error(`${reads} nodes read of ${target.length}`);
      return Reflect.get(target, key);
    },
  });
  const found = findRingsMeetingBox({ ...index, indices }, west, south, west + size, south + size);
  assertThat(found.length <= ringCount && new Set(found).size === found.length, "a ring found twice");
  for (const ring of found) assertThat(ring >= 0 && ring < ringCount, `ring ${ring} found`);
}

function walkRings(layer: AreaLayer, random: Random): void {
  if (layer.areaCount === 0) return;
  const area = random.integer(layer.areaCount);
  let positions = 0;
  for (let ring = layer.areaRings[area]!; ring < layer.areaRings[area + 1]!; ring++) {
    assertThat(layer.ringAreas[ring] === area, "a ring of another area");
    for (let node = layer.chainStarts[ring]!; node < layer.chainStarts[ring + 1]!; node++) {
      assertThat(Number.isFinite(layer.chainIntegrals[node]), "an integral that is not finite");
      for (let side = 0; side < 4; side++)
        assertThat(Number.isFinite(layer.chainBoxes[4 * node + side]), "a wild box");
    }
    for (let p = layer.ringStarts[ring]!; p < layer.ringStarts[ring + 1]!; p++) {
      assertThat(
        Math.abs(layer.xy[2 * p]!) <= 540 && Math.abs(layer.xy[2 * p + 1]!) <= 90,
        "a wild position",
      );
      if (++positions > layer.positionCount) throw new Error("more positions than there are");
    }
  }
}

function walkPieces({ layer, countries }: CoveragePieces, random: Random): void {
  assertThat(layer.areaCount > 0 && countries.length === layer.areaCount, "a piece without its countries");
  const codes = pick(random, countries);
  assertThat(
    codes.every((code, i) => /^[A-Z]{3}$/.test(code) && (i === 0 || codes[i - 1]! < code)),
    "wild countries",
  );
}

function findIdentifiers(identifiers: IdentifierIndex, rowCount: number, random: Random): void {
  const scheme = pick(random, [...identifiers.schemes, "br:cnpj"]);
  const prefix = pick(random, ["", "1", "10", "TAX", "TAX3", "TAX1É😀"]);
  const pieces = pick(random, [["", prefix], ["", prefix, ""], [prefix, "1", ""], ["", "É", ""], [prefix]]);
  const answers = [
    identifiers.find(scheme, prefix),
    identifiers.findPrefix(scheme, prefix),
    identifiers.findFirst(scheme, pieces, 101, new PatternMeter(1_000_000)),
  ];
  for (const found of answers) {
    assertThat(found.length <= identifiers.count, "more identifiers than there are");
    for (const { row, value } of found)
      assertThat(row < rowCount && value.isWellFormed(), `row ${row} found`);
  }
}

function assertThat(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
