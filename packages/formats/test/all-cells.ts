import type { TiffImage } from "../src/geotiff.ts";

/** The cells of an image, row by row. */
export async function readAllCells(image: TiffImage, band = 0): Promise<number[]> {
  const cells = Array<number>(image.columns * image.rows).fill(-1);
  const { blocks } = image;
  for (let down = 0; down < blocks.down; down++) {
    for (let across = 0; across < blocks.across; across++) {
      const [samples] = (await image.readBlock(across, down, [band]))!;
      for (let r = 0; r < blocks.rows && down * blocks.rows + r < image.rows; r++) {
        for (let c = 0; c < blocks.columns && across * blocks.columns + c < image.columns; c++) {
          const at = (down * blocks.rows + r) * image.columns + across * blocks.columns + c;
          cells[at] = samples![r * blocks.columns + c]!;
        }
      }
    }
  }
  return cells;
}
