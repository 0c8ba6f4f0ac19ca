/** A plot in a line of text: its id, after the word `plot` unless the id begins with that. */
export function formatPlotName(id: string | number): string {
  return /^plot\b/i.test(String(id)) ? String(id) : `plot ${id}`;
}
