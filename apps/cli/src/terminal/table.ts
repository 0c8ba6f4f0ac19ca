import { type Terminal, toPrintable } from "./terminal.ts";

export interface Column {
  readonly title: string;
  readonly align?: "right";
  /** True if it is truncated only when no other column can be: a name that people copy. */
  readonly cutLast?: true;
}

const GAP = 2;

/**
 * Lays out rows under their titles within `width` columns. Text columns that do not fit are truncated with an ellipsis,
 * the widest first and names last; numbers (right-aligned) are never truncated.
 */
export function formatTableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const cells = rows.map((row) => row.map((cell) => [...toPrintable(cell)]));
  const titles = columns.map((column) => [...column.title]);
  const widths = columns.map((_, i) =>
    cells.map((row) => row[i]!.length).reduce((a, b) => Math.max(a, b), titles[i]!.length),
  );
  let excess = widths.reduce((sum, each) => sum + each + GAP, -GAP) - width;
  while (excess > 0) {
    const widest = findWidestTextColumn(columns, widths);
    if (widest === -1) break;
    widths[widest]!--;
    excess--;
  }
  return [titles, ...cells].map((row) =>
    row
      .map((cell, i) => formatCellToWidth(cell, widths[i]!, columns[i]!.align))
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

/** Prints rows under their titles, at the width of the terminal. */
export async function printTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  terminal: Terminal,
): Promise<void> {
  const [titles, ...lines] = formatTableLines(columns, rows, terminal.columns);
  await terminal.print(terminal.style("bold", titles!));
  for (const line of lines) await terminal.print(line);
}

const NARROWEST_TEXT = 6;

function findWidestTextColumn(columns: readonly Column[], widths: readonly number[]): number {
  let widest = -1;
  for (const [i, { align, cutLast = false }] of columns.entries()) {
    if (align === "right" || widths[i]! <= NARROWEST_TEXT) continue;
    const other = columns[widest]?.cutLast ?? false;
    if (widest === -1 || (cutLast === other ? widths[i]! > widths[widest]! : other)) widest = i;
  }
  return widest;
}

function formatCellToWidth(cell: readonly string[], width: number, align: "right" | undefined): string {
  if (cell.length > width) return `${cell.slice(0, width - 1).join("")}…`;
  const padding = " ".repeat(width - cell.length);
  return align === "right" ? padding + cell.join("") : cell.join("") + padding;
}
