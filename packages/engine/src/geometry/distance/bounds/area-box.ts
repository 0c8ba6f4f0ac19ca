import { CELL_DEGREES } from "../../trees/cells.ts";
import type { AreaLayer } from "../../trees/layer.ts";

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
    this.west = boxes[at]! * CELL_DEGREES + shift;
    this.south = boxes[at + 1]! * CELL_DEGREES;
    this.east = boxes[at + 2]! * CELL_DEGREES + shift;
    this.north = boxes[at + 3]! * CELL_DEGREES;
  }
}
