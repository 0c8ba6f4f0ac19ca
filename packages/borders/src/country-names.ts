import { iso2Of, iso3Of } from "./iso-3166.ts";

/**
 * The country that a text names by its ISO 3166-1 code, or in English, Portuguese, Spanish, French or Indonesian.
 *
 * @param text `BR`, `bra`, `Brasil`, `Côte d’Ivoire`, in any case, with or without accents
 * @returns alpha-3; undefined for what is none, and for `Congo`, which is the name of two
 */
export function iso3OfCountry(text: string): string | undefined {
  return iso3Of(text) ?? getNamesByText().get(normalizeCountryName(text));
}

/**
 * As {@link iso3OfCountry}, as alpha-2.
 *
 * @param text as it has it
 */
export function iso2OfCountry(text: string): string | undefined {
  const iso3 = iso3OfCountry(text);
  return iso3 === undefined ? undefined : iso2Of(iso3);
}

function normalizeCountryName(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z]/g, "");
}

let names: ReadonlyMap<string, string> | undefined;

function getNamesByText(): ReadonlyMap<string, string> {
  names ??= new Map(
    NAMES.split(",").flatMap((line) => {
      const [iso3, ...of] = line.split(" ");
      return of.map((name) => [name, iso3!] as const);
    }),
  );
  return names;
}

