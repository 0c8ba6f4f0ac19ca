import { Marker, Popup } from "maplibre-gl";
import { render } from "preact";
import type { ProblemFault } from "../../answering/answerer.ts";
import { words } from "../../languages/language.ts";
import type { PagePlot } from "../../state/plot.ts";
import type { PageMap } from "../page-map.ts";
import { describeMend, findFixedPlots, fixPlotsUndoably } from "./mend.ts";

/** Maximum marks on the map; more would help nobody. */
const MOST = 100;

/** Half the size of a mark, the space between it and a name, by how much it moves at a time, and at most; CSS pixels. */
const HALF = 14;
const SPACE = 10;
const STEP = 5;
const HIGHEST = 120;

type PlacedFault = ProblemFault & { readonly position: readonly [number, number] };

/** Marks the faults of a plot at their places, each as a button that opens the fault and its fix. */
export class FaultMarkers {
  readonly #page: PageMap;
  #markers: Marker[] = [];
  #popup: Popup | undefined;
  #shown: object | undefined;

  constructor(page: PageMap) {
    this.#page = page;
    page.map.on("idle", () => this.#keepNamesFree());
  }

  /** Shows the faults of a plot, replacing earlier ones; the same list again changes nothing. */
  show(plot: PagePlot | undefined, faults: readonly ProblemFault[] | undefined): void {
    if (faults === this.#shown) return;
    this.close();
    this.#shown = faults;
    if (plot === undefined || faults === undefined) return;
    const placed = faults
      .filter((fault): fault is PlacedFault => fault.position !== undefined)
      .slice(0, MOST);
    this.#markers = placed.map((fault, index) => this.#mark(plot, fault, index, placed.length));
  }

  close(): void {
    this.#popup?.remove();
    this.#popup = undefined;
    for (const marker of this.#markers) marker.remove();
    this.#markers = [];
    this.#shown = undefined;
  }

  /** Moves marks up until they hide no name of a plot; a line leads to the place of the fault. */
  #keepNamesFree(): void {
    const { map } = this.#page;
    if (map.getLayer("plot-names") === undefined) return;
    for (const marker of this.#markers) {
      const { x, y } = map.project(marker.getLngLat());
      const hidesName = (up: number): boolean => {
        const [above, below] = [y - up - HALF, y - up + HALF + SPACE];
        const box: [[number, number], [number, number]] = [
          [x - HALF, above],
          [x + HALF, below],
        ];
        return map.queryRenderedFeatures(box, { layers: ["plot-names"] }).length > 0;
      };
      let up = 0;
      while (up < HIGHEST && hidesName(up)) up += STEP;
      marker.setOffset([0, -up]);
      marker.getElement().style.setProperty("--fault-line", `${Math.max(0, up - HALF)}px`);
    }
  }

  #mark(plot: PagePlot, fault: PlacedFault, index: number, total: number): Marker {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "map-fault";
    button.textContent = total === 1 ? "!" : String(index + 1);
    const marker = new Marker({ element: button }).setLngLat([...fault.position]).addTo(this.#page.map);
    // The marker sets a label of its own; this one names the fault.
    button.setAttribute("aria-label", words.peek().mapFault(index + 1, total, fault.message));
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      this.#open(plot, fault, button);
    });
    return marker;
  }

  #open(plot: PagePlot, fault: PlacedFault, opener: HTMLElement): void {
    this.#popup?.remove();
    const content = document.createElement("div");
    content.className = "map-fault-card";
    const popup = new Popup({ closeButton: false, maxWidth: "20rem", offset: 16, focusAfterOpen: false })
      .setLngLat([...fault.position])
      .setDOMContent(content)
      .addTo(this.#page.map);
    this.#popup = popup;
    popup.on("close", () => render(null, content));
    const close = () => {
      popup.remove();
      opener.focus();
    };
    content.addEventListener("keydown", ({ key }) => {
      if (key === "Escape") close();
    });
    render(<FaultCard plot={plot} fault={fault} onClose={close} />, content);
    content.querySelector("button")?.focus();
  }
}

function FaultCard({
  plot,
  fault,
  onClose,
}: {
  readonly plot: PagePlot;
  readonly fault: ProblemFault;
  readonly onClose: () => void;
}) {
  const say = words.value;
  return (
    <>
      <p>{fault.message}</p>
      {fault.code !== undefined && <p class="map-fault-code">{fault.code}</p>}
      <div class="map-form-buttons">
        {findFixedPlots(plot) !== undefined && (
          <button type="button" class="map-tool map-tool-main" onClick={() => fixPlotsUndoably([plot])}>
            {describeMend(plot)}
          </button>
        )}
        <button type="button" class="map-tool" onClick={onClose}>
          {say.appClose}
        </button>
      </div>
    </>
  );
}
