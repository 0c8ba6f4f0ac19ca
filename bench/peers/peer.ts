/** Vertices of a piece at most, where a peer cuts areas beforehand: each size is tried, the fastest counts. */
export const PIECE_VERTICES = [64, 128, 256] as const;

/** Another engine with areas and plots loaded, that tells what each plot shares with which areas. */
export interface Peer {
  readonly name: string;
  /** What it asks: the areas as they are, or pieces of them that it cut beforehand. */
  readonly asks: "areas" | "pieces";
  /** One pass over some of the plots. */
  pass(from: number, count: number): Promise<PeerPass>;
}

export interface PeerPass {
  /** CPU microseconds a plot. */
  readonly micros: number;
  /** Pairs of a plot and an area that share a point. */
  readonly hits: number;
  /** Square degrees that the pairs share. */
  readonly squareDegrees: number;
}
