/**
 * A tile of a raster is not what was written. It is found when the tile is first touched, in the midst of an answer,
 * which is then given with the source as failed.
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
