import { openLocalFile } from "@groundrule/formats";
import { isTiff } from "@groundrule/formats/geotiff";

/** Whether a path names a file that is a TIFF image; what cannot be opened is none. */
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
