import type { PlotSource } from "./reading/read-protocol.ts";

/** The files that accompany the `.shp` of a shapefile. */
const MEMBERS = /\.(?:dbf|shx|prj|cpg|sbn|sbx|qix|qmd|shp\.xml)$/i;

/**
 * Groups files that were chosen or dropped together: those of one shapefile are one source, each other file is its own.
 */
export function groupPlotSources(files: readonly File[]): PlotSource[] {
  const stemOf = (name: string): string => name.replace(/\.(?:shp|shp\.xml|[^.]*)$/i, "").toLowerCase();
  const shapes = new Set(files.filter(({ name }) => /\.shp$/i.test(name)).map(({ name }) => stemOf(name)));
  const isMember = ({ name }: File): boolean => MEMBERS.test(name) && shapes.has(stemOf(name));
  return files
    .filter((file) => !isMember(file))
    .map((file) => {
      const isShape = /\.shp$/i.test(file.name);
      const companions = files.filter(
        (other) => isShape && isMember(other) && stemOf(other.name) === stemOf(file.name),
      );
      return { name: file.name, file, companions };
    });
}
