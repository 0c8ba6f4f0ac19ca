import type { AreaLayer } from "../trees/layer.ts";

/** The envelope of a node of an area's tree, degrees, its longitudes shifted. */
export class AreaBox {
  west = 0;
  south = 0;
  east = 0;
  north = 0;

  /** @param node among all of the layer's */
  read(layer: AreaLayer, node: number, shift: number): void {
    const boxes = layer.chainBoxes;
    const at = 4 * node;
    this.west = boxes[at]! + shift;
    this.south = boxes[at + 1]!;
    this.east = boxes[at + 2]! + shift;
    this.north = boxes[at + 3]!;
  }
}
