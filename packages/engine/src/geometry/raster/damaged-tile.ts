/**
 * A tile of a raster differs from what was written. It is found when the tile is first touched, in the middle of an
 * answer, which is then returned with the source as failed.
 */
export class DamagedTile extends Error {
  readonly sourceName: string;

  /** @param reason what answers tell as the reason of the failure */
  constructor(sourceName: string, reason: string) {
    super(reason);
    this.name = "DamagedTile";
    this.sourceName = sourceName;
  }
}
