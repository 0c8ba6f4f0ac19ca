import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { presetVersions } from "@groundrule/data/rulesets";
import type { CheckResult, SourceEntry } from "@groundrule/engine";
import { openData } from "@groundrule/node";
import type { ReportMaterial } from "@groundrule/report";
import { hostInProcess } from "@groundrule/service";
import { layOutDemo } from "@groundrule/testing/demo-folder";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeGeometryBlob, writeGeoPackage } from "../../../packages/formats/test/geopackage-file.ts";
import { findChromium, openBrowser, openPage, type WatchedPage } from "../../../tools/browser/browser.ts";
import { startService } from "../../api/test/service.ts";
import { DIST, type ServedPage, serveBuiltPage } from "./static-page.ts";

const dir = mkdtempSync(join(tmpdir(), "groundrule-here-"));
let demo: Awaited<ReturnType<typeof layOutDemo>>;
let files: string[] = [];
let browser: Browser;

beforeAll(async () => {
  demo = await layOutDemo(dir);
  const names = readdirSync(dir, { recursive: true }) as string[];
  files = names.filter((name) => /\.snapshot$|\.build\.json$|^catalog\.json$/.test(name));
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  rmSync(dir, { recursive: true, force: true });
});

const PRESET_TESTS = join(import.meta.dirname, "../../../data/rulesets/indigenous-lands.test.yaml");
const PLOT = { type: "Polygon", coordinates: [[[-55, -7], [-54.99, -7], [-54.99, -6.99], [-55, -7]]] }; // biome-ignore format: a ring

/** An embargo on every plot, which a document lifts. */
const EMBARGO = {
  facts: {
    permit: {
      type: "document",
      question: { en: "Authorisation of suppression", pt: "Autorização de supressão" },
    },
    community: { type: "boolean", question: { en: "Is it of a community?", pt: "É de uma comunidade?" } },
  },
  sets: { parks: { sources: ["demo:parks"] }, forest: { sources: ["demo:forest_2020"] } },
  checks: [
    {
      id: "embargo",
      title: "Embargo",
      all: [
        { set: "parks", op: ">=", value: 0 },
        { fact: "permit", op: "not_valid" },
      ],
      outcome: "NON_COMPLIANT",
    },
  ],
};

/** Opens the page of a static host with the data folder next to it, and closes it after the action. */
async function onStaticPage(
  action: (opened: WatchedPage & { readonly served: ServedPage }) => Promise<void>,
  { snapshots = [], ...context }: BrowserContextOptions & { readonly snapshots?: readonly string[] } = {},
): Promise<void> {
  const served = await serveBuiltPage({ service: null, snapshots }, dir);
  const opened = await openPage(browser, served.url, context);
  try {
    await action({ ...opened, served });
  } finally {
    await opened.close();
    served.close();
  }
}

/** SHA-256 of JSON with sorted members. */
function computeCanonicalDigest(value: object): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

/** Calls the built worker, by its own protocol, over files passed as bytes. */
async function callWorker(
  page: Page,
  asks: readonly object[],
  stored: (name: string) => Buffer | undefined = (name) => readFileSync(join(dir, name)),
): Promise<Reply[]> {
  const script = readdirSync(join(DIST, "assets")).find((name) => /^worker-.*\.js$/.test(name));
  const sent = files.flatMap((name) => {
    const bytes = stored(name);
    return bytes === undefined ? [] : [{ name, base64: bytes.toString("base64") }];
  });
  // Text, because this file's names do not exist in the page.
  const inPage = `(async ({ script, sent, asks }) => {
    const worker = new Worker("./assets/" + script, { type: "module" });
    const files = sent.map(({ name, base64 }) => {
      return new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], name);
    });
    const bordersUrl = new URL("borders.gz", document.baseURI).href;
    const presetsUrl = new URL("presets.gz", document.baseURI).href;
    const settings = { saved: [], bordersUrl, presetsUrl };
    const replies = [];
    for (const [id, ask] of [{ do: "open", files, settings }, ...asks].entries()) {
      replies.push(await new Promise((resolve, reject) => {
        worker.onerror = (event) => reject(new Error(event.message));
        worker.onmessage = ({ data }) => {
          if (data.id === id && !("progress" in data)) resolve(data);
        };
        worker.postMessage({ id, ask });
      }));
    }
    worker.terminate();
    return replies.slice(1);
  })(${JSON.stringify({ script, sent, asks })})`;
  return page.evaluate(inPage);
}

