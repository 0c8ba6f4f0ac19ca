import type { Polygon, Position } from "geojson";
import type { Map as MapLibreMap } from "maplibre-gl";
import { TerraDraw, TerraDrawPolygonMode, TerraDrawSelectMode } from "terra-draw";
import { TerraDrawMapLibreGLAdapter } from "terra-draw-maplibre-gl-adapter";
import { type EditableGeometry, listPolygonRings } from "./editability.ts";

/** Decimals of drawn degrees: 1.1 cm, finer than any pointer. */
const DRAWN_DECIMALS = 7;
/** Maximum decimals that the drawing library accepts. */
const KEPT_DECIMALS = 9;

const FINISH_KEY = "Enter";

interface DrawingStyle {
  readonly ink: `#${string}`;
  readonly paper: `#${string}`;
}

/** Drawing and changing a plot with a pointer, by terra-draw; one at a time. */
export class PlotDrawing {
  readonly #map: MapLibreMap;
  #draw: TerraDraw | undefined;
  #polygons: TerraDrawPolygonMode | undefined;
  /** Positions before they were rounded for the library. */
  #asSent = new Map<string, Position>();
  #edited: EditableGeometry | undefined;

  constructor(map: MapLibreMap) {
    this.#map = map;
  }

  /**
   * Starts to draw a polygon: a click sets a corner; a click on the first corner, or Enter, finishes.
   *
   * @param onFinish called once with the polygon
   */
  startDrawing(style: DrawingStyle, onFinish: (polygon: Polygon) => void): void {
    this.stop();
    const draw = this.#start(style);
    draw.setMode("polygon");
    draw.on("finish", (id) => {
      const drawn = draw.getSnapshotFeature(id)?.geometry;
      if (drawn?.type !== "Polygon") return;
      const rounded = drawn.coordinates.map((ring) => ring.map((at) => roundPosition(at, DRAWN_DECIMALS)));
      // The library is still processing this event.
      setTimeout(() => {
        this.stop();
        onFinish({ type: "Polygon", coordinates: rounded });
      });
    });
  }

  /** Number of corners drawn so far. */
  get corners(): number {
    const drawn = this.#draw?.getSnapshot().find(({ geometry }) => geometry.type === "Polygon");
    return Number(drawn?.properties.committedCoordinateCount ?? 0);
  }

  /** Finishes the drawing, like a press on its first corner; false if it has too few corners. */
  finish(): boolean {
    if (this.corners < 3) return false;
    this.#polygons?.onKeyUp({ key: FINISH_KEY, heldKeys: [], preventDefault: () => {} });
    return true;
  }

  /** Removes the last corner; returns how many are left. */
  takeBack(): number {
    this.#polygons?.undo();
    return this.corners;
  }

  /** Starts to change a shape: corners and midpoints are dragged, a right click removes a corner. */
  startEditing(style: DrawingStyle, geometry: EditableGeometry): void {
    this.stop();
    this.#edited = geometry;
    const draw = this.#start(style);
    const outer = listPolygonRings(geometry).map(([ring]) => ring!);
    const added = draw.addFeatures(
      outer.map((ring) => ({
        type: "Feature" as const,
        properties: { mode: "polygon" },
        geometry: { type: "Polygon" as const, coordinates: [ring.map((at) => this.#round(at))] },
      })),
    );
    draw.setMode("select");
    const first = added.find(({ valid }) => valid)?.id;
    if (first !== undefined) draw.selectFeature(first);
  }

  /** The changed shape; holes stay as they are. Undefined if nothing is being changed. */
  get editedGeometry(): EditableGeometry | undefined {
    const before = this.#edited;
    const features = this.#draw?.getSnapshot() ?? [];
    const rings = features.flatMap(({ geometry, properties }) =>
      properties.mode === "polygon" && geometry.type === "Polygon" ? [geometry.coordinates[0]!] : [],
    );
    if (before === undefined || rings.length === 0) return undefined;
    const polygons = listPolygonRings(before);
    const edited = rings.map((ring, index) => [
      ring.map((at) => this.#asSent.get(at.join()) ?? at),
      ...(polygons[index]?.slice(1) ?? []),
    ]);
    return before.type === "Polygon"
      ? { type: "Polygon", coordinates: edited[0]! }
      : { type: "MultiPolygon", coordinates: edited };
  }

  /** Ends drawing or changing; an unfinished shape is discarded. */
  stop(): void {
    this.#draw?.stop();
    this.#draw = undefined;
    this.#edited = undefined;
    this.#asSent.clear();
    this.#map.getCanvas().style.cursor = "";
  }

  #start({ ink, paper }: DrawingStyle): TerraDraw {
    const line = { outlineColor: ink, outlineWidth: 2, fillColor: ink, fillOpacity: 0.12 };
    const polygons = new TerraDrawPolygonMode({
      pointerDistance: 14,
      showCoordinatePoints: true,
      keyEvents: { finish: FINISH_KEY, cancel: null },
      styles: {
        ...line,
        closingPointColor: ink,
        closingPointOutlineColor: paper,
        closingPointWidth: 6,
        closingPointOutlineWidth: 2,
        coordinatePointColor: ink,
        coordinatePointOutlineColor: paper,
        coordinatePointWidth: 4,
        coordinatePointOutlineWidth: 1.5,
      },
    });
    this.#polygons = polygons;
    const draw = new TerraDraw({
      adapter: new TerraDrawMapLibreGLAdapter({ map: this.#map, coordinatePrecision: KEPT_DECIMALS }),
      modes: [
        polygons,
        new TerraDrawSelectMode({
          allowManualDeselection: false,
          keyEvents: null,
          flags: {
            polygon: {
              feature: {
                draggable: true,
                coordinates: { midpoints: true, draggable: true, deletable: true },
              },
            },
          },
          styles: {
            selectedPolygonColor: ink,
            selectedPolygonFillOpacity: 0.12,
            selectedPolygonOutlineColor: ink,
            selectedPolygonOutlineWidth: 2,
            selectionPointColor: ink,
            selectionPointOutlineColor: paper,
            selectionPointWidth: 6,
            selectionPointOutlineWidth: 2,
            midPointColor: paper,
            midPointOutlineColor: ink,
            midPointWidth: 4,
            midPointOutlineWidth: 1.5,
          },
        }),
      ],
    });
    draw.start();
    this.#draw = draw;
    return draw;
  }

  #round(at: Position): Position {
    const rounded = roundPosition(at, KEPT_DECIMALS);
    this.#asSent.set(rounded.join(), at);
    return rounded;
  }
}

function roundPosition([longitude, latitude]: Position, decimals: number): Position {
  return [Number(longitude!.toFixed(decimals)), Number(latitude!.toFixed(decimals))];
}
