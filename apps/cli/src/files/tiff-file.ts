import { openLocalFile } from "@groundrule/formats";
import { isTiff } from "@groundrule/formats/geotiff";

/** True if a path names a TIFF image; false if it cannot be opened. */
export async function isTiffFile(path: string): Promise<boolean> {
  try {
    const file = await openLocalFile(path);
    try {
      return isTiff(await file.read(0, 4));
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}