type RasterEntry = Pick<SourceEntry, "source_name" | "grid" | "cell_m" | "observed_until">;

interface Reply {
  readonly reply?: { readonly record: { readonly response: { readonly data: object } } };
  readonly problem?: object;
  readonly bug?: string;
}

describe.skipIf(findChromium() === undefined)("answers in the page", () => {
  it("are the service's own: digests, data and refusals", async () => {
    const presets = presetVersions().map(({ name, version, publishedAt, ruleset }) => {
      const { name: _, ...body } = ruleset as Record<string, unknown>;
      return { name, version, body, createdAt: publishedAt };
    });
    const service = await startService(
      hostInProcess(() => openedData.engine),
      { presets, console: { folder: DIST } },
    );
    const inputs = [
      ...demo.plots.map(({ geometry, properties }) => {
        const scheme = properties?.scheme;
        return { geometry, ...(scheme !== undefined && { scheme }) };
      }),
      ...demo.plots.slice(0, 5).map(({ geometry }) => ({ geometry, country_iso3: "BRA" })),
      ...demo.plots.slice(0, 3).map(({ geometry }) => ({ geometry, country_iso3: "FJI" })),
      { geometry: { type: "Polygon", coordinates: [[[0, 0], [1, 1], [1, 0], [0, 1], [0, 0]]] } }, // biome-ignore format: a line a ring
      { geometry: { type: "Point", coordinates: [-60, -10] }, area_ha: 4 },
      { geometry: { type: "Point", coordinates: [500_000, 9_000_000] }, area_ha: 4, crs: "EPSG:31981" },
      { geometry: { type: "Point", coordinates: [-60, -10] }, area_ha: 4, crs: "EPSG:1" },
      {},
    ];
    const rulesets = [
      { body: demo.ruleset as object },
      ...["preset.eudr", "preset.rural-credit-br@3", "preset.sanctions@1"].map((id) => ({ id })),
    ];
    const questions = rulesets.flatMap((ruleset) => inputs.map((input) => ({ input, ruleset })));
    try {
      const there = [];
      for (const [i, { input, ruleset }] of questions.entries()) {
        const named = "id" in ruleset ? { ruleset_id: ruleset.id } : { ruleset: ruleset.body };
        const response = await fetch(`${service.url}/v1/evaluate`, {
          method: "POST",
          headers: {
            Authorization: `Bearer ${service.key}`,
            "Content-Type": "application/json",
            "Idempotency-Key": `equal-answers-${i}`,
          },
          body: JSON.stringify({ input, ...named }),
        });
        there.push((await response.json()) as Record<string, unknown>);
      }
      const { page, said, requested, close } = await openPage(browser, `${service.url}/console/`);
      await page.locator(".here-kept").waitFor();
      // Files that are loaded while the page is idle.
      await expect.poll(() => requested.some((url) => url.includes("editor-"))).toBe(true);
      await page.waitForLoadState("networkidle");
      const before = requested.length;
      const sent: (string | null)[] = [];
      page.on("request", (request) => {
        if (request.method() !== "GET" || request.postData() !== null) sent.push(request.url());
      });
      const now = new Date().toISOString();
      const here = await callWorker(
        page,
        questions.map((question) => ({ do: "evaluate", question, now, requestId: "here" })),
      );
      const cellsOf = ({
        checks = [],
      }: {
        readonly checks?: readonly Pick<CheckResult, "evidence">[];
      }): number[] =>
        checks.flatMap(({ evidence }) =>
          evidence.flatMap((item) => ("cells" in item ? (item.cells ?? []) : [])),
        );
      const ofCells = here.filter(({ reply }) => reply && cellsOf(reply.record.response.data).length > 0);
      expect(ofCells.length).toBeGreaterThan(5);
      expect(here.filter(({ bug }) => bug !== undefined)).toEqual([]);
      for (const [i, { reply, problem }] of here.entries()) {
        const other = there[i]!;
        if (reply === undefined) {
          const { code, detail, errors, details = {}, status } = other;
          expect(problem).toEqual({ code, detail, errors, details, status });
        } else {
          const timeless = (data: object): object => ({ ...data, evaluated_at: undefined });
          expect(timeless(reply.record.response.data)).toEqual(timeless(other.data as object));
        }
      }
      const answered = here.filter(({ reply }) => reply !== undefined);
      expect(answered.length).toBeGreaterThan(200);
      expect(here.length - answered.length).toBeGreaterThan(3);
      // Whatever the question, only files of the page are fetched, at addresses without further data.
      const fetched = requested.slice(before);
      const addressOf = (file: string): string => `${service.url}/console/${file}`;
      const ofPage = new Set((readdirSync(DIST, { recursive: true }) as string[]).map(addressOf));
      expect(fetched.filter((url) => !ofPage.has(url))).toEqual([]);
      for (const file of ["assets/worker-", "presets.gz", "borders.gz"]) {
        expect(fetched.some((url) => url.startsWith(addressOf(file)))).toBe(true);
      }
      expect(requested.filter((url) => !url.startsWith(`${service.url}/console/`))).toEqual([]);
      expect(sent).toEqual([]);
      expect(said.filter((text) => !/GPU stall|Failed to load resource/.test(text))).toEqual([]);
      await close();
    } finally {
      await service.stop();
    }
  });
});

