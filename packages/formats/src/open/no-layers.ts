import { FormatError } from "../format-error.ts";

/** The error of a layer that was named of a file whose format has none. */
export function noLayers(format: string, wanted: string): FormatError {
  return new FormatError("LAYER_UNKNOWN", `found no layers in ${format}, expected "${wanted}"`, {
    found: "no layers",
    expected: wanted,
    layers: [],
  });
}
