import type { SpeedRow } from "./row.ts";

const ROW_HEIGHT = 34;
const LEFT = 24;
const RIGHT = 24;
const WIDTH = 960;
const HEAD = 64;
const LEAST = 1 / 8;
const MOST = 8;
const LONGEST_TEXT = 120;

/** How far each goal is reached, as bars on a logarithmic scale about the goal: right of the line is better. */
export function drawReached(rows: readonly SpeedRow[]): string {
  const drawn = rows.filter((row) => row.reached !== undefined);
  const height = HEAD + drawn.length * ROW_HEIGHT + 24;
  const middle = at(1);
  const scale = [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8].map((factor) => {
    const label = factor < 1 ? `1/${1 / factor}` : factor === 1 ? "goal" : `${factor}×`;
    const line = `<line x1="${at(factor)}" y1="${HEAD - 10}" x2="${at(factor)}" y2="${height - 16}" class="${factor === 1 ? "goal" : "grid"}"/>`;
    return `<text x="${at(factor)}" y="${HEAD - 18}" class="scale">${label}</text>${line}`;
  });
  const bars = drawn.map((row, i) => {
    const y = HEAD + i * ROW_HEIGHT;
    const end = at(row.reached!);
    const bar = `<rect x="${Math.min(middle, end)}" y="${y + 15}" width="${Math.max(1, Math.abs(end - middle)).toFixed(1)}" height="10" class="${row.met ? "met" : "short"}"/>`;
    const text = shortened(`${row.measured} (${row.goal}): ${row.figure}`);
    return `<text x="${LEFT}" y="${y + 10}" class="figure">${escaped(text)}</text>${bar}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="How far each goal of speed is reached">
<style>
text { font: 13px system-ui, sans-serif; fill: #1c2733; stroke: #fff; stroke-width: 4; paint-order: stroke }
.scale { text-anchor: middle; fill: #5b6b7a; font-size: 12px }
.title { font-size: 16px; font-weight: 600 }
.grid { stroke: #d8dfe6 } .goal { stroke: #1c2733; stroke-width: 1.5 }
.met { fill: #1f7a4d } .short { fill: #c2571a }
</style>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="${LEFT}" y="24" class="title">How far each goal is reached</text>
${scale.join("\n")}
${bars.join("\n")}
</svg>
`;
}

/** Where a factor over the goal stands. */
function at(factor: number): number {
  const bounded = Math.min(MOST, Math.max(LEAST, factor));
  const share = Math.log(bounded / LEAST) / Math.log(MOST / LEAST);
  return Number((LEFT + share * (WIDTH - LEFT - RIGHT)).toFixed(1));
}

/** As much as a line has room for. */
function shortened(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1).trimEnd()}…`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
