import type { PortfolioVerdict } from "./portfolio-rows.ts";

type Check = PortfolioVerdict["checks"][number];

/** The open checks of a verdict by the reason why they are open, which `name` gives. */
export function collectGaps(
  verdict: PortfolioVerdict | undefined,
  name: (check: Check) => string,
): readonly (readonly [gap: string, checks: readonly Check[]])[] {
  return [
    ...Map.groupBy(
      (verdict?.checks ?? []).filter(({ status }) => status !== "ok"),
      name,
    ),
  ];
}
