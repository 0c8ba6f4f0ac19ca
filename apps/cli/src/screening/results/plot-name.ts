/** Columns in which files usually have the name of a plot. */
const NAMES = ["name", "Name", "NAME", "ProductionPlace", "nome", "nombre", "title"];

/** The name of a plot, shown next to its id in tables and reports. */
export function findPlotName(properties: Readonly<Record<string, unknown>>): string | undefined {
  return NAMES.map((name) => properties[name]).find(
    (value): value is string => typeof value === "string" && value !== "",
  );
}
