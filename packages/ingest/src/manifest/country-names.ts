/**
 * The country that a text of a register names in English, whatever its letter case and accents.
 *
 * @returns its ISO 3166-1 alpha-3 code; undefined for any other text
 */
export function findCountryByName(text: string): string | undefined {
  return CODES.get(foldCountryName(text));
}

function foldCountryName(name: string): string {
  return name.normalize("NFKD").replace(/\p{M}/gu, "").trim().toLowerCase();
}

/** The names of Natural Earth's countries 1:10m, among them those of the CIA World Factbook; each names one country. */
const NAMES = `
ABW Aruba
AFG Afghanistan
AGO Angola
AIA Anguilla
ALA Aland | Åland Islands
ALB Albania
AND Andorra
ARE United Arab Emirates
ARG Argentina
ARM Armenia
ASM American Samoa
ATA Antarctica
ATF French Southern and Antarctic Lands
ATG Antigua and Barbuda
AUS Australia | Indian Ocean Territories | Coral Sea Islands | Ashmore and Cartier Islands
AUT Austria
AZE Azerbaijan
BDI Burundi
BEL Belgium
BEN Benin
BES Caribbean Netherlands
BFA Burkina Faso
BGD Bangladesh
BGR Bulgaria
BHR Bahrain
BHS The Bahamas | Bahamas | Bahamas, The
BIH Bosnia and Herzegovina
BLM Saint Barthelemy | Saint-Barthélemy
BLR Belarus
BLZ Belize
BMU Bermuda
BOL Bolivia
BRA Brazil | Brazilian Island
BRB Barbados
BRN Brunei | Brunei Darussalam
BTN Bhutan
BVT Bouvet Island
BWA Botswana
CAF Central African Republic
CAN Canada
CCK Cocos (Keeling) Islands
CHE Switzerland
CHL Chile
CHN China
CIV Ivory Coast | Côte d'Ivoire
CMR Cameroon
COD Democratic Republic of the Congo | Congo, Democratic Republic of the
COG Republic of the Congo | Congo, Republic of the
COK Cook Islands
COL Colombia
COM Comoros
CPV Cabo Verde | Republic of Cabo Verde
CRI Costa Rica
CUB Cuba
CUW Curaçao
CXR Christmas Island
CYM Cayman Islands
CYP Cyprus
CZE Czechia | Czech Republic
DEU Germany
DJI Djibouti
DMA Dominica
DNK Denmark
DOM Dominican Republic
DZA Algeria
ECU Ecuador
EGY Egypt
ERI Eritrea
ESH Western Sahara
ESP Spain
EST Estonia
ETH Ethiopia
FIN Finland
FJI Fiji
FLK Falkland Islands | Falkland Islands / Malvinas | Falkland Islands (Islas Malvinas)
FRA France | Clipperton Island
FRO Faroe Islands | Faeroe Islands
FSM Federated States of Micronesia | Micronesia, Federated States of
GAB Gabon
GBR United Kingdom
GEO Georgia
GGY Guernsey
GHA Ghana
GIB Gibraltar
GIN Guinea
GLP Guadeloupe
GMB Gambia | The Gambia | Gambia, The
GNB Guinea-Bissau
GNQ Equatorial Guinea
GRC Greece
GRD Grenada
GRL Greenland
GTM Guatemala
GUF French Guiana
GUM Guam
GUY Guyana
HKG Hong Kong S.A.R. | Hong Kong
HMD Heard Island and McDonald Islands | Heard I. and McDonald Islands
HND Honduras
HRV Croatia
HTI Haiti
HUN Hungary
IDN Indonesia
IMN Isle of Man
IND India
IOT British Indian Ocean Territory
IRL Ireland
IRN Iran
IRQ Iraq
ISL Iceland
ISR Israel
ITA Italy
JAM Jamaica
JEY Jersey
JOR Jordan
JPN Japan
KAZ Kazakhstan | Baykonur Cosmodrome | Baikonur Cosmodrome
KEN Kenya
KGZ Kyrgyzstan
KHM Cambodia
KIR Kiribati
KNA Saint Kitts and Nevis
KOR South Korea | Republic of Korea | Korea, South
KWT Kuwait
LAO Laos | Lao PDR
LBN Lebanon
LBR Liberia
LBY Libya
LCA Saint Lucia
LIE Liechtenstein
LKA Sri Lanka
LSO Lesotho
LTU Lithuania
LUX Luxembourg
LVA Latvia
MAC Macao S.A.R | Macao | Macau
MAF Saint Martin | Saint-Martin
MAR Morocco
MCO Monaco
MDA Moldova
MDG Madagascar
MDV Maldives
MEX Mexico
MHL Marshall Islands
MKD North Macedonia
MLI Mali
MLT Malta
MMR Myanmar | Burma
MNE Montenegro
MNG Mongolia
MNP Northern Mariana Islands
MOZ Mozambique
MRT Mauritania
MSR Montserrat
MTQ Martinique
MUS Mauritius
MWI Malawi
MYS Malaysia
MYT Mayotte
NAM Namibia
NCL New Caledonia
NER Niger
NFK Norfolk Island
NGA Nigeria
NIC Nicaragua
NIU Niue
NLD Netherlands
NOR Norway
NPL Nepal
NRU Nauru
NZL New Zealand
OMN Oman
PAK Pakistan
PAN Panama
PCN Pitcairn Islands
PER Peru
PHL Philippines
PLW Palau
PNG Papua New Guinea
POL Poland
PRI Puerto Rico
PRK North Korea | Dem. Rep. Korea | Korea, North
PRT Portugal
PRY Paraguay
PSE Palestine
PYF French Polynesia
QAT Qatar
REU Réunion
ROU Romania
RUS Russia | Russian Federation
RWA Rwanda
SAU Saudi Arabia
SDN Sudan
SEN Senegal
SGP Singapore
SGS South Georgia and the Islands
SHN Saint Helena | Saint Helena, Ascension, and Tristan da Cunha
SJM Svalbard and Jan Mayen
SLB Solomon Islands
SLE Sierra Leone
SLV El Salvador
SMR San Marino
SOM Somalia
SPM Saint Pierre and Miquelon
SRB Republic of Serbia | Serbia
SSD South Sudan
STP São Tomé and Principe
SUR Suriname
SVK Slovakia
SVN Slovenia
SWE Sweden
SWZ eSwatini | Kingdom of eSwatini
SXM Sint Maarten
SYC Seychelles
SYR Syria
TCA Turks and Caicos Islands
TCD Chad
TGO Togo
THA Thailand
TJK Tajikistan
TKL Tokelau
TKM Turkmenistan
TLS East Timor | Timor-Leste
TON Tonga
TTO Trinidad and Tobago
TUN Tunisia
TUR Turkey
TUV Tuvalu
TWN Taiwan
TZA United Republic of Tanzania | Tanzania
UGA Uganda
UKR Ukraine
UMI United States Minor Outlying Islands
URY Uruguay
USA United States of America | United States
UZB Uzbekistan
VAT Vatican | Holy See (Vatican City)
VCT Saint Vincent and the Grenadines
VEN Venezuela
VGB British Virgin Islands
VIR United States Virgin Islands | Virgin Islands
VNM Vietnam
VUT Vanuatu
WLF Wallis and Futuna | Wallis and Futuna Islands
WSM Samoa
XKX Kosovo
YEM Yemen
ZAF South Africa
ZMB Zambia
ZWE Zimbabwe
`;

const CODES: ReadonlyMap<string, string> = new Map(
  NAMES.trim()
    .split("\n")
    .flatMap((line) => {
      const names = line.slice(4).split(" | ");
      return names.map((name) => [foldCountryName(name), line.slice(0, 3)] as const);
    }),
);
