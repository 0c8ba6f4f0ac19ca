import { parsePosition, toPolygon } from "../../map/drawing/coordinates.ts";

const WKT = /^(?:SRID\s*=\s*\d+\s*;\s*)?(?:MULTI)?(?:POINT|LINESTRING|POLYGON)\b|^GEOMETRYCOLLECTION\b/i;

/**
 * Converts pasted text to the text of a file: WKT becomes a table, one geometry per row; lines of latitude and
 * longitude become a point, or a polygon if there are three or more. Anything else is unchanged.
 */
export function convertPastedText(text: string): string {
  const trimmed = text.trim();
  if (WKT.test(trimmed)) return `wkt\n${splitWktTexts(trimmed).map(quoteCsvField).join("\n")}\n`;
  const lines = trimmed.split("\n").filter((line) => line.trim() !== "");
  const positions = lines.map((line) => parsePosition(line.trim()));
  if (lines.length === 0 || positions.includes(undefined)) return text;
  const corners = positions.filter((position) => position !== undefined);
  if (corners.length >= 3) return JSON.stringify(toPolygon(corners));
  return corners.map((coordinates) => JSON.stringify({ type: "Point", coordinates })).join("\n");
}

/** A geometry ends with the line that closes its last bracket. */
function splitWktTexts(text: string): string[] {
  const texts: string[] = [];
  let pending = "";
  let depth = 0;
  for (const line of text.split("\n")) {
    pending += `${pending === "" ? "" : " "}${line.trim()}`;
    for (const letter of line) depth += letter === "(" ? 1 : letter === ")" ? -1 : 0;
    if (depth > 0 || pending === "") continue;
    texts.push(pending);
    pending = "";
    depth = 0;
  }
  return pending === "" ? texts : [...texts, pending];
}

function quoteCsvField(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
