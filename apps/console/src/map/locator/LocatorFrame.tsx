import { computed } from "@preact/signals";
import { type FunctionComponent, h, type JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { zoom } from "../map-state.ts";
import type { PageMap } from "../page-map.ts";

/** From this zoom on a view may be within one country, with nothing in it that shows which. */
const FROM_ZOOM = 6;

const isClose = computed(() => zoom.value >= FROM_ZOOM);

/** The frame of the small map that shows where the view is: always present, so that nothing is displayed beneath it. */
export function LocatorFrame({ page }: { readonly page: PageMap | undefined }): JSX.Element {
  const [locator, setLocator] = useState<{ readonly view: FunctionComponent<{ page: PageMap }> }>();
  const isShown = isClose.value;
  useEffect(() => {
    if (!isShown || locator !== undefined) return;
    // If it cannot be loaded, for example without a network, the rest of the map works.
    import("./Locator.tsx").then(
      ({ Locator }) => setLocator({ view: Locator }),
      () => {},
    );
  }, [isShown, locator]);
  return (
    <figure class="map-locator">
      {isShown && page !== undefined && locator !== undefined && h(locator.view, { page })}
    </figure>
  );
}
