/** The greatest plausible plot of a commodity in some countries. */
export interface PlausibleSize {
  /** Names of the commodity, made plain: lower case, without accents and spaces. */
  readonly names: readonly string[];
  /** ISO 3166-1 alpha-3. */
  readonly countries: readonly string[];
  /** Hectares above which a plot is doubtful. */
  readonly mostHectares: number;
  /** Where the usual size is stated. */
  readonly source: string;
}

const COCOA =
  "German Initiative on Sustainable Cocoa, *Cocoa producing countries*: some 95 % of cocoa comes from farms of 2 to 5 ha; the mean is 7.46 ha in Côte d’Ivoire, 5.95 ha in Ghana";
const COFFEE =
  "Intelligence Coffee, *Do we abuse the term “smallholder coffee farmer”?* (December 2023): 95 % of 12.5 million coffee farms are smaller than 5 ha, and farms above 20 ha count as large everywhere but in Brazil";

/** Bounds known well enough to doubt a plot: more than ten times the usual size. */
export const PLAUSIBLE_SIZES: readonly PlausibleSize[] = [
  {
    names: ["cocoa", "cacao", "cacau", "kakao"],
    countries: ["CIV", "CMR", "GHA", "NGA"],
    mostHectares: 100,
    source: COCOA,
  },
  {
    names: ["coffee", "cafe", "kopi"],
    countries: ["COL", "ETH", "HND", "IDN", "UGA", "VNM"],
    mostHectares: 200,
    source: COFFEE,
  },
];
