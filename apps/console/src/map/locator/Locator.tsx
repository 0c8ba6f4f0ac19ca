import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { figures, language, words } from "../../languages/language.ts";
import { computeZoomDecimals, formatPosition } from "../drawing/coordinates.ts";
import { findCountryName } from "../layers/base-map.ts";
import { zoom } from "../map-state.ts";
import type { PageMap } from "../page-map.ts";
import { buildLocatorMap, LOCATOR } from "./locator-map.ts";

/** Maximum decimals of a degree: more do not make a place easier to find. */
const MOST_DECIMALS = 4;
/** Size in CSS pixels below which the view is shown as a dot. */
const SEEN = 5;

/** A small map of the country of the view, with a mark at the view, and the place in words. */
export function Locator({ page }: { readonly page: PageMap }): JSX.Element {
  const [, setMoved] = useState(0);
  useEffect(() => {
    const look = () => setMoved((times) => times + 1);
    page.map.on("moveend", look);
    return () => {
      page.map.off("moveend", look);
    };
  }, [page]);
  const say = words.value;
  const { near, home, others, view, scale } = buildLocatorMap(page.bounds, page.centre);
  const countries = near.flatMap((country) => findCountryName(language.value, country) ?? []).join(" / ");
  const decimals = Math.min(MOST_DECIMALS, computeZoomDecimals(zoom.peek()));
  const position = formatPosition(page.centre, decimals, figures.value.compass);
  const { width, height } = LOCATOR;
  const [x, y] = [view.x + view.width / 2, view.y + view.height / 2];
  const bottom = height - 5;
  return (
    <>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={say.mapLocator(countries)}
      >
        <path class="map-locator-land" d={others} />
        <path class="map-locator-home" d={home} />
        {Math.max(view.width, view.height) < SEEN ? (
          <>
            <circle class="map-locator-ring" cx={x} cy={y} r="7" />
            <circle class="map-locator-dot" cx={x} cy={y} r="2.5" />
          </>
        ) : (
          <rect class="map-locator-ring" {...view} />
        )}
        <path class="map-locator-scale" d={`M5 ${bottom - 3}v3h${scale.width.toFixed(1)}v-3`} />
        <text x="8" y={bottom - 3}>{`${figures.value.plain(scale.km)} km`}</text>
      </svg>
      <figcaption>
        {countries !== "" && <strong>{countries}</strong>}
        {position}
      </figcaption>
    </>
  );
}
