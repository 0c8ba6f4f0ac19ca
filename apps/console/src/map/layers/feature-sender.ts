import type { Feature } from "geojson";
import type { GeoJSONSourceDiff } from "maplibre-gl";
import type { FeatureChanges } from "./plot-features.ts";

/** Features per message: to copy them takes a few milliseconds. */
const BATCH = 500;

/** Sends changes of features to a source of the map, a few at a time: the latest change of each. */
export class FeatureSender {
  readonly #send: (diff: GeoJSONSourceDiff) => Promise<void> | undefined;
  /** Features by key; undefined: it was removed. */
  #waiting = new Map<string, Feature | undefined>();
  #sending: Promise<void> | undefined;

  /** @param send resolves once the source is ready for more */
  constructor(send: (diff: GeoJSONSourceDiff) => Promise<void> | undefined) {
    this.#send = send;
  }

  change({ put, removed }: FeatureChanges): void {
    for (const key of removed) this.#waiting.set(key, undefined);
    for (const feature of put) this.#waiting.set(feature.properties!.key, feature);
    if (this.#waiting.size > 0) this.#sending ??= this.#sendWaiting();
  }

  async #sendWaiting(): Promise<void> {
    while (this.#waiting.size > 0) {
      const all = [...this.#waiting];
      this.#waiting = new Map(all.splice(BATCH));
      await this.#send({ remove: all.map(([key]) => key), add: all.flatMap(([, feature]) => feature ?? []) });
    }
    this.#sending = undefined;
  }
}