const openedData = {
  get engine() {
    this.data ??= openData(dir);
    return this.data.engine;
  },
  data: undefined as ReturnType<typeof openData> | undefined,
};

describe.skipIf(findChromium() === undefined)("a raster in the page", () => {
  it("is listed and drawn as by the service, reports its cells, and fails alone where its file is damaged", async () => {
    const service = await startService(hostInProcess(() => openedData.engine));
    const served = await serveBuiltPage({ service: null });
    const { page, close } = await openPage(browser, served.url);
    try {
      const get = (path: string) =>
        fetch(`${service.url}/v1/sources${path}`, { headers: { Authorization: `Bearer ${service.key}` } });
      const now = new Date().toISOString();
      const loss = { id: "loss", set: "loss", outcome: "NON_COMPLIANT" };
      const body = { sets: { loss: { sources: ["demo:tree_cover_loss"] } }, checks: [loss] };
      const question = { input: { geometry: demo.plots[0]!.geometry }, ruleset: { body } };
      const stored = (name: string): Buffer | undefined =>
        /(?:loss|forest_2020)\W.*\.snapshot$/.test(name) ? readFileSync(join(dir, name)) : undefined;
      const tile = { source: "demo:tree_cover_loss", z: 8, x: 85, y: 132 };
      const evaluate = { do: "evaluate", question, now, requestId: "here" };
      const [answer, sources, drawn] = await callWorker(
        page,
        [evaluate, { do: "sources", now }, { do: "tile", ...tile }],
        stored,
      );
      const rasters = (entries: readonly RasterEntry[]) =>
        entries.flatMap((entry) => (entry.grid === undefined ? [] : [entry]));
      const { data } = (await (await get("")).json()) as {
        readonly data: { readonly items: readonly RasterEntry[] };
      };
      expect(rasters(sources!.reply as unknown as RasterEntry[])).toEqual(rasters(data.items));
      expect(
        rasters(data.items).map(({ source_name, observed_until }) => [source_name, observed_until]),
      ).toEqual([
        ["demo:forest_2020", "2020-12-31"],
        ["demo:tree_cover_loss", "2025-12-31"],
      ]);
      const sent = new Uint8Array(await (await get(`/${tile.source}/tiles/8/85/132`)).arrayBuffer());
      expect(sent.length).toBeGreaterThan(1000);
      // Sent to the page as an object with indices.
      expect(Uint8Array.from(Object.values(drawn!.reply as object))).toEqual(sent);
      const { record } = answer!.reply!;
      const [material] = await callWorker(page, [{ do: "material", record }], stored);
      const { views, replay } = material!.reply as unknown as ReportMaterial;
      expect(replay).toMatchObject({ differs: [] });
      const cells = views[0]!.areas.filter(({ source_name }) => source_name === "demo:tree_cover_loss");
      expect(cells.flatMap(({ overlap }) => overlap ?? []).length).toBeGreaterThan(0);

      // Damaged bits of cells are detected when they are read: the file itself opens.
      const damaged = (name: string): Buffer | undefined => {
        const bytes = stored(name);
        if (bytes === undefined || name.includes("forest")) return bytes;
        for (let at = bytes.length >> 2; at < bytes.length; at += 97) bytes[at]! ^= 1;
        return bytes;
      };
      const [degraded, refused] = await callWorker(page, [evaluate, { do: "tile", ...tile }], damaged);
      expect(degraded!.reply!.record.response.data).toMatchObject({ verdict: "DEGRADED" });
      expect(refused).toMatchObject({ problem: { code: "SNAPSHOT_CORRUPT" } });
    } finally {
      await close();
      served.close();
      await service.stop();
    }
  });
});

