import { EngineError, openEngine } from "@groundrule/engine";

const [snapshot, ruleset, parks] = await Promise.all([
  fetch("parks.snapshot").then((response) => response.arrayBuffer()),
  fetch("ruleset.json").then((response) => response.text()),
  fetch("parks.geojson").then((response) => response.json()),
]);
const policy = openEngine([snapshot]).compile(ruleset);

const corners: [number, number][] = [];
const map = element<SVGSVGElement>("map");
const { x: west, y: south, width, height } = map.viewBox.baseVal;

/** The map's y grows downwards, latitude upwards: both are mirrored within the box of the map. */
const onMap = ([longitude, latitude]: readonly number[]): string =>
  `${longitude},${2 * south + height - latitude!}`;

element("parks").innerHTML = parks.features
  .map(({ geometry }: { geometry: { coordinates: number[][][] } }) => {
    return `<polygon class="park" points="${geometry.coordinates[0]!.map(onMap).join(" ")}" />`;
  })
  .join("");

map.addEventListener("click", ({ clientX, clientY }) => {
  const box = map.getBoundingClientRect();
  const longitude = west + ((clientX - box.left) / box.width) * width;
  const latitude = south + height - ((clientY - box.top) / box.height) * height;
  corners.push([longitude, latitude]);
  draw();
});

element("clear").addEventListener("click", () => {
  corners.length = 0;
  show(" ", []);
  draw();
});

element("check").addEventListener("click", () => {
  const geometry = { type: "Polygon", coordinates: [[...corners, corners[0]!]] };
  try {
    const { verdict, checks } = policy.evaluate({ geometry }, { now: new Date().toISOString() });
    show(
      verdict,
      checks.filter(({ triggered }) => triggered).map(({ id, title }) => title ?? id),
    );
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    show(error.code, [error.message]);
  }
});

function draw(): void {
  element("plot").setAttribute("points", corners.map(onMap).join(" "));
  element<HTMLButtonElement>("check").disabled = corners.length < 3;
}

function show(verdict: string, lines: readonly string[]): void {
  element("verdict").textContent = verdict;
  element("checks").replaceChildren(
    ...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })),
  );
}

function element<Kind extends Element = Element>(id: string): Kind {
  return document.getElementById(id) as unknown as Kind;
}
