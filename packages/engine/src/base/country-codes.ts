/** True if a text is an officially assigned ISO 3166-1 alpha-3 code, or `XKX`, in use for Kosovo. */
export function isCountryIso3(code: string): boolean {
  return CODES.has(code);
}

/** Every officially assigned ISO 3166-1 alpha-3 code, and `XKX`, in the order of their letters. */
export const COUNTRY_CODES: readonly string[] = /* @__PURE__ */ listCountryCodes();

const CODES: ReadonlySet<string> = new Set(COUNTRY_CODES);

/** The codes by their first letter, each as its two others: every browser loads this list. */
function listCountryCodes(): string[] {
  const byLetter =
    "Abwfggoialalbndrergrmsmtatftgusutze Bdielenesfagdgrhrhsihlmlrlzmuolrarbrntnvtwa " +
    "Cafanckhehlhnivmrodogokolompvriubuwxrymypze Deujimankomza Ecugyrishspstth Finjilkrarosm " +
    "Gabbreogyhaibinlpmbnbnqrcrdrltmufumuy Hkgmdndrvtiun Idnmnndotrlrnrqslsrta Jameyorpn " +
    "Kazengzhmirnaorwt Laobnbrbycaiekasotuuxva Macafarcodadgdvexhlkdliltmrnengnpozrtsrtquswiysyt " +
    "Namclerfkgaiciuldorplruzl Omn Pakancnerhllwngolrirkrtryseyf Qat Reuouuswa " +
    "Saudnengpgshnjmlblelvmrompmrbsdtpurvkvnwewzxmycyr Tcacdgohajkklkmlsontounuruvwnza Ugakrmirysazb " +
    "Vatctengbirnmut Wlfsm Xkx Yem Zafmbwe";
  return byLetter
    .split(" ")
    .flatMap((codes) => Array.from(codes.slice(1).match(/../g)!, (rest) => codes[0] + rest.toUpperCase()));
}
