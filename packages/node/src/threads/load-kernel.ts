import type { Kernel } from "@groundrule/engine";

/**
 * The kernel of a name; undefined stands for the engine's own. The reference kernel is loaded when it is
 * first asked for: turf takes longer to load than a plot takes to answer.
 */
export async function loadKernel(name: Kernel["name"] = "default"): Promise<Kernel | undefined> {
  if (name === "default") return undefined;
  const { referenceKernel } = await import("@groundrule/reference");
  return referenceKernel;
}
