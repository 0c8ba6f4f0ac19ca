import { doubled } from "../../base/doubled.ts";

/** Cells of a row that a polygon shares area with, from west to east. */
export interface RowSpans {
  count: number;
  /** First column of each span, in the lattice's columns. */
  from: Int32Array;
  /** Column after its last. */
  to: Int32Array;
  /** 1 of a single cell that the boundary passes, 0 of cells that it does not. */
  isCell: Uint8Array;
  /** Square metres in a single cell; else square metres per degree of longitude. */
  amount: Float64Array;
}

/** The receiver of what a walk finds. */
export interface CellSink {
  /** The cells of a row, unless a whole tile holds them. */
  row(row: number, spans: RowSpans): void;
  /** A whole tile lies in the polygon. */
  tile(tileRow: number, tileColumn: number): void;
  /** An edge comes so near to a cell that only an exact test decides if the two share a point. */
  doubt(row: number, column: number, edge: number): void;
  /** Square metres of cells that are passed over, since rounding may have left so much of 0. */
  leaveOut(squareMeters: number): void;
}

export function createRowSpans(): RowSpans {
  return {
    count: 0,
    from: new Int32Array(64),
    to: new Int32Array(64),
    isCell: new Uint8Array(64),
    amount: new Float64Array(64),
  };
}

/** Adds a span; small, so that it is inlined where cells are walked. */
export function addSpan(spans: RowSpans, from: number, to: number, isCell: 0 | 1, amount: number): void {
  if (spans.count === spans.from.length) growSpans(spans);
  const k = spans.count++;
  spans.from[k] = from;
  spans.to[k] = to;
  spans.isCell[k] = isCell;
  spans.amount[k] = amount;
}

function growSpans(spans: RowSpans): void {
  spans.from = doubled(spans.from);
  spans.to = doubled(spans.to);
  spans.isCell = doubled(spans.isCell);
  spans.amount = doubled(spans.amount);
}