describe.skipIf(findChromium() === undefined)("the page of a static host", () => {
  it("opens the data folder beside it, each file once", async () => {
    const snapshots = files.map((name) => `data/${name}`);
    await onStaticPage(
      async ({ page, requested, served }) => {
        await expect.poll(() => page.locator("header").first().textContent()).toContain("On this device");
        // Each data file is read once. Files of the page are fetched again for each worker, from the browser's cache.
        const data = requested.filter((url) => url.includes("/data/"));
        expect(data.toSorted()).toEqual(snapshots.map((name) => served.url + name).toSorted());
        await page.locator(".rules select").selectOption("preset.eudr");
        await page.locator(".rules-more").click();
        await page.locator(".rules-description").waitFor();
        expect(await page.locator(".rules-missing").count()).toBe(0);
      },
      { snapshots },
    );
  });

  it("shows with a preset how many of its sources are here, which are missing, and the command that lists how to get them", async () => {
    // Without the catalog, the groups are those in the manifest of the one source.
    const one = files.filter((name) => name.includes("demo_parks") && name.endsWith(".snapshot"));
    await onStaticPage(
      async ({ page }) => {
        await expect.poll(() => page.locator("header").first().textContent()).toContain("On this device");
        await page.locator(".rules select").selectOption("preset.eudr");
        await page.locator(".rules", { hasText: "4 of 5 sources missing" }).waitFor();
        await page.locator(".rules-more").click();
        const missing = page.locator(".rules-missing");
        await missing.waitFor();
        expect(await page.locator(".rules-popover .rules-quiet").textContent()).toMatch(
          / · 1 of 5 sources here, oldest of \d{4}-\d{2}-\d{2}; 4 missing: bytes unknown$/,
        );
        const needs = page.locator(".rules-needs").first();
        expect(await needs.textContent()).toContain(
          "preset:indigenous_lands missing: br_funai_indigenous_lands_2023 (0.44 MB)",
        );
        await page.locator(".rules select").focus();
        const incomplete = page.locator('.rules optgroup[label="Need more sources"] option');
        await incomplete.filter({ hasText: "Indigenous" }).waitFor({ state: "attached" });
        expect(await incomplete.count()).toBeLessThan(await page.locator(".rules option").count());
        // Nothing is wrong with a plot, and nothing is asked.
        await page.getByRole("button", { name: "Try an example" }).click();
        const card = page.locator("#verdict .problem");
        await card.getByText("EU deforestation (EUDR) needs 4 sources that are not here:").waitFor();
        expect(await card.getByRole("listitem").allTextContents()).toContain("Indigenous lands");
        expect(await page.getByRole("button", { name: "Check 1 plot" }).isDisabled()).toBe(true);
        await page.locator("#plots .mark-new").waitFor();
        const text = (await missing.textContent())!;
        expect(text).toMatch(/ groundrule sources list --needed-by preset\.eudr$/);
      },
      { snapshots: one.map((name) => `data/${name}`) },
    );
  });
});

