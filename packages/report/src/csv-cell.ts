/**
 * A value as a cell of CSV (RFC 4180); empty where it is undefined or null. Text that a spreadsheet would take for a
 * formula is kept from it by an apostrophe; numbers are as they are.
 *
 * @param value written as `String` writes it
 */
export function csvCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  const content = String(value);
  const text = typeof value !== "number" && /^[=+\-@\t\r\n]/.test(content) ? `'${content}` : content;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
