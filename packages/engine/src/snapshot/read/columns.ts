import { FIRST_DAY, LAST_DAY } from "../../base/calendar-day.ts";
import { CODINGS } from "../coded-columns.ts";
import { dictionaryIndexBytes, findSectionName, NULL_BOOLEAN, NULL_DAY } from "../format.ts";
import type { ColumnType } from "../manifest.ts";
import { createSectionRefuse, type Refuse, throwSnapshotCorrupt } from "./corrupt.ts";
import { checkOffsets, findFixedSection, type SnapshotFileView, viewUnsigned } from "./sections.ts";
import {
  StoredCodes,
  type StoredColumn,
  StoredNumbers,
  StoredTextColumn,
  StoredTexts,
} from "./stored-columns.ts";

/** A column of the manifest. */
export function readColumn(
  file: SnapshotFileView,
  id: number,
  type: ColumnType,
  rowCount: number,
): StoredColumn {
  switch (type) {
    case "number":
      return readNumberColumn(file, id, rowCount);
    case "boolean":
      return readBooleanColumn(file, id, rowCount);
    case "date":
      return readDateColumn(file, id, rowCount);
    case "string":
      return readTextColumn(file, id, rowCount);
  }
}

function readNumberColumn(file: SnapshotFileView, id: number, rowCount: number): StoredNumbers {
  const nullBytes = Math.ceil(rowCount / 8);
  const offset = findFixedSection(file, id, rowCount * 8 + nullBytes);
  const numbers = new Float64Array(file.buffer, offset, rowCount);
  const nulls = new Uint8Array(file.buffer, offset + rowCount * 8, nullBytes);
  for (let row = 0; row < rowCount; row++) {
    const value = numbers[row]!;
    if (!Number.isFinite(value)) {
      throwSnapshotCorrupt(
        "column.number",
        file.name,
        findSectionName(id),
        `${value} in row ${row}`,
        "a finite number",
      );
    }
  }
  if ((rowCount & 7) !== 0 && nulls[nullBytes - 1]! >>> (rowCount & 7) !== 0) {
    throwSnapshotCorrupt(
      "column.nulls",
      file.name,
      findSectionName(id),
      "null bits past the last row",
      "none",
    );
  }
  return new StoredNumbers(numbers, nulls);
}

function readBooleanColumn(file: SnapshotFileView, id: number, rowCount: number): StoredCodes {
  const codes = new Uint8Array(file.buffer, findFixedSection(file, id, rowCount), rowCount);
  for (let row = 0; row < rowCount; row++) {
    if (codes[row]! > NULL_BOOLEAN) {
      throwSnapshotCorrupt(
        "column.boolean",
        file.name,
        findSectionName(id),
        `code ${codes[row]} in row ${row}`,
        "0, 1 or 2",
      );
    }
  }
  return new StoredCodes(codes, CODINGS.boolean);
}

function readDateColumn(file: SnapshotFileView, id: number, rowCount: number): StoredCodes {
  const days = new Int32Array(file.buffer, findFixedSection(file, id, rowCount * 4), rowCount);
  for (let row = 0; row < rowCount; row++) {
    const day = days[row]!;
    if (day !== NULL_DAY && (day < FIRST_DAY || day > LAST_DAY)) {
      const expected = `${FIRST_DAY} to ${LAST_DAY}, or ${NULL_DAY} for null`;
      throwSnapshotCorrupt(
        "column.date",
        file.name,
        findSectionName(id),
        `day ${day} in row ${row}`,
        expected,
      );
    }
  }
  return new StoredCodes(days, CODINGS.date);
}

/** A text table: `count + 1` offsets, then the bytes they point into. */
export function readTextTable(file: SnapshotFileView, id: number, count: number): StoredTexts {
  const { offset, byteLength } = file.sections.get(id)!;
  const refuse: Refuse = createSectionRefuse(file.name, findSectionName(id));
  const blobStart = 4 * (count + 1);
  if (byteLength < blobStart) {
    refuse("texts.length", `${byteLength} bytes`, `at least ${blobStart} for ${count} texts`);
  }
  const offsets = new Uint32Array(file.buffer, offset, count + 1);
  checkOffsets(file, id, offsets, byteLength - blobStart);
  return new StoredTexts(offsets, new Uint8Array(file.buffer, offset + blobStart, byteLength - blobStart));
}

/** A text column: entry count, entry offsets, an index a row, the entries' bytes. */
export function readTextColumn(file: SnapshotFileView, id: number, rowCount: number): StoredTextColumn {
  const { offset, byteLength } = file.sections.get(id)!;
  const refuse: Refuse = createSectionRefuse(file.name, findSectionName(id));
  const count = byteLength < 4 ? 0 : new Uint32Array(file.buffer, offset, 1)[0]!;
  const indexBytes = dictionaryIndexBytes(count);
  const indexStart = 4 + 4 * (count + 1);
  const blobStart = indexStart + indexBytes * rowCount;
  if (byteLength < blobStart) {
    const expected = `at least ${blobStart} for ${count} texts and ${rowCount} rows`;
    refuse("dictionary.length", `${byteLength} bytes`, expected);
  }
  const offsets = new Uint32Array(file.buffer, offset + 4, count + 1);
  checkOffsets(file, id, offsets, byteLength - blobStart);
  const indices = viewUnsigned(indexBytes, file.buffer, offset + indexStart, rowCount);
  let used = 0;
  for (let row = 0; row < rowCount; row++) {
    const index = indices[row]!;
    if (index > used + 1) {
      refuse(
        "dictionary.order",
        `index ${index} in row ${row}`,
        `at most ${used + 1}: entries come in order of use`,
      );
    }
    if (index > used) used = index;
  }
  if (used !== count) refuse("dictionary.used", `${count} entries`, `${used}`);
  const blob = new Uint8Array(file.buffer, offset + blobStart, byteLength - blobStart);
  return new StoredTextColumn(new StoredTexts(offsets, blob), indices);
}
