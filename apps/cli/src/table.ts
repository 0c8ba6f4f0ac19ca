import { printable } from "./terminal.ts";

export interface Column {
  readonly title: string;
  readonly align?: "right";
}

const GAP = 2;

/**
 * Lays rows out under their titles within `width` columns. Text columns that do not fit are cut with
 * an ellipsis, the widest first; numbers (right-aligned) are never cut.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
): string[] {
  const cells = rows.map((row) => row.map((cell) => [...printable(cell)]));
  const titles = columns.map((column) => [...column.title]);
  const widths = columns.map((_, i) => Math.max(titles[i]!.length, ...cells.map((row) => row[i]!.length)));
  let excess = widths.reduce((sum, each) => sum + each + GAP, -GAP) - width;
  while (excess > 0) {
    const widest = widestText(columns, widths);
    if (widest === -1) break;
    widths[widest]!--;
    excess--;
  }
  return [titles, ...cells].map((row) =>
    row
      .map((cell, i) => fit(cell, widths[i]!, columns[i]!.align))
      .join(" ".repeat(GAP))
      .trimEnd(),
  );
}

const NARROWEST_TEXT = 6;

function widestText(columns: readonly Column[], widths: readonly number[]): number {
  let widest = -1;
  for (const [i, column] of columns.entries()) {
    if (column.align === "right" || widths[i]! <= NARROWEST_TEXT) continue;
    if (widest === -1 || widths[i]! > widths[widest]!) widest = i;
  }
  return widest;
}

function fit(cell: readonly string[], width: number, align: "right" | undefined): string {
  if (cell.length > width) return `${cell.slice(0, width - 1).join("")}…`;
  const padding = " ".repeat(width - cell.length);
  return align === "right" ? padding + cell.join("") : cell.join("") + padding;
}
