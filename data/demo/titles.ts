import type { SourceManifest } from "@groundrule/engine";

/** The name of a source of the demo. */
export type DemoSourceName = `demo:${
  | "parks"
  | "indigenous"
  | "clearing"
  | "quilombola"
  | "embargoes"
  | "mining"
  | "biomes"
  | "benchmark"
  | "rivers"
  | "countries"
  | "sanctions"
  | "forced_labour"
  | "forest_2020"
  | "tree_cover_loss"}`;

type Titles = Pick<SourceManifest, "source_dataset" | "titles">;

/** Titles of the demo's sources. */
export const TITLES: Readonly<Record<DemoSourceName, Titles>> = {
  "demo:parks": buildTitles(
    "Fictional protected areas",
    "Áreas protegidas fictícias",
    "Áreas protegidas ficticias",
  ),
  "demo:indigenous": buildTitles(
    "Fictional indigenous lands",
    "Terras indígenas fictícias",
    "Tierras indígenas ficticias",
  ),
  "demo:clearing": buildTitles("Fictional clearings", "Desmatamentos fictícios", "Desmontes ficticios"),
  "demo:quilombola": buildTitles(
    "Fictional quilombola territories",
    "Territórios quilombolas fictícios",
    "Territorios quilombolas ficticios",
  ),
  "demo:embargoes": buildTitles("Fictional embargoes", "Embargos fictícios", "Embargos ficticios"),
  "demo:mining": buildTitles(
    "Fictional mining scars",
    "Cicatrizes de mineração fictícias",
    "Cicatrices de minería ficticias",
  ),
  "demo:biomes": buildTitles("Fictional biomes", "Biomas fictícios", "Biomas ficticios"),
  "demo:benchmark": buildTitles(
    "Fictional benchmark of countries",
    "Classificação de países fictícia",
    "Clasificación de países ficticia",
  ),
  "demo:rivers": buildTitles("Fictional rivers", "Rios fictícios", "Ríos ficticios"),
  "demo:countries": buildTitles(
    "Country borders 1:50m (Natural Earth)",
    "Fronteiras de países 1:50m (Natural Earth)",
    "Fronteras de países 1:50m (Natural Earth)",
  ),
  "demo:sanctions": buildTitles(
    "Fictional sanctions register",
    "Registro fictício de sanções",
    "Registro ficticio de sanciones",
  ),
  "demo:forced_labour": buildTitles(
    "Fictional forced labour register",
    "Registro fictício de trabalho forçado",
    "Registro ficticio de trabajo forzoso",
  ),
  "demo:forest_2020": buildTitles(
    "Fictional forest at the end of 2020",
    "Floresta fictícia no fim de 2020",
    "Bosque ficticio a finales de 2020",
  ),
  "demo:tree_cover_loss": buildTitles(
    "Fictional years of tree cover loss",
    "Anos fictícios de perda de cobertura arbórea",
    "Años ficticios de pérdida de cobertura arbórea",
  ),
};

function buildTitles(source_dataset: string, pt: string, es: string): Titles {
  return { source_dataset, titles: { pt, es } };
}
