/** Columns in which files keep the name of a plot. */
const NAMES = ["name", "Name", "NAME", "ProductionPlace", "nome", "nombre", "title"];

/** The name of a plot, by which tables and reports show it beside its id. */
export function plotName(properties: Readonly<Record<string, unknown>>): string | undefined {
  return NAMES.map((name) => properties[name]).find(
    (value): value is string => typeof value === "string" && value !== "",
  );
}
