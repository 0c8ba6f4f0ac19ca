import type { JSX } from "preact";
import { language, words } from "../../languages/language.ts";
import { offerDownload } from "../../parts/save-file.ts";
import { runSaveTask } from "../../state/notice.ts";
import type { PagePlot } from "../../state/plot.ts";
import { savedPlots } from "../../state/saved.ts";

/** Downloads of all plots: tables, geometries, the page of the portfolio. */
export function Exports({ plots }: { readonly plots: readonly PagePlot[] }): JSX.Element {
  const say = words.value;
  const load = () => import("../portfolio.ts");
  const saveCsv = async (): Promise<void> =>
    offerDownload("plots.csv", "text/csv", (await load()).formatPlotsCsv(plots));
  const saveXlsx = async (): Promise<void> =>
    offerDownload("plots.xlsx", XLSX, await (await load()).buildPlotsXlsx(plots, language.value));
  const savePage = async (): Promise<void> =>
    offerDownload("portfolio.html", "text/html", (await load()).renderPortfolioPage(plots, language.value));
  const saveGeoJson = async (): Promise<void> => {
    offerDownload("plots.geojson", "application/geo+json", await (await load()).toGeoJson(plots));
    // It alone has shapes, properties and facts, to be opened again.
    savedPlots.value = plots;
  };
  return (
    <section class="plots-exports" aria-labelledby="plots-exports">
      <h4 id="plots-exports">{say.plotsExport}</h4>
      <p class="verdict-actions">
        <button
          type="button"
          class={plots.some(({ state }) => state.kind === "answered") ? "primary" : undefined}
          onClick={() => runSaveTask(savePage)}
        >
          {say.plotsExportReport}
        </button>
        <button type="button" onClick={() => runSaveTask(saveCsv)}>
          CSV
        </button>
        <button type="button" onClick={() => runSaveTask(saveXlsx)}>
          XLSX
        </button>
        <button type="button" onClick={() => runSaveTask(saveGeoJson)}>
          GeoJSON
        </button>
      </p>
    </section>
  );
}

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
