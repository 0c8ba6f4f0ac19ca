// Prints how far IBGE's Brazil and Natural Earth's stray from each other (docs/semantics/borders.md):
//   GROUNDRULE_REAL_DATA=FOLDER node tools/borders/measure.ts
import { compareBrazilBorders, type Stray } from "./deviation.ts";

const folder = process.env.GROUNDRULE_REAL_DATA;
if (folder === undefined)
  throw new Error("GROUNDRULE_REAL_DATA is not set: it names the folder of real data");

const SHARES = [0.5, 0.9, 0.95, 0.99, 1];
for (const [where, strays] of Object.entries<readonly Stray[]>({ ...compareBrazilBorders(folder) })) {
  const metersOf = (share: number): string =>
    strays[Math.min(strays.length - 1, Math.floor(share * strays.length))]!.meters.toFixed(0);
  const within = strays.filter(({ meters }) => meters <= 3_800).length / strays.length;
  console.log(
    `${where}: ${strays.length} positions, ` +
      SHARES.map((share) => `${share * 100} % within ${metersOf(share)} m`).join(", ") +
      `; ${(100 * within).toFixed(1)} % within 3,800 m`,
  );
  const farthest = new Map(strays.map((stray) => [stray.name, stray]));
  const names = [...farthest.values()].sort((a, b) => b.meters - a.meters).slice(0, 12);
  for (const { name, at, meters } of names) {
    console.log(`  ${name} ${at.map((degrees) => degrees.toFixed(3))} ${meters.toFixed(0)} m`);
  }
}