describe.skipIf(findChromium() === undefined)("the page of a static host that lost a file", () => {
  it("reports that the reader of a format could not be loaded", async () => {
    // The file is missing even in the stored page.
    await onStaticPage(
      async ({ page }) => {
        await page.context().route("**/assets/kml-*.js", (route) => route.abort());
        await page
          .locator(".plots input[type=file]")
          .setInputFiles({ name: "plots.kml", mimeType: "", buffer: Buffer.from("<kml/>") });
        const problem = page.locator(".plots").getByText(/Failed to fetch dynamically imported module.*kml-/);
        await problem.waitFor();
      },
      { serviceWorkers: "block" },
    );
  });
});

describe.skipIf(findChromium() === undefined)("the page without a network", () => {
  it("does all that it does with one, and opens again", async () => {
    await onStaticPage(async ({ page, said, requested, served }) => {
      const missed: string[] = [];
      page.on("requestfailed", (request) => missed.push(request.url()));
      await page.locator(".here-kept").waitFor();
      await page.context().setOffline(true);
      served.close();

      await page
        .locator(".here-file input")
        .first()
        .setInputFiles({
          name: "damaged.snapshot",
          mimeType: "",
          buffer: readFileSync(join(dir, files.find((name) => name.endsWith(".snapshot"))!)).subarray(
            0,
            5_000,
          ),
        });
      await expect.poll(() => page.locator(".here-files").textContent()).toContain("damaged.snapshot");
      expect(await page.locator(".here-files").textContent()).toContain("is corrupt");

      const snapshots = files.filter((name) => name.endsWith(".snapshot"));
      await page
        .locator(".here-file input")
        .first()
        .setInputFiles(snapshots.map((name) => join(dir, name)));
      await page.locator(".here .primary").click();
      await page.locator(".rules select").selectOption("preset.indigenous-lands");

      await page.getByRole("button", { name: "Coordinates" }).click();
      await page.locator("#map-corners").fill("-10.01, -60.01\n-10.01, -60.00\n-10.00, -60.00");
      await page.locator(".map-form button[type=submit]").click();
      await expect
        .poll(() => page.locator(".app-panel-verdict").textContent())
        .toMatch(/Compliant|Warning|Not compliant/i);

      await page.locator(".rules-more").click();
      await page.locator(".rules-actions button").click();
      await page.locator(".rules-code .cm-content").waitFor();
      await page.locator(".rules-editor .primary:not([disabled])").waitFor();
      await page.getByRole("button", { name: "Tests", exact: true }).click();
      // A preset includes its tests.
      const tests = await page.getByLabel("Tests of this ruleset, in YAML").inputValue();
      expect(tests).toBe(readFileSync(PRESET_TESTS, "utf8"));
      await page.getByRole("button", { name: "Run the tests" }).click();
      await page.getByText(/^[1-9]\d* passed, 0 failed/).waitFor();
      await page.getByRole("button", { name: "Close" }).click();

      // Each reader is a separate file, and so is the plot checker.
      const path = join(dir, "plots.gpkg");
      const columns = { id: "TEXT", geom: "BLOB" };
      const rows = ["one", "two"].map((id) => [id, encodeGeometryBlob(PLOT)]);
      writeGeoPackage(path, [{ name: "plots", geometryType: "POLYGON", columns, rows }]);
      await page.locator(".plots input[type=file]").setInputFiles(path);
      await page.locator('.plots-line[aria-setsize="3"]').first().waitFor();
      await page.locator(".plots-line .plots-findings").nth(1).waitFor();

      await page.locator(".plots-line", { hasText: "one" }).first().click();
      const report = page.waitForEvent("download");
      await page.locator(".app-panel-verdict").getByRole("button", { name: "Report", exact: true }).click();
      const saved = readFileSync(await (await report).path(), "utf8");
      expect(saved).toContain("<title>");
      // The editions are available: the worker evaluates the record again with the same result.
      expect(saved).not.toMatch(/Not evaluated again|from the service.s answer|not confirmed|not on the map/);

      expect(missed).toEqual([]);
      expect(requested.filter((url) => !url.startsWith(served.url))).toEqual([]);
      expect(said.filter((text) => !/GPU stall/.test(text))).toEqual([]);
      await page.reload();
      await page.locator(".here-kept").waitFor();
      expect(missed).toEqual([]);
    });
  });

  it("lifts a block by a document that its user brings, and the report names it", async () => {
    await onStaticPage(
      async ({ page, said }) => {
        const tab = (name: string) => page.locator(".app-tabs").getByRole("button", { name }).click();
        const verdict = page.locator(".app-panel-verdict");
        const snapshots = files.filter((name) => name.endsWith(".snapshot"));
        const ruleset = join(dir, "embargo.json");
        writeFileSync(ruleset, JSON.stringify(EMBARGO));
        await page
          .locator(".here-file input")
          .first()
          .setInputFiles([...snapshots.map((name) => join(dir, name)), ruleset]);
        await page.locator(".rules select:not([disabled])").waitFor({ state: "attached" });
        await tab("Regras");
        await page.locator(".rules select").selectOption("embargo");
        await tab("Parcelas");
        const plots = [PLOT, { ...PLOT, coordinates: [PLOT.coordinates[0]!.map(([x, y]) => [x! + 1, y!])] }];
        const features = plots.map((geometry, i) => ({
          type: "Feature",
          id: `lote ${i}`,
          geometry,
          properties: {},
        }));
        await page
          .locator(".plots input[type=file]")
          .first()
          .setInputFiles({
            name: "plots.geojson",
            mimeType: "",
            buffer: Buffer.from(JSON.stringify({ type: "FeatureCollection", features })),
          });
        // After a list was added, its summary is shown.
        await verdict.getByRole("heading", { name: "2 parcelas" }).waitFor();
        await tab("Parcelas");
        await page.locator('.plots-line[aria-setsize="2"]').first().click();
        await verdict.getByText("Não conforme").first().waitFor();

        // The list of missing documents links to their fields.
        const need = verdict.locator(".declared").getByRole("button", { name: "Responder" }).first();
        expect(await verdict.locator(".declared").first().textContent()).toContain(
          "Autorização de supressãofaltando",
        );
        await need.focus();
        await page.keyboard.press("Enter");
        const form = page.locator(".facts form");
        await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("fact-permit");
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
        expect(await form.getByLabel("Esta parcela").isChecked()).toBe(true);

        // Typed by keyboard, with the day in the form of its field.
        await page.keyboard.type("ASV 12/2024");
        await page.keyboard.press("Tab");
        await form.locator("[role=status]").getByText("Faltam número").waitFor();
        await page.keyboard.type("SEMA");
        await form.locator(".facts-issued_on input").fill("2024-01-01");
        await form.locator(".facts-hectares input").fill("12.5");
        await form.locator(".facts-hectares input").blur();
        await form.locator("[role=status]:empty").waitFor({ state: "attached" });
        expect(await page.locator(".facts-told").first().textContent()).toBe("1 de 2");
        // The answer without the document becomes outdated, for this plot alone.
        const submit = form.getByRole("button", { name: "Verificar" });
        expect(await page.locator(".plots-ask button").first().textContent()).toMatch(/1/);
        await submit.focus();
        await page.keyboard.press("Enter");
        await verdict.getByText("Conforme", { exact: true }).first().waitFor();
        expect(await verdict.locator(".declared-answer").count()).toBe(0);

        const download = page.waitForEvent("download");
        await verdict.getByRole("button", { name: "Relatório", exact: true }).click();
        const saved = readFileSync(await (await download).path(), "utf8");
        expect(saved).toContain("Declarado, não examinado");
        expect(saved).toContain("ASV 12/2024");
        expect(saved).toContain("12,50 ha");
        expect(saved).toContain("demo:forest_2020 na parcela: ");
        const digest = computeCanonicalDigest({
          area_m2: 125_000,
          id: "ASV 12/2024",
          issued_on: "2024-01-01",
          issuer: "SEMA",
        });
        expect(saved).toContain(`title="${digest}"`);

        // The other plot has no document.
        await verdict.locator(".verdict-back").click();
        await tab("Parcelas");
        await page.locator(".plots-line", { hasText: "lote 1" }).click();
        await verdict.getByText("Não conforme").first().waitFor();
        expect(await form.locator("#fact-permit").inputValue()).toBe("");
        expect(said.filter((text) => !/GPU stall/.test(text))).toEqual([]);
      },
      { locale: "pt-BR", viewport: { width: 390, height: 844 } },
    );
  });

  it.each(process.env.GROUNDRULE_FULL === undefined ? [390] : [390, 1280])(
    "reads what a file declares, draws its property, gives way to what is typed, and exports both: %i",
    async (width) => {
      await onStaticPage(
        async ({ page, said }) => {
          const tab = (name: string) =>
            width < 960 ? page.locator(".app-tabs").getByRole("button", { name }).click() : undefined;
          const verdict = page.locator(".app-panel-verdict");
          const wkt = (east: number) => `"POLYGON((-55 -7, ${east} -7, ${east} -6.99, -55 -7))"`;
          const rows = [
            "id,wkt,fact:permit.id,fact:permit.issuer,fact:permit.issued_on,fact:community,property",
            `one,${wkt(-54.99)},ASV 1,SEMA,2024-01-01,true,"POLYGON((-55.01 -7.01, -54.97 -7.01, -54.97 -6.98, -55.01 -6.98, -55.01 -7.01))"`,
            `two,${wkt(-54.99)},,,,maybe,`,
          ];
          const ruleset = join(dir, "embargo.json");
          writeFileSync(ruleset, JSON.stringify(EMBARGO));
          const snapshots = files.filter((name) => name.endsWith(".snapshot"));
          const chosen = [...snapshots.map((name) => join(dir, name)), ruleset];
          await page.locator(".here-file input").first().setInputFiles(chosen);
          await page.locator(".rules select:not([disabled])").waitFor({ state: "attached" });
          await tab("Rules");
          await page.locator(".rules select").selectOption("embargo");
          await tab("Plots");
          const file = { name: "farms.csv", mimeType: "", buffer: Buffer.from(`${rows.join("\n")}\n`) };
          await page.locator(".plots input[type=file]").first().setInputFiles(file);
          await verdict.getByRole("heading", { name: "2 plots" }).waitFor();

          await tab("Plots");
          await page.locator(".plots-line", { hasText: "two" }).dispatchEvent("click");
          await verdict.getByText('fact:community: found "maybe", expected true or false').first().waitFor();
          expect(await verdict.locator(".verdict-faults code").textContent()).toBe(
            "/properties/fact:community",
          );

          await tab("Plots");
          await page.locator(".plots-line", { hasText: "one" }).dispatchEvent("click");
          await verdict.getByText("Compliant", { exact: true }).first().waitFor();
          const legend = page.locator(".map-legend");
          await page.locator('.map-canvas[aria-busy="false"]').waitFor();
          expect(await legend.getByText("Property").count()).toBe(1);

          const form = page.locator(".facts form");
          await page.locator(".facts > summary").click();
          await form.locator(".facts-row > summary").first().click();
          expect(await form.locator("#fact-permit").inputValue()).toBe("ASV 1");
          await form.getByLabel("no", { exact: true }).check();
          await form.locator("#fact-permit").fill("ASV 2");
          await form.locator("#fact-permit").blur();
          await tab("Plots");
          await page.locator(".plots-undo").getByText("Changed: Authorisation of suppression").waitFor();
          await page.locator(".plots-undo button").click();
          await expect.poll(() => form.locator("#fact-permit").inputValue()).toBe("ASV 1");
          await tab("Verdict");
          await verdict.locator(".verdict-back").click();
          const download = page.waitForEvent("download");
          await verdict.getByRole("button", { name: "GeoJSON" }).click();
          const { features } = JSON.parse(readFileSync(await (await download).path(), "utf8"));
          expect(features[0].properties).toMatchObject({
            facts: { community: false },
            "fact:permit.id": "ASV 1",
          });
          expect(features[0].properties.property.coordinates[0]).toHaveLength(5);
          const workbook = page.waitForEvent("download");
          await verdict.getByRole("button", { name: "XLSX" }).click();
          expect(
            readFileSync(await (await workbook).path())
              .subarray(0, 2)
              .toString(),
          ).toBe("PK");
          expect(said.filter((text) => !/GPU stall/.test(text))).toEqual([]);
        },
        { viewport: { width, height: 844 } },
      );
    },
  );

  it("is the newest that its host has, and keeps no other", async () => {
    await onStaticPage(async ({ page, served }) => {
      const kept = () => page.evaluate<string[]>("caches.keys()");
      await page.locator(".here-kept").waitFor();
      const [before] = await kept();
      const newer = join(dir, "newer");
      cpSync(DIST, newer, { recursive: true });
      for (const [name, from, to] of [
        ["index.html", "<title>groundrule</title>", "<title>newer</title>"],
        ["sw.js", /PAGE_EDITION="\w+"/, 'PAGE_EDITION="newer"'],
        ["sw.js", "PAGE_FILES=[", 'PAGE_FILES=["assets/newer.js",'],
      ] as const) {
        const text = readFileSync(join(newer, name), "utf8");
        expect(text).toMatch(from);
        writeFileSync(join(newer, "assets/newer.js"), "export {};");
        writeFileSync(join(newer, name), text.replace(from, to));
      }
      served.folder = newer;
      await page.reload();
      expect(await page.title()).toBe("newer");
      // Both builds are kept while the page that uses the earlier one is open.
      await expect.poll(kept).toHaveLength(2);
      await page.locator(".here-kept").waitFor();
      await page.context().setOffline(true);
      expect(await page.evaluate('fetch("assets/newer.js").then(({ ok }) => ok)')).toBe(true);
      await page.context().setOffline(false);
      const context = page.context();
      await page.close();
      const again = await context.newPage();
      // A page opened before the browser has ended the old worker is of the earlier build once more.
      const keptThen = async () => {
        await again.goto("about:blank");
        // Long enough for the browser to end the old worker, even if it is busy.
        await again.waitForTimeout(1000);
        await again.goto(served.url);
        return again.evaluate<string[]>("caches.keys()");
      };
      await expect.poll(keptThen).toEqual([`groundrule ${served.url} newer`]);
      expect(before).toMatch(/^groundrule http.* [0-9a-f]{16}$/);
      served.isDown = true;
      await again.reload();
      await again.locator(".here-kept").waitFor();
      expect(await again.title()).toBe("newer");
    });
  });

  it("reports an error in a ruleset at its place, proposes names, and leaves the editor by Tab", async () => {
    await onStaticPage(async ({ page }) => {
      const snapshots = files.filter((name) => name.endsWith(".snapshot"));
      await page
        .locator(".here-file input")
        .first()
        .setInputFiles(snapshots.map((name) => join(dir, name)));
      await page.locator(".rules-more").click();
      await page.locator(".rules-actions button:not([disabled])").click();
      const editor = page.locator(".rules-code .cm-content");
      await editor.waitFor();
      const finding = page.locator(".rules-findings li").first();
      await expect.poll(() => finding.textContent()).toContain("/sets/areas/sources");
      await editor.focus();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(
        '{"sets":{"a":{"sources":["demo:prks"]}},"checks":[{"id":"x","set":"a","outcome":"WARNING"}]}',
      );
      await expect.poll(() => finding.textContent()).toContain('did you mean "demo:parks"');
      await finding.locator("button").click();
      await page.keyboard.press("Delete");
      await page.keyboard.type('"demo:pa');
      await page.keyboard.press("Control+Space");
      const proposal = page.locator(".cm-tooltip-autocomplete li").filter({ hasText: "demo:parks" });
      await proposal.waitFor();
      await proposal.click();
      await page.locator(".rules-editor .primary:not([disabled])").waitFor();
      expect(await editor.textContent()).toContain('"demo:parks"');
      await editor.focus();
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText('{"sets":{"a":{"sources":["demo:clearing"],"where":""}}}');
      for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowLeft");
      await page.keyboard.type("det");
      await page.locator(".cm-tooltip-autocomplete li").filter({ hasText: "detected" }).waitFor();
      await page.keyboard.press("Escape");
      await page.keyboard.press("Tab");
      expect(await editor.evaluate((element) => element.matches(":focus"))).toBe(false);
    });
  });
});
