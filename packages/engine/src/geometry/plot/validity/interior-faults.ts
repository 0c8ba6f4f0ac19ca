import type { GeometryFault } from "../geometry-fault.ts";
import { createGeometryFault, type Rings } from "../rings.ts";
import type { ContactPoint, Contacts } from "./ring-contacts.ts";

/**
 * Counts the pieces of each polygon's interior by Euler's formula on the graph its rings form where
 * they meet: faces = components − vertices + edges + 1, of which one is the outside and one lies in
 * each hole. Told only of polygons that have no other fault.
 */
export function findInteriorFaults(rings: Rings, contacts: Contacts, faults: GeometryFault[]): void {
  const faulty = new Set(faults.map((fault) => fault.polygon));
  const pointsByRing = new Map<number, ContactPoint[]>();
  for (const point of contacts.points) {
    const p = rings.polygonOf[point.a]!;
    if (faulty.has(p)) continue;
    const list = pointsByRing.get(p);
    if (list === undefined) pointsByRing.set(p, [point]);
    else list.push(point);
  }
  for (const [polygon, points] of pointsByRing) {
    // Rings and points are the two kinds of node; a ring through a point is a link.
    const parents = new Map<string, string>();
    const links = new Set<string>();
    let vertices = 0;
    let touchingRings = 0;
    let components = 0;
    let closing: number | undefined;
    const root = (node: string): string => {
      let top = node;
      for (let up = parents.get(top)!; up !== top; up = parents.get(top)!) {
        parents.set(top, parents.get(up)!);
        top = up;
      }
      return top;
    };
    const link = (ring: number, key: string, edge: number): void => {
      const name = `${ring}`;
      if (links.has(`${name}@${key}`)) return;
      links.add(`${name}@${key}`);
      for (const node of [name, key]) {
        if (parents.has(node)) continue;
        parents.set(node, node);
        components++;
        if (node === key) vertices++;
        else touchingRings++;
      }
      const ringRoot = root(name);
      const keyRoot = root(key);
      if (ringRoot === keyRoot) closing ??= edge;
      else {
        parents.set(ringRoot, keyRoot);
        components--;
      }
    };
    for (const { a, b, i, x, y } of points) {
      link(a, `${x},${y}`, i);
      link(b, `${x},${y}`, i);
    }
    const shared = contacts.sharedStretches.get(polygon) ?? 0;
    // Rings that touch no other add a component and a hole each and change nothing.
    const pieces = components - vertices - touchingRings + links.size - shared + 1;
    if (pieces === 1) continue;
    const edge = closing ?? points[0]!.i;
    const { x0, y0 } = rings;
    faults.push(
      pieces < 1
        ? createGeometryFault(
            rings,
            "INTERIOR_EMPTY",
            "holes cover the whole polygon",
            edge,
            x0[edge]!,
            y0[edge]!,
          )
        : createGeometryFault(
            rings,
            "INTERIOR_DISCONNECTED",
            `touching rings cut the interior into ${pieces} pieces; write each piece as a separate polygon`,
            edge,
            x0[edge]!,
            y0[edge]!,
          ),
    );
  }
}
