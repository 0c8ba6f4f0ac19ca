import { createBoxRing, reverseRing } from "@groundrule/testing/shapes";
import { joinFileBytes } from "@groundrule/testing/snapshot-bytes";
import type { CoverageInput } from "../src/snapshot/coverage.ts";
import type { AreaInput, RecordInput } from "../src/snapshot/snapshot.ts";
import { createRegisterWriter } from "../src/snapshot/write/register-writer.ts";
import { createAreaWriter } from "../src/snapshot/write/writer.ts";

/** A box of degrees as a hole: clockwise. */
export function makeBoxHole(west: number, south: number, east: number, north: number): Float64Array {
  return reverseRing(createBoxRing(west, south, east, north));
}

/** A closed polygon of `corners` corners on a circle about [x, y], counter-clockwise. */
export function makeRegularPolygon(x: number, y: number, radius: number, corners: number): Float64Array {
  const ring = new Float64Array(2 * corners + 2);
  for (let i = 0; i < corners; i++) {
    ring[2 * i] = x + radius * Math.cos((2 * Math.PI * i) / corners);
    ring[2 * i + 1] = y + radius * Math.sin((2 * Math.PI * i) / corners);
  }
  ring.copyWithin(2 * corners, 0, 2);
  return ring;
}

/**
 * A small area source with all there can be: 40 rings and so an index of two levels, a ring
 * with a chain tree of three levels, rings of one envelope, holes, several polygons, an area without rings, all column types, nulls, dictionaries.
 * Ring 0 is the triangle (0 0, 10 10, 1 2) with its third corner inside the others' envelope.
 */
export function makeSmallAreaSnapshot(): ArrayBuffer {
  const writer = createAreaWriter({ source_name: "test:areas", kind: "leaf", category: "protected" });
  for (const area of makeSmallAreas()) writer.add(area);
  return joinFileBytes(writer.finish());
}

/** A small area source with a coverage, by default of two countries with the land of others around them. */
export function makeSmallCoveredSnapshot(coverage: CoverageInput = SMALL_COVERAGE): ArrayBuffer {
  const writer = createAreaWriter({ source_name: "test:covered", kind: "leaf" });
  for (const area of makeSmallAreas().slice(0, 4)) writer.add(area);
  return joinFileBytes(writer.finish(coverage));
}

/** A small area source with a coverage, whose build left features out in two boxes. */
export function makeSmallLeftOutSnapshot(): ArrayBuffer {
  const writer = createAreaWriter({ source_name: "test:left_out", kind: "leaf" });
  for (const area of makeSmallAreas().slice(0, 4)) writer.add(area);
  const leftOut = [
    [1, 1, 2, 3, 1],
    [-180, -90, 180, -80, 7],
  ] as const;
  return joinFileBytes(writer.finish(SMALL_COVERAGE, { leftOut }));
}

/** Brazil and Peru declared, with a strip that is of both, a piece of Colombia and one of no country. */
export const SMALL_COVERAGE: CoverageInput = {
  extent: "countries",
  known: "declared",
  countries: ["BRA", "PER"],
  pieces: [
    { polygons: [[createBoxRing(0, 0, 10, 10)]], countries: ["BRA"] },
    { polygons: [[createBoxRing(10, 0, 11, 10)]], countries: ["BRA", "PER"] },
    {
      polygons: [[createBoxRing(11, 0, 20, 10), makeBoxHole(12, 2, 14, 4)], [createBoxRing(30, 0, 31, 1)]],
      countries: ["PER"],
    },
    { polygons: [[createBoxRing(0, 10, 10, 12)]], countries: ["COL"] },
    { polygons: [[createBoxRing(10, 10, 20, 12)]], countries: [] },
  ],
};

function makeSmallAreas(): AreaInput[] {
  const areas: AreaInput[] = [
    makeAreaInput(0, [[Float64Array.of(0, 0, 10, 10, 1, 2, 0, 0)]]),
    makeAreaInput(1, []),
    makeAreaInput(2, [
      [createBoxRing(20, 0, 30, 10), makeBoxHole(22, 2, 24, 4)],
      [createBoxRing(31, 0, 32, 1)],
    ]),
    makeAreaInput(3, [[createBoxRing(40, -5, 41, -4)]]),
    makeAreaInput(4, [[createBoxRing(40, -5, 41, -4)]]),
    makeAreaInput(5, [[createBoxRing(179.5, -17, 180.25, -16)]]),
  ];
  areas.push(makeAreaInput(6, [[makeRegularPolygon(-50, 20, 3, 299)]]));
  for (let i = 7; i < 39; i++)
    areas.push(makeAreaInput(i, [[createBoxRing(i * 1.7 - 40, i / 3, i * 1.7 - 39.1, i / 3 + 0.7)]]));
  return areas;
}

function makeAreaInput(i: number, polygons: AreaInput["polygons"]): AreaInput {
  return {
    id: `area-${i}`,
    name: i % 4 === 3 ? null : `Área ${i % 11}`,
    countryIso3: [null, "BRA", "PER", "COL"][i % 4]!,
    polygons,
    properties: {
      hectares: i % 5 === 4 ? null : i * 12.5,
      active: i % 7 === 6 ? null : i % 2 === 0,
      since: i % 3 === 2 ? null : `20${10 + (i % 10)}-0${1 + (i % 9)}-15`,
      status: i % 6 === 5 ? null : `status ${i % 4}`,
    },
  };
}

/** A small register: two schemes, several identifiers a record, spellings that differ from the canonical. */
export function makeSmallRegisterSnapshot(): ArrayBuffer {
  const writer = createRegisterWriter({ source_name: "test:register", kind: "subject_register" });
  for (let i = 0; i < 30; i++) writer.add(makeRecordInput(i));
  return joinFileBytes(writer.finish());
}

function makeRecordInput(i: number): RecordInput {
  const digits = String(10_000_000 + i * 7919);
  return {
    id: `record-${i}`,
    name: i % 3 === 0 ? null : `Company ${i}`,
    properties: {
      fine: i % 4 === 0 ? null : i * 100,
      listed: i % 2 === 0,
      on: "2023-11-05",
      why: `cause ${i % 5}`,
    },
    identifiers: [
      { scheme: "br:cnpj", value: `${digits.slice(0, 2)}.${digits.slice(2)}-${i % 10}` },
      { scheme: "ofac:tax_id_no", value: `Tax ${i % 6} / é😀` },
    ],
  };
}
