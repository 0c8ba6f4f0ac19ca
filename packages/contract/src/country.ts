import * as z from "zod";

/**
 * The 249 officially assigned ISO 3166-1 alpha-3 codes, and XKX.
 *
 * Of the user-assigned codes only XKX (Kosovo) is known: the European Commission, the World Bank
 * and the data sets that follow them publish it, and without it a territory could not be asked
 * for. The others mean something different in every data set.
 */
const CODES =
  "ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS " +
  "BIH BLM BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV " +
  "CRI CUB CUW CXR CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM " +
  "GAB GBR GEO GGY GHA GIB GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN " +
  "IND IOT IRL IRN IRQ ISL ISR ITA JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE " +
  "LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS " +
  "MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR NPL NRU NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK " +
  "PRT PRY PSE PYF QAT REU ROU RUS RWA SAU SDN SEN SGP SGS SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUR " +
  "SVK SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TON TTO TUN TUR TUV TWN TZA UGA UKR UMI URY " +
  "USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM XKX YEM ZAF ZMB ZWE";

export const COUNTRY_CODES: ReadonlySet<string> = new Set(CODES.split(" "));

/** An ISO 3166-1 alpha-3 code in any case, upper-cased. */
export const countrySchema: z.ZodType<string, unknown> = z
  .string()
  .length(3)
  .transform(upperCaseAscii)
  .refine((code) => COUNTRY_CODES.has(code), "expected an ISO 3166-1 alpha-3 country code")
  .meta({ description: "ISO 3166-1 alpha-3 code, in any case", examples: ["BRA"] });

/** Only a-z are folded: full case mapping would let "ı" or "ß" change the length or the letter. */
function upperCaseAscii(code: string): string {
  return code.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}