/** Codes with the names of their country, of Unicode CLDR and others in use, letters alone. */
const NAMES =
  "ABW aruba,AFG afeganistao afganistan afghanistan,AGO angola,AIA anguila anguilla," +
  "ALA alanda alandislands ilesaland ilhasaland islasaland kepulauanaland,ALB albania albanie," +
  "AND andorra andorre," +
  "ARE emiradosarabesunidos emiratosarabesunidos emiratsarabesunis uniemiratarab unitedarabemirates," +
  "ARG argentina argentine,ARM armenia armenie," +
  "ASM americansamoa samoaamericaines samoaamericana samoaamerika," +
  "ATA antarctica antarctique antarktika antartida," +
  "ATF frenchsouthernterritories terresaustralesfrancaises territoriosaustraisfranceses territoriosaustralesfranceses territoriosfrancesesdosul wilayahselatanprancis," +
  "ATG antiguabarbuda antiguadanbarbuda antiguaebarbuda antiguaetbarbuda antiguaybarbuda," +
  "AUS australia australie,AUT austria autriche,AZE azerbaidjan azerbaijan azerbaijao azerbaiyan," +
  "BDI burundi,BEL belgia belgica belgique belgium,BEN benim benin," +
  "BES belandakaribia caribbeannetherlands caribeneerlandes paisesbaixoscaribenhos paysbascaribeens," +
  "BFA burkinafaso burquinafaso,BGD bangladeche banglades bangladesh,BGR bulgaria bulgarie," +
  "BHR bahrain bahrein barein barem,BHS baamas bahama bahamas," +
  "BIH bosnia bosniadanherzegovina bosniaeherzegovina bosniaherzegovina bosniayherzegovina bosnieherzegovine," +
  "BLM saintbarthelemy sanbartolome saobartolomeu stbarthelemy," +
  "BLR belarus bielorrusia bielorrussia bielorussie,BLZ belice belize,BMU bermuda bermudas bermudes," +
  "BOL bolivia bolivie estadoplurinacionaldebolivia plurinationalstateofbolivia," +
  "BRA brasil brazil bresil,BRB barbade barbados,BRN brunei,BTN bhoutan bhutan butan butao," +
  "BVT bouvetisland ilebouvet ilhabouvet islabouvet pulaubouvet,BWA botsuana botswana," +
  "CAF centralafricanrepublic republicacentroafricana republikafrikatengah republiquecentrafricaine," +
  "CAN canada kanada," +
  "CCK cocosislands cocoskeelingislands ilescocos ilhascocos ilhascocoskeeling ilhasdoscocos ilhasdoscocoskeeling islascocos kepulauancocos kepulauancocoskeeling," +
  "CHE suica suisse suiza swiss switzerland,CHL chile chili cile,CHN china chine tiongkok," +
  "CIV costademarfil costadomarfim cotedivoire cotedivoirecostadomarfim ivorycoast pantaigading," +
  "CMR camaroes cameroon cameroun camerun kamerun," +
  "COD congokinshasa democraticrepublicofthecongo drc drcongo kongokinshasa rdc rdcongo republicademocraticadelcongo republicademocraticadocongo republiquedemocratiqueducongo," +
  "COG congobrazzaville kongobrazzaville republicadelcongo republicadocongo republicofthecongo republiqueducongo," +
  "COK cookislands ilescook ilhascook islascook kepulauancook,COL colombia colombie kolombia," +
  "COM comoras comores comoros komoro,CPV caboverde capeverde capvert tanjungverde," +
  "CRI costarica kostarika,CUB cuba kuba,CUW curacao curacau curazao," +
  "CXR christmasisland ilechristmas ilhachristmas ilhadonatal isladenavidad pulaunatal," +
  "CYM caymanislands ilescaimans ilhascaimao ilhascayman islascaiman kepulauancayman," +
  "CYP chipre chypre cyprus siprus," +
  "CZE ceko chequia czechia czechrepublic republicacheca republicatcheca tchequia tchequie," +
  "DEU alemanha alemania allemagne germany jerman,DJI djibouti djibuti jibuti yibuti," +
  "DMA dominica dominika dominique,DNK danemark denmark dinamarca," +
  "DOM dominicanrepublic republicadominicana republikdominika republiquedominicaine," +
  "DZA algeria algerie aljazair argelia,ECU ecuador ekuador equador equateur," +
  "EGY egipto egito egypt egypte mesir,ERI eritrea eritreia erythree," +
  "ESH saaraocidental saharabarat saharaoccidental saraocidental westernsahara," +
  "ESP espagne espana espanha spain spanyol,EST estonia estonie,ETH ethiopia ethiopie etiopia," +
  "FIN finland finlande finlandia,FJI fidji fiji fiyi," +
  "FLK falklandislands ilesmalouines ilhasfalkland ilhasmalvinas islasmalvinas kepulauanfalkland," +
  "FRA franca france francia prancis,FRO faroeislands ilesferoe ilhasfaroe islasferoe kepulauanfaroe," +
  "FSM micronesia micronesie mikronesia,GAB gabao gabon," +
  "GBR england greatbritain inggrisraya reinounido royaumeuni unitedkingdom,GEO georgia georgie," +
  "GGY guernesey guernsey,GHA gana ghana,GIB gibraltar,GIN guine guinea guinee," +
  "GLP guadalupe guadeloupe,GMB gambia gambie,GNB guineabisau guineabissau guinebissau guineebissau," +
  "GNQ equatorialguinea guineaecuatorial guineaekuatorial guineeequatoriale guineequatorial," +
  "GRC grece grecia greece yunani,GRD granada grenada grenade," +
  "GRL greenland groenland groenlandia gronelandia,GTM guatemala," +
  "GUF frenchguiana guayanafrancesa guianafrancesa guyanaprancis guyanefrancaise,GUM guam guame," +
  "GUY guiana guyana," +
  "HKG hongkong hongkongdaktiongkok hongkongraedachina hongkongsarchina raedehongkong raedehongkongchina raschinoisedehongkong," +
  "HMD heardmcdonaldislands ilesheardetmacdonald ilhasheardemcdonald islasheardymcdonald pulauhearddankepulauanmcdonald," +
  "HND honduras,HRV croacia croatia croatie kroasia,HTI haiti,HUN hongrie hungaria hungary hungria," +
  "IDN indonesia indonesie,IMN iledeman ilhademan islademan isleofman pulauman,IND inde india," +
  "IOT britishindianoceanterritory territoirebritanniquedeloceanindien territoriobritanicodeloceanoindico territoriobritanicodooceanoindico wilayahinggrisdisamudrahindia," +
  "IRL ireland irlanda irlande irlandia,IRN iran irao,IRQ irak iraq iraque," +
  "ISL iceland islande islandia,ISR israel,ITA italia italie italy,JAM jamaica jamaika jamaique," +
  "JEY jersey,JOR jordan jordania jordanie yordania,JPN japan japao japon jepang," +
  "KAZ cazaquistao kazajistan kazakhstan,KEN kenia kenya quenia," +
  "KGZ kirghizstan kirgizstan kirguistan kyrgyzstan quirguistao," +
  "KHM cambodge cambodia camboja camboya kamboja,KIR kiribati quiribati," +
  "KNA saintchristopheetnieves saintkittsdannevis sancristobalynieves saocristovaoeneves saocristovaoenevis stkittsnevis," +
  "KOR coreadelsur coreadosul coreedusud coreiadosul koreaselatan republicofkorea southkorea," +
  "KWT koweit kuwait,LAO laopdr laos,LBN lebanon liban libano,LBR liberia,LBY libia libya libye," +
  "LCA saintelucie saintlucia santalucia stlucia,LIE liechtenstein listenstaine,LKA srilanca srilanka," +
  "LSO lesotho lesoto,LTU lithuania lituania lituanie,LUX luksemburg luxembourg luxemburgo," +
  "LVA latvia letonia lettonie," +
  "MAC macao macaosarchina macau macauraedachina makau makaudaktiongkok raedemacao raedemacaochina raschinoisedemacao," +
  "MAF sanmartin saomartinhosaintmartin stmartin,MAR maroc maroko marrocos marruecos morocco," +
  "MCO monaco monako,MDA moldavia moldavie moldova,MDG madagascar madagaskar," +
  "MDV maladewa maldivas maldives,MEX meksiko mexico mexique," +
  "MHL ilesmarshall ilhasmarshall islasmarshall kepulauanmarshall marshallislands," +
  "MKD macedoinedunord macedonia macedoniadelnorte macedoniadonorte makedoniautara northmacedonia," +
  "MLI mali,MLT malta malte," +
  "MMR birmania birmanie burma mianmar mianmarbirmania myanmar myanmarbirmania myanmarbirmanie myanmarburma," +
  "MNE montenegro,MNG mongolia mongolie," +
  "MNP ilesmariannesdunord ilhasmarianasdonorte islasmarianasdelnorte kepulauanmarianautara northernmarianaislands," +
  "MOZ mocambique mozambik mozambique,MRT mauritania mauritanie,MSR monserrate montserrat," +
  "MTQ martinica martinik martinique,MUS maurice mauricia mauricio mauritius,MWI malaui malawi," +
  "MYS malaisie malasia malaysia,MYT maiote mayotte,NAM namibia namibie," +
  "NCL kaledoniabaru newcaledonia nouvellecaledonie novacaledonia nuevacaledonia,NER niger," +
  "NFK ilenorfolk ilhanorfolk islanorfolk kepulauannorfolk norfolkisland,NGA nigeria," +
  "NIC nicaragua nikaragua,NIU niue," +
  "NLD belanda holanda holland hollande netherlands paisesbaixos paisesbajos paysbas," +
  "NOR noruega norvege norway norwegia,NPL nepal,NRU nauru," +
  "NZL newzealand nouvellezelande novazelandia nuevazelanda selandiabaru,OMN oman," +
  "PAK pakistan paquistao,PAN panama," +
  "PCN ilespitcairn ilhaspitcairn islaspitcairn kepulauanpitcairn pitcairn pitcairnislands," +
  "PER perou peru,PHL filipina filipinas philippines,PLW palaos palau," +
  "PNG papouasienouvelleguinee papuanewguinea papuanovaguine papuanuevaguinea papuanugini," +
  "POL poland polandia pologne polonia,PRI portorico puertorico puertoriko," +
  "PRK coreadelnorte coreedunord coreiadonorte koreautara northkorea,PRT portugal," +
  "PRY paraguai paraguay," +
  "PSE palestina palestine palestinianterritories territoirespalestiniens territoriospalestinianos territoriospalestinos wilayahpalestina," +
  "PYF frenchpolynesia polinesiafrancesa polinesiaprancis polynesiefrancaise,QAT catar qatar," +
  "REU lareunion reuniao reunion,ROU romania romenia roumanie rumania," +
  "RUS rusia russia russianfederation russie,RWA ruanda rwanda," +
  "SAU arabiasaudi arabiasaudita arabiesaoudite arabsaudi saudiarabia,SDN soudan sudan sudao," +
  "SEN senegal,SGP singapore singapour singapur singapura," +
  "SGS georgiaselatankepsandwichselatan georgiedusudetlesilessandwichdusud ilhasgeorgiadosulesandwichdosul islasgeorgiadelsurysandwichdelsur southgeorgiasouthsandwichislands," +
  "SHN saintehelene sainthelena santaelena santahelena sthelena," +
  "SJM kepulauansvalbarddanjanmayen svalbardejanmayen svalbardetjanmayen svalbardjanmayen svalbardyjanmayen," +
  "SLB ilessalomon ilhassalomao islassalomon kepulauansolomon solomonislands," +
  "SLE serraleoa sierraleona sierraleone,SLV elsalvador salvador,SMR saintmarin sanmarino saomarinho," +
  "SOM somalia somalie," +
  "SPM saintpierredanmiquelon saintpierreetmiquelon sanpedroymiquelon saopedroemiquelao stpierremiquelon," +
  "SRB serbia serbie servia,SSD soudandusud southsudan sudandelsur sudanselatan sudaodosul," +
  "STP santotomeyprincipe saotomeandprincipe saotomedanprincipe saotomeeprincipe saotomeetprincipe saotomeprincipe," +
  "SUR surinam suriname,SVK eslovaquia slovakia slovaquie,SVN eslovenia slovenia slovenie," +
  "SWE suecia suede sweden swedia,SWZ essuatini esuatini eswatini suazilandia swaziland," +
  "SXM saintmartinpartieneerlandaise saomartinhosintmaarten sintmaarten,SYC seicheles seychelles," +
  "SYR siria suriah syria syrie," +
  "TCA ilesturquesetcaiques ilhasturcasecaicos islasturcasycaicos kepulauanturksdancaicos turkscaicosislands," +
  "TCD chad chade tchad,TGO togo,THA tailandia thailand thailande," +
  "TJK tadjikistan tadjiquistao tajikistan tajiquistao tayikistan,TKL tokelau toquelau," +
  "TKM turcomenistao turkmenistan turquemenistao,TLS easttimor timorleste timororiental,TON tonga," +
  "TTO trindadeetobago trinidaddantobago trinidadetobago trinidadtobago trinidadytobago triniteettobago," +
  "TUN tunez tunisia tunisie,TUR turkey turki turkiye turquia turquie,TUV tuvalu,TWN taiwan," +
  "TZA tanzania tanzanie unitedrepublicoftanzania,UGA ouganda uganda,UKR ucrania ukraina ukraine," +
  "UMI ilesmineureseloigneesdesetatsunis ilhasmenoresafastadasdoseua ilhasmenoresdistantesdoseua islasmenoresalejadasdeeeuu kepulauanterluaras usoutlyingislands," +
  "URY uruguai uruguay," +
  "USA amerikaserikat eeuu estadosunidos estadosunidosdeamerica etatsunis etatsunisdamerique eua unitedstates unitedstatesofamerica usa," +
  "UZB ouzbekistan usbequistao uzbekistan uzbequistao," +
  "VAT cidadedovaticano ciudaddelvaticano etatdelaciteduvatican vaticancity vatikan," +
  "VCT saintvincentdangrenadine saintvincentetlesgrenadines sanvicenteylasgranadinas saovicenteegranadinas stvincentgrenadines," +
  "VEN venezuela," +
  "VGB britishvirginislands ilesviergesbritanniques ilhasvirgensbritanicas islasvirgenesbritanicas kepulauanvirginbritaniaraya," +
  "VIR ilesviergesdesetatsunis ilhasvirgensamericanas ilhasvirgensdoseua islasvirgenesdeeeuu kepulauanvirginamerikaserikat usvirginislands," +
  "VNM vietna vietnam vietname,VUT vanuatu," +
  "WLF kepulauanwallisdanfutuna wallisefutuna wallisetfutuna wallisfutuna wallisyfutuna,WSM samoa," +
  "XKX kosovo,YEM iemen yaman yemen,ZAF africadosul afrikaselatan afriquedusud southafrica sudafrica," +
  "ZMB zambia zambie,ZWE zimbabue zimbabwe";
