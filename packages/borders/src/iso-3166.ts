/**
 * Whatever spelling of an ISO 3166-1 code a file has, as alpha-3.
 *
 * @param code alpha-2 or alpha-3, in any case, with or without spaces around it: `BR`, `bra`
 * @returns alpha-3 of an officially assigned code, or `XKX` for `XK` and `XKX`, in use for Kosovo; undefined for
 *   everything else
 */
export function iso3Of(code: string): string | undefined {
  return ISO3.get(code.trim().toUpperCase());
}

/**
 * Whatever spelling of an ISO 3166-1 code a file has, as alpha-2.
 *
 * @param code as {@link iso3Of} takes it
 * @returns alpha-2 of the country of {@link iso3Of}; undefined where that is
 */
export function iso2Of(code: string): string | undefined {
  const iso3 = iso3Of(code);
  return iso3 === undefined ? undefined : ISO2.get(iso3);
}

/**
 * What a country is called in English.
 *
 * @param iso3 ISO 3166-1 alpha-3, in capitals
 * @returns as the host's language data have it; the code where they have no name
 */
export function countryName(iso3: string): string {
  names ??= new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const iso2 = ISO2.get(iso3);
  return (iso2 === undefined ? undefined : names.of(iso2)) ?? iso3;
}

let names: Intl.DisplayNames | undefined;

/** Every officially assigned code: alpha-3 followed by alpha-2; and the one in use for Kosovo. */
const CODES =
  "ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT" +
  " AZEAZ BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO" +
  " BRABR BRBBB BRNBN BTNBT BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG" +
  " COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO" +
  " DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB" +
  " GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY" +
  " HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT" +
  " JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB LBRLR LBYLY" +
  " LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH" +
  " MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA" +
  " NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE" +
  " PHLPH PLWPW PNGPG POLPL PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA" +
  " SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR" +
  " SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO" +
  " TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC VENVE VGBVG" +
  " VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE ZAFZA ZMBZM ZWEZW" +
  " XKXXK";

const ISO3: ReadonlyMap<string, string> = new Map(
  CODES.split(" ").flatMap((codes) => {
    const iso3 = codes.slice(0, 3);
    return [
      [iso3, iso3],
      [codes.slice(3), iso3],
    ];
  }),
);

const ISO2: ReadonlyMap<string, string> = new Map(
  CODES.split(" ").map((codes) => [codes.slice(0, 3), codes.slice(3)]),
);
