import { Html, type HtmlPart, html } from "../html.ts";

/** A column of a table. */
export interface TableColumn {
  readonly label: string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
}

/** A cell of a table. */
export interface TableCell {
  readonly text: HtmlPart;
  readonly class?: string;
}

/**
 * A table that becomes a list of cards where the page is narrow. Roles are written out, since a table that is shown as
 * blocks would lose them.
 *
 * @param caption for screen readers
 */
export function renderTable(
  caption: HtmlPart,
  columns: readonly TableColumn[],
  rows: readonly (readonly (HtmlPart | TableCell)[])[],
): Html {
  return html`<table role="table" class="cards"><caption class="silent">${caption}</caption><thead role="rowgroup"><tr role="row">${columns.map(
    ({ label, isNumber }) =>
      html`<th role="columnheader" scope="col"${isNumber && html` class="n"`}>${label}</th>`,
  )}</tr></thead><tbody role="rowgroup">
${rows.map((row) => html`<tr role="row">${row.map((cell, i) => renderTableCell(cell, columns[i]!))}</tr>\n`)}</tbody></table>`;
}

function renderTableCell(content: HtmlPart | TableCell, { label, isNumber }: TableColumn): Html {
  const cell: TableCell = isCell(content) ? content : { text: content };
  const classes = [isNumber === true ? "n" : undefined, cell.class].filter((name) => name !== undefined);
  return html`<td role="cell" data-label="${label}"${classes.length > 0 && html` class="${classes.join(" ")}"`}>${cell.text}</td>`;
}

function isCell(value: HtmlPart | TableCell): value is TableCell {
  return typeof value === "object" && !(value instanceof Html) && !Array.isArray(value);
}
