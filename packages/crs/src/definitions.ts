// Written by tools/write-crs-table.ts from epsg-index (ISC, Jannis R) and the EPSG registry (IOGP); not to be
// edited by hand.

/**
 * Projection definitions by EPSG code, in the words of proj4. Where the datum is an older one, the
 * operation that shifts it to WGS 84, and how good the EPSG registry holds it to be and where; a datum
 * without a shift is WGS 84 to within 1 m (NAD83, GDA94 and GDA2020: 2 to 4 m, most of it plate motion).
 */
export const DEFINITIONS: ReadonlyMap<number, string> = new Map<number, string>([
  // Israel 1993 / Israeli TM Grid; by EPSG operation 9676, 0.5 m in: Asia - Middle East - Israel and Palestine onshore
  [
    2039,
    "+proj=tmerc +lat_0=31.7343936111111 +lon_0=35.2045169444444 +k=1.0000067 +x_0=219529.584 +y_0=626907.39 +ellps=GRS80 +units=m +towgs84=23.772,17.49,17.859,-0.3132,-1.85274,1.67299,-5.4262",
  ],
  // CH1903+ / LV95; by EPSG operation 1676, 1 m in: Europe - Liechtenstein and Switzerland
  [
    2056,
    "+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=2600000 +y_0=1200000 +ellps=bessel +units=m +towgs84=674.374,15.056,405.346",
  ],
  // GGRS87 / Greek Grid; by EPSG operation 1272, 1 m in: Greece - onshore
  [
    2100,
    "+proj=tmerc +lat_0=0 +lon_0=24 +k=0.9996 +x_0=500000 +y_0=0 +ellps=GRS80 +units=m +towgs84=-199.87,74.79,246.62",
  ],
  // RGF93 v1 / Lambert-93
  [2154, "+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 +ellps=GRS80 +units=m"],
  // IRENET95 / Irish Transverse Mercator
  [2157, "+proj=tmerc +lat_0=53.5 +lon_0=-8 +k=0.99982 +x_0=600000 +y_0=750000 +ellps=GRS80 +units=m"],
  // ETRF2000-PL / CS2000/15
  [2176, "+proj=tmerc +lat_0=0 +lon_0=15 +k=0.999923 +x_0=5500000 +y_0=0 +ellps=GRS80 +units=m"],
  // ETRF2000-PL / CS2000/18
  [2177, "+proj=tmerc +lat_0=0 +lon_0=18 +k=0.999923 +x_0=6500000 +y_0=0 +ellps=GRS80 +units=m"],
  // ETRF2000-PL / CS2000/21
  [2178, "+proj=tmerc +lat_0=0 +lon_0=21 +k=0.999923 +x_0=7500000 +y_0=0 +ellps=GRS80 +units=m"],
  // ETRF2000-PL / CS2000/24
  [2179, "+proj=tmerc +lat_0=0 +lon_0=24 +k=0.999923 +x_0=8500000 +y_0=0 +ellps=GRS80 +units=m"],
  // ETRF2000-PL / CS92
  [2180, "+proj=tmerc +lat_0=0 +lon_0=19 +k=0.9993 +x_0=500000 +y_0=-5300000 +ellps=GRS80 +units=m"],
  // NZGD2000 / New Zealand Transverse Mercator 2000
  [2193, "+proj=tmerc +lat_0=0 +lon_0=173 +k=0.9996 +x_0=1600000 +y_0=10000000 +ellps=GRS80 +units=m"],
  // Monte Mario / Italy zone 1; by EPSG operation 1660, 4 m in: Italy - mainland
  [
    3003,
    "+proj=tmerc +lat_0=0 +lon_0=9 +k=0.9996 +x_0=1500000 +y_0=0 +ellps=intl +units=m +towgs84=-104.1,-49.1,-9.9,0.971,-2.917,0.714,-11.68",
  ],
  // Monte Mario / Italy zone 2; by EPSG operation 1660, 4 m in: Italy - mainland
  [
    3004,
    "+proj=tmerc +lat_0=0 +lon_0=15 +k=0.9996 +x_0=2520000 +y_0=0 +ellps=intl +units=m +towgs84=-104.1,-49.1,-9.9,0.971,-2.917,0.714,-11.68",
  ],
  // NAD83 / BC Albers
  [3005, "+proj=aea +lat_0=45 +lon_0=-126 +lat_1=50 +lat_2=58.5 +x_0=1000000 +y_0=0 +ellps=GRS80 +units=m"],
  // SWEREF99 TM
  [3006, "+proj=utm +zone=33 +ellps=GRS80 +units=m"],
  // WGS 84 / Antarctic Polar Stereographic
  [3031, "+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m"],
  // ETRS89-extended / LCC Europe
  [3034, "+proj=lcc +lat_0=52 +lon_0=10 +lat_1=35 +lat_2=65 +x_0=4000000 +y_0=2800000 +ellps=GRS80 +units=m"],
  // ETRS89-extended / LAEA Europe
  [3035, "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m"],
  // LKS92 / Latvia TM
  [3059, "+proj=tmerc +lat_0=0 +lon_0=24 +k=0.9996 +x_0=500000 +y_0=-6000000 +ellps=GRS80 +units=m"],
  // ETRS89 / TM35FIN(E,N)
  [3067, "+proj=utm +zone=35 +ellps=GRS80 +units=m"],
  // MAGNA-SIRGAS / Colombia Far West zone
  [
    3114,
    "+proj=tmerc +lat_0=4.59620041666667 +lon_0=-80.0775079166667 +k=1 +x_0=1000000 +y_0=1000000 +ellps=GRS80 +units=m",
  ],
  // MAGNA-SIRGAS / Colombia West zone
  [
    3115,
    "+proj=tmerc +lat_0=4.59620041666667 +lon_0=-77.0775079166667 +k=1 +x_0=1000000 +y_0=1000000 +ellps=GRS80 +units=m",
  ],
  // MAGNA-SIRGAS / Colombia Bogota zone
  [
    3116,
    "+proj=tmerc +lat_0=4.59620041666667 +lon_0=-74.0775079166667 +k=1 +x_0=1000000 +y_0=1000000 +ellps=GRS80 +units=m",
  ],
  // MAGNA-SIRGAS / Colombia East Central zone
  [
    3117,
    "+proj=tmerc +lat_0=4.59620041666667 +lon_0=-71.0775079166667 +k=1 +x_0=1000000 +y_0=1000000 +ellps=GRS80 +units=m",
  ],
  // MAGNA-SIRGAS / Colombia East zone
  [
    3118,
    "+proj=tmerc +lat_0=4.59620041666667 +lon_0=-68.0775079166667 +k=1 +x_0=1000000 +y_0=1000000 +ellps=GRS80 +units=m",
  ],
  // Douala 1948 / AEF west; by EPSG operation 15873, 10 m in: Cameroon - coastal area
  [
    3119,
    "+proj=tmerc +lat_0=0 +lon_0=10.5 +k=0.999 +x_0=1000000 +y_0=1000000 +ellps=intl +units=m +towgs84=-206.1,-174.7,-87.7",
  ],
  // Estonian Coordinate System of 1997
  [
    3301,
    "+proj=lcc +lat_0=57.5175539305556 +lon_0=24 +lat_1=59.3333333333333 +lat_2=58 +x_0=500000 +y_0=6375000 +ellps=GRS80 +units=m",
  ],
  // LKS94 / Lithuania TM
  [3346, "+proj=tmerc +lat_0=0 +lon_0=24 +k=0.9998 +x_0=500000 +y_0=0 +ellps=GRS80 +units=m"],
  // NAD83 / Statistics Canada Lambert
  [
    3347,
    "+proj=lcc +lat_0=63.390675 +lon_0=-91.8666666666667 +lat_1=49 +lat_2=77 +x_0=6200000 +y_0=3000000 +ellps=GRS80 +units=m",
  ],
  // GDM2000 / Peninsula RSO
  [
    3375,
    "+proj=omerc +no_uoff +lat_0=4 +lonc=102.25 +alpha=323.025796466667 +gamma=323.130102361111 +k=0.99984 +x_0=804671 +y_0=0 +ellps=GRS80 +units=m",
  ],
  // GDM2000 / East Malaysia BRSO
  [
    3376,
    "+proj=omerc +no_uoff +lat_0=4 +lonc=115 +alpha=53.31580995 +gamma=53.1301023611111 +k=0.99984 +x_0=0 +y_0=0 +ellps=GRS80 +units=m",
  ],
  // WGS 84 / World Mercator
  [3395, "+proj=merc +lon_0=0 +k=1 +x_0=0 +y_0=0 +datum=WGS84 +units=m"],
  // VN-2000 / UTM zone 48N; by EPSG operation 6960, 1 m in: Vietnam - onshore
  [
    3405,
    "+proj=utm +zone=48 +ellps=WGS84 +units=m +towgs84=-191.90441429,-39.30318279,-111.45032835,0.00928836,-0.01975479,0.00427372,0.252906278",
  ],
  // VN-2000 / UTM zone 49N; by EPSG operation 6960, 1 m in: Vietnam - onshore
  [
    3406,
    "+proj=utm +zone=49 +ellps=WGS84 +units=m +towgs84=-191.90441429,-39.30318279,-111.45032835,0.00928836,-0.01975479,0.00427372,0.252906278",
  ],
  // WGS 84 / NSIDC Sea Ice Polar Stereographic North
  [3413, "+proj=stere +lat_0=90 +lat_ts=70 +lon_0=-45 +x_0=0 +y_0=0 +datum=WGS84 +units=m"],
  // ETRS89 / Austria Lambert
  [
    3416,
    "+proj=lcc +lat_0=47.5 +lon_0=13.3333333333333 +lat_1=49 +lat_2=46 +x_0=400000 +y_0=400000 +ellps=GRS80 +units=m",
  ],
  // GDA94 / Australian Albers
  [3577, "+proj=aea +lat_0=0 +lon_0=132 +lat_1=-18 +lat_2=-36 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // ETRS89 / Portugal TM06
  [
    3763,
    "+proj=tmerc +lat_0=39.6682583333333 +lon_0=-8.13310833333333 +k=1 +x_0=0 +y_0=0 +ellps=GRS80 +units=m",
  ],
  // HTRS96 / Croatia TM
  [3765, "+proj=tmerc +lat_0=0 +lon_0=16.5 +k=0.9999 +x_0=500000 +y_0=0 +ellps=GRS80 +units=m"],
  // Slovenia 1996 / Slovene National Grid
  [3794, "+proj=tmerc +lat_0=0 +lon_0=15 +k=0.9999 +x_0=500000 +y_0=-5000000 +ellps=GRS80 +units=m"],
  // ETRS89 / Belgian Lambert 2008
  [
    3812,
    "+proj=lcc +lat_0=50.797815 +lon_0=4.35921583333333 +lat_1=49.8333333333333 +lat_2=51.1666666666667 +x_0=649328 +y_0=665262 +ellps=GRS80 +units=m",
  ],
  // Pulkovo 1942(58) / Stereo70; by EPSG operation 15995, 3 m in: Romania
  [
    3844,
    "+proj=sterea +lat_0=46 +lon_0=25 +k=0.99975 +x_0=500000 +y_0=500000 +ellps=krass +units=m +towgs84=2.329,-147.042,-92.08,-0.309,0.325,0.497,5.69",
  ],
  // WGS 84 / Pseudo-Mercator
  [3857, "+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m"],
  // MGI 1901 / Slovene National Grid; by EPSG operation 8688, 1 m in: Slovenia - onshore
  [
    3912,
    "+proj=tmerc +lat_0=0 +lon_0=15 +k=0.9999 +x_0=500000 +y_0=-5000000 +ellps=bessel +units=m +towgs84=476.08,125.947,417.81,4.610862,2.388137,-11.942335,9.896638",
  ],
  // NAD83 / Canada Atlas Lambert
  [3978, "+proj=lcc +lat_0=49 +lon_0=-95 +lat_1=49 +lat_2=77 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // NAD83(CSRS) / Canada Atlas Lambert
  [3979, "+proj=lcc +lat_0=49 +lon_0=-95 +lat_1=49 +lat_2=77 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // WGS 84 / Arctic Polar Stereographic
  [3995, "+proj=stere +lat_0=90 +lat_ts=71 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m"],
  // WGS 84 / World Equidistant Cylindrical
  [4087, "+proj=eqc +lat_ts=0 +lat_0=0 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m"],
  // NZGD2000
  [4167, "+proj=longlat +ellps=GRS80"],
  // POSGAR 98
  [4190, "+proj=longlat +ellps=GRS80"],
  // Corrego Alegre 1970-72; by EPSG operation 6194, 5 m in: Brazil - Corrego Alegre 1970-1972
  [4225, "+proj=longlat +ellps=intl +towgs84=-206.05,168.28,-3.82"],
  // ETRS89
  [4258, "+proj=longlat +ellps=GRS80"],
  // NAD83
  [4269, "+proj=longlat +ellps=GRS80"],
  // OSGB36; by EPSG operation 1314, 2 m in: UK - Great Britain onshore and nearshore; Isle of Man
  [4277, "+proj=longlat +ellps=airy +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489"],
  // GDA94
  [4283, "+proj=longlat +ellps=GRS80"],
  // MGI; by EPSG operation 1618, 1.5 m in: Austria
  [4312, "+proj=longlat +ellps=bessel +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232"],
  // DHDN; by EPSG operation 1777, 3 m in: Germany - West Germany all states
  [4314, "+proj=longlat +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7"],
  // WGS 84
  [4326, "+proj=longlat +datum=WGS84"],
  // China Geodetic Coordinate System 2000
  [4490, "+proj=longlat +ellps=GRS80"],
  // JGD2000
  [4612, "+proj=longlat +ellps=GRS80"],
  // SAD69; by EPSG operation 5882, 5 m in: Brazil
  [4618, "+proj=longlat +ellps=aust_SA +towgs84=-67.35,3.88,-38.22"],
  // ETRS89 / UTM zone 32N (zE-N)
  [4647, "+proj=tmerc +lat_0=0 +lon_0=9 +k=0.9996 +x_0=32500000 +y_0=0 +ellps=GRS80 +units=m"],
  // SIRGAS 2000
  [4674, "+proj=longlat +ellps=GRS80"],
  // MAGNA-SIRGAS
  [4686, "+proj=longlat +ellps=GRS80"],
  // NAD83 / Conus Albers
  [5070, "+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // Korea 2000 / Unified CS
  [5179, "+proj=tmerc +lat_0=38 +lon_0=127.5 +k=0.9996 +x_0=1000000 +y_0=2000000 +ellps=GRS80 +units=m"],
  // Korea 2000 / Central Belt 2010
  [5186, "+proj=tmerc +lat_0=38 +lon_0=127 +k=1 +x_0=200000 +y_0=600000 +ellps=GRS80 +units=m"],
  // TUREF / TM27
  [5253, "+proj=tmerc +lat_0=0 +lon_0=27 +k=1 +x_0=500000 +y_0=0 +ellps=GRS80 +units=m"],
  // TUREF / TM30
  [5254, "+proj=tmerc +lat_0=0 +lon_0=30 +k=1 +x_0=500000 +y_0=0 +ellps=GRS80 +units=m"],
  // TUREF / TM33
  [5255, "+proj=tmerc +lat_0=0 +lon_0=33 +k=1 +x_0=500000 +y_0=0 +ellps=GRS80 +units=m"],
  // TUREF / TM36
  [5256, "+proj=tmerc +lat_0=0 +lon_0=36 +k=1 +x_0=500000 +y_0=0 +ellps=GRS80 +units=m"],
  // TUREF / TM39
  [5257, "+proj=tmerc +lat_0=0 +lon_0=39 +k=1 +x_0=500000 +y_0=0 +ellps=GRS80 +units=m"],
  // TUREF / TM42
  [5258, "+proj=tmerc +lat_0=0 +lon_0=42 +k=1 +x_0=500000 +y_0=0 +ellps=GRS80 +units=m"],
  // TUREF / TM45
  [5259, "+proj=tmerc +lat_0=0 +lon_0=45 +k=1 +x_0=500000 +y_0=0 +ellps=GRS80 +units=m"],
  // POSGAR 2007
  [5340, "+proj=longlat +ellps=WGS84"],
  // POSGAR 2007 / Argentina 1
  [5343, "+proj=tmerc +lat_0=-90 +lon_0=-72 +k=1 +x_0=1500000 +y_0=0 +ellps=WGS84 +units=m"],
  // POSGAR 2007 / Argentina 2
  [5344, "+proj=tmerc +lat_0=-90 +lon_0=-69 +k=1 +x_0=2500000 +y_0=0 +ellps=WGS84 +units=m"],
  // POSGAR 2007 / Argentina 3
  [5345, "+proj=tmerc +lat_0=-90 +lon_0=-66 +k=1 +x_0=3500000 +y_0=0 +ellps=WGS84 +units=m"],
  // POSGAR 2007 / Argentina 4
  [5346, "+proj=tmerc +lat_0=-90 +lon_0=-63 +k=1 +x_0=4500000 +y_0=0 +ellps=WGS84 +units=m"],
  // POSGAR 2007 / Argentina 5
  [5347, "+proj=tmerc +lat_0=-90 +lon_0=-60 +k=1 +x_0=5500000 +y_0=0 +ellps=WGS84 +units=m"],
  // POSGAR 2007 / Argentina 6
  [5348, "+proj=tmerc +lat_0=-90 +lon_0=-57 +k=1 +x_0=6500000 +y_0=0 +ellps=WGS84 +units=m"],
  // POSGAR 2007 / Argentina 7
  [5349, "+proj=tmerc +lat_0=-90 +lon_0=-54 +k=1 +x_0=7500000 +y_0=0 +ellps=WGS84 +units=m"],
  // SIRGAS-Chile 2002 / UTM zone 19S
  [5361, "+proj=utm +zone=19 +south +ellps=GRS80 +units=m"],
  // SIRGAS-Chile 2002 / UTM zone 18S
  [5362, "+proj=utm +zone=18 +south +ellps=GRS80 +units=m"],
  // CR05 / CRTM05
  [5367, "+proj=tmerc +lat_0=0 +lon_0=-84 +k=0.9999 +x_0=500000 +y_0=0 +ellps=WGS84 +units=m"],
  // SIRGAS-ROU98
  [5381, "+proj=longlat +ellps=WGS84"],
  // SIRGAS-ROU98 / UTM zone 21S
  [5382, "+proj=utm +zone=21 +south +ellps=WGS84 +units=m"],
  // SIRGAS-ROU98 / UTM zone 22S
  [5383, "+proj=utm +zone=22 +south +ellps=WGS84 +units=m"],
  // Peru96 / UTM zone 18S
  [5387, "+proj=utm +zone=18 +south +ellps=GRS80 +units=m"],
  // Peru96 / UTM zone 19S
  [5389, "+proj=utm +zone=19 +south +ellps=GRS80 +units=m"],
  // S-JTSK / Krovak East North; by EPSG operation 5239, 1 m in: Czechia
  [
    5514,
    "+proj=krovak +lat_0=49.5 +lon_0=24.8333333333333 +alpha=30.2881397527778 +k=0.9999 +x_0=0 +y_0=0 +ellps=bessel +units=m +towgs84=572.213,85.334,461.94,4.9732,1.529,5.2484,3.5378",
  ],
  // SIRGAS 2000 / Brazil Polyconic
  [5880, "+proj=poly +lat_0=0 +lon_0=-54 +x_0=5000000 +y_0=10000000 +ellps=GRS80 +units=m"],
  // Mexico ITRF92 / LCC
  [6362, "+proj=lcc +lat_0=12 +lon_0=-102 +lat_1=17.5 +lat_2=29.5 +x_0=2500000 +y_0=0 +ellps=GRS80 +units=m"],
  // Mexico ITRF2008 / LCC
  [6372, "+proj=lcc +lat_0=12 +lon_0=-102 +lat_1=17.5 +lat_2=29.5 +x_0=2500000 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011
  [6668, "+proj=longlat +ellps=GRS80"],
  // JGD2011 / Japan Plane Rectangular CS I
  [6669, "+proj=tmerc +lat_0=33 +lon_0=129.5 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS II
  [6670, "+proj=tmerc +lat_0=33 +lon_0=131 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS III
  [6671, "+proj=tmerc +lat_0=36 +lon_0=132.166666666667 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS IV
  [6672, "+proj=tmerc +lat_0=33 +lon_0=133.5 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS V
  [6673, "+proj=tmerc +lat_0=36 +lon_0=134.333333333333 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS VI
  [6674, "+proj=tmerc +lat_0=36 +lon_0=136 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS VII
  [6675, "+proj=tmerc +lat_0=36 +lon_0=137.166666666667 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS VIII
  [6676, "+proj=tmerc +lat_0=36 +lon_0=138.5 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS IX
  [6677, "+proj=tmerc +lat_0=36 +lon_0=139.833333333333 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS X
  [6678, "+proj=tmerc +lat_0=40 +lon_0=140.833333333333 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS XI
  [6679, "+proj=tmerc +lat_0=44 +lon_0=140.25 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS XII
  [6680, "+proj=tmerc +lat_0=44 +lon_0=142.25 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS XIII
  [6681, "+proj=tmerc +lat_0=44 +lon_0=144.25 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS XIV
  [6682, "+proj=tmerc +lat_0=26 +lon_0=142 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS XV
  [6683, "+proj=tmerc +lat_0=26 +lon_0=127.5 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS XVI
  [6684, "+proj=tmerc +lat_0=26 +lon_0=124 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS XVII
  [6685, "+proj=tmerc +lat_0=26 +lon_0=131 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS XVIII
  [6686, "+proj=tmerc +lat_0=20 +lon_0=136 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // JGD2011 / Japan Plane Rectangular CS XIX
  [6687, "+proj=tmerc +lat_0=26 +lon_0=154 +k=0.9999 +x_0=0 +y_0=0 +ellps=GRS80 +units=m"],
  // RDN2008 / UTM zone 32N (N-E)
  [6707, "+proj=utm +zone=32 +ellps=GRS80 +units=m"],
  // RDN2008 / UTM zone 33N (N-E)
  [6708, "+proj=utm +zone=33 +ellps=GRS80 +units=m"],
  // WGS 84 / NSIDC EASE-Grid 2.0 Global
  [6933, "+proj=cea +lat_ts=30 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m"],
  // WGS 84 / India NSF LCC
  [
    7755,
    "+proj=lcc +lat_0=24 +lon_0=80 +lat_1=12.472955 +lat_2=35.1728044444444 +x_0=4000000 +y_0=4000000 +datum=WGS84 +units=m",
  ],
  // BGS2005 / CCS2005
  [
    7801,
    "+proj=lcc +lat_0=42.6678756833333 +lon_0=25.5 +lat_1=42 +lat_2=43.3333333333333 +x_0=500000 +y_0=4725824.3591 +ellps=GRS80 +units=m",
  ],
  // GDA2020
  [7844, "+proj=longlat +ellps=GRS80"],
  // GDA2020 / MGA zone 46
  [7846, "+proj=utm +zone=46 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 47
  [7847, "+proj=utm +zone=47 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 48
  [7848, "+proj=utm +zone=48 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 49
  [7849, "+proj=utm +zone=49 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 50
  [7850, "+proj=utm +zone=50 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 51
  [7851, "+proj=utm +zone=51 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 52
  [7852, "+proj=utm +zone=52 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 53
  [7853, "+proj=utm +zone=53 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 54
  [7854, "+proj=utm +zone=54 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 55
  [7855, "+proj=utm +zone=55 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 56
  [7856, "+proj=utm +zone=56 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 57
  [7857, "+proj=utm +zone=57 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 58
  [7858, "+proj=utm +zone=58 +south +ellps=GRS80 +units=m"],
  // GDA2020 / MGA zone 59
  [7859, "+proj=utm +zone=59 +south +ellps=GRS80 +units=m"],
  // WGS 84 / Equal Earth Greenwich
  [8857, "+proj=eqearth +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m"],
  // MAGNA-SIRGAS / Origen-Nacional
  [9377, "+proj=tmerc +lat_0=4 +lon_0=-73 +k=0.9992 +x_0=5000000 +y_0=2000000 +ellps=GRS80 +units=m"],
  // SRGI2013
  [9470, "+proj=longlat +ellps=WGS84"],
  // CH1903 / LV03; by EPSG operation 1766, 1.5 m in: Europe - Liechtenstein and Switzerland
  [
    21781,
    "+proj=somerc +lat_0=46.9524055555556 +lon_0=7.43958333333333 +k_0=1 +x_0=600000 +y_0=200000 +ellps=bessel +units=m +towgs84=674.374,15.056,405.346",
  ],
  // Corrego Alegre 1970-72 / UTM zone 21S; by EPSG operation 6194, 5 m in: Brazil - Corrego Alegre 1970-1972
  [22521, "+proj=utm +zone=21 +south +ellps=intl +units=m +towgs84=-206.05,168.28,-3.82"],
  // Corrego Alegre 1970-72 / UTM zone 22S; by EPSG operation 6194, 5 m in: Brazil - Corrego Alegre 1970-1972
  [22522, "+proj=utm +zone=22 +south +ellps=intl +units=m +towgs84=-206.05,168.28,-3.82"],
  // Corrego Alegre 1970-72 / UTM zone 23S; by EPSG operation 6194, 5 m in: Brazil - Corrego Alegre 1970-1972
  [22523, "+proj=utm +zone=23 +south +ellps=intl +units=m +towgs84=-206.05,168.28,-3.82"],
  // Corrego Alegre 1970-72 / UTM zone 24S; by EPSG operation 6194, 5 m in: Brazil - Corrego Alegre 1970-1972
  [22524, "+proj=utm +zone=24 +south +ellps=intl +units=m +towgs84=-206.05,168.28,-3.82"],
  // Corrego Alegre 1970-72 / UTM zone 25S; by EPSG operation 6194, 5 m in: Brazil - Corrego Alegre 1970-1972
  [22525, "+proj=utm +zone=25 +south +ellps=intl +units=m +towgs84=-206.05,168.28,-3.82"],
  // ED50 / UTM zone 30N; by EPSG operation 1633, 1.5 m in: Spain - mainland except northwest
  [23030, "+proj=utm +zone=30 +ellps=intl +units=m +towgs84=-131,-100.3,-163.4,-1.244,-0.02,-1.144,9.39"],
  // ED50 / UTM zone 31N; by EPSG operation 1275, 2 m in: France
  [23031, "+proj=utm +zone=31 +ellps=intl +units=m +towgs84=-84,-97,-117"],
  // ED50 / UTM zone 32N; by EPSG operation 1134, 6 m in: Europe - west central (by country)
  [23032, "+proj=utm +zone=32 +ellps=intl +units=m +towgs84=-87,-96,-120"],
  // ED50 / UTM zone 33N; by EPSG operation 1134, 6 m in: Europe - west central (by country)
  [23033, "+proj=utm +zone=33 +ellps=intl +units=m +towgs84=-87,-96,-120"],
  // ED50 / UTM zone 35N; by EPSG operation 1784, 2 m in: Turkey
  [23035, "+proj=utm +zone=35 +ellps=intl +units=m +towgs84=-84.1,-101.8,-129.7,0,0,0.468,1.05"],
  // ED50 / UTM zone 36N; by EPSG operation 1784, 2 m in: Turkey
  [23036, "+proj=utm +zone=36 +ellps=intl +units=m +towgs84=-84.1,-101.8,-129.7,0,0,0.468,1.05"],
  // ED50 / UTM zone 37N; by EPSG operation 1784, 2 m in: Turkey
  [23037, "+proj=utm +zone=37 +ellps=intl +units=m +towgs84=-84.1,-101.8,-129.7,0,0,0.468,1.05"],
  // ED50 / UTM zone 38N; by EPSG operation 1784, 2 m in: Turkey
  [23038, "+proj=utm +zone=38 +ellps=intl +units=m +towgs84=-84.1,-101.8,-129.7,0,0,0.468,1.05"],
  // HD72 / EOV; by EPSG operation 1448, 1 m in: Hungary
  [
    23700,
    "+proj=somerc +lat_0=47.1443937222222 +lon_0=19.0485717777778 +k_0=0.99993 +x_0=650000 +y_0=200000 +ellps=GRS67 +units=m +towgs84=52.684,-71.194,-13.975,-0.312,-0.1063,-0.3729,1.0191",
  ],
  // DGN95 / Indonesia TM-3 zone 46.2
  [23830, "+proj=tmerc +lat_0=0 +lon_0=94.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 47.1
  [23831, "+proj=tmerc +lat_0=0 +lon_0=97.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 47.2
  [23832, "+proj=tmerc +lat_0=0 +lon_0=100.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 48.1
  [23833, "+proj=tmerc +lat_0=0 +lon_0=103.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 48.2
  [23834, "+proj=tmerc +lat_0=0 +lon_0=106.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 49.1
  [23835, "+proj=tmerc +lat_0=0 +lon_0=109.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 49.2
  [23836, "+proj=tmerc +lat_0=0 +lon_0=112.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 50.1
  [23837, "+proj=tmerc +lat_0=0 +lon_0=115.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 50.2
  [23838, "+proj=tmerc +lat_0=0 +lon_0=118.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 51.1
  [23839, "+proj=tmerc +lat_0=0 +lon_0=121.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 51.2
  [23840, "+proj=tmerc +lat_0=0 +lon_0=124.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 52.1
  [23841, "+proj=tmerc +lat_0=0 +lon_0=127.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 52.2
  [23842, "+proj=tmerc +lat_0=0 +lon_0=130.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 53.1
  [23843, "+proj=tmerc +lat_0=0 +lon_0=133.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 53.2
  [23844, "+proj=tmerc +lat_0=0 +lon_0=136.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // DGN95 / Indonesia TM-3 zone 54.1
  [23845, "+proj=tmerc +lat_0=0 +lon_0=139.5 +k=0.9999 +x_0=200000 +y_0=1500000 +ellps=WGS84 +units=m"],
  // Indian 1975 / UTM zone 47N; by EPSG operation 1304, 5 m in: Thailand - onshore and Gulf of Thailand
  [24047, "+proj=utm +zone=47 +ellps=evrst30 +units=m +towgs84=210,814,289"],
  // Indian 1975 / UTM zone 48N; by EPSG operation 1304, 5 m in: Thailand - onshore and Gulf of Thailand
  [24048, "+proj=utm +zone=48 +ellps=evrst30 +units=m +towgs84=210,814,289"],
  // ETRS89 / UTM zone 28N
  [25828, "+proj=utm +zone=28 +ellps=GRS80 +units=m"],
  // ETRS89 / UTM zone 29N
  [25829, "+proj=utm +zone=29 +ellps=GRS80 +units=m"],
  // ETRS89 / UTM zone 30N
  [25830, "+proj=utm +zone=30 +ellps=GRS80 +units=m"],
  // ETRS89 / UTM zone 31N
  [25831, "+proj=utm +zone=31 +ellps=GRS80 +units=m"],
  // ETRS89 / UTM zone 32N
  [25832, "+proj=utm +zone=32 +ellps=GRS80 +units=m"],
  // ETRS89 / UTM zone 33N
  [25833, "+proj=utm +zone=33 +ellps=GRS80 +units=m"],
  // ETRS89 / UTM zone 34N
  [25834, "+proj=utm +zone=34 +ellps=GRS80 +units=m"],
  // ETRS89 / UTM zone 35N
  [25835, "+proj=utm +zone=35 +ellps=GRS80 +units=m"],
  // ETRS89 / UTM zone 36N
  [25836, "+proj=utm +zone=36 +ellps=GRS80 +units=m"],
  // ETRS89 / UTM zone 37N
  [25837, "+proj=utm +zone=37 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 1N
  [26901, "+proj=utm +zone=1 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 2N
  [26902, "+proj=utm +zone=2 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 3N
  [26903, "+proj=utm +zone=3 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 4N
  [26904, "+proj=utm +zone=4 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 5N
  [26905, "+proj=utm +zone=5 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 6N
  [26906, "+proj=utm +zone=6 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 7N
  [26907, "+proj=utm +zone=7 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 8N
  [26908, "+proj=utm +zone=8 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 9N
  [26909, "+proj=utm +zone=9 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 10N
  [26910, "+proj=utm +zone=10 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 11N
  [26911, "+proj=utm +zone=11 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 12N
  [26912, "+proj=utm +zone=12 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 13N
  [26913, "+proj=utm +zone=13 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 14N
  [26914, "+proj=utm +zone=14 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 15N
  [26915, "+proj=utm +zone=15 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 16N
  [26916, "+proj=utm +zone=16 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 17N
  [26917, "+proj=utm +zone=17 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 18N
  [26918, "+proj=utm +zone=18 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 19N
  [26919, "+proj=utm +zone=19 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 20N
  [26920, "+proj=utm +zone=20 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 21N
  [26921, "+proj=utm +zone=21 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 22N
  [26922, "+proj=utm +zone=22 +ellps=GRS80 +units=m"],
  // NAD83 / UTM zone 23N
  [26923, "+proj=utm +zone=23 +ellps=GRS80 +units=m"],
  // NTF (Paris) / Lambert zone II; by EPSG operation 1193, 2 m in: France - onshore - mainland and Corsica
  [
    27572,
    "+proj=lcc +lat_1=46.8 +lat_0=46.8 +lon_0=0 +k_0=0.99987742 +x_0=600000 +y_0=2200000 +ellps=clrk80ign +pm=paris +units=m +towgs84=-168,-60,320",
  ],
  // OSGB36 / British National Grid; by EPSG operation 1314, 2 m in: UK - Great Britain onshore and nearshore; Isle of Man
  [
    27700,
    "+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +units=m +towgs84=446.448,-125.157,542.06,0.15,0.247,0.842,-20.489",
  ],
  // GDA94 / MGA zone 48
  [28348, "+proj=utm +zone=48 +south +ellps=GRS80 +units=m"],
  // GDA94 / MGA zone 49
  [28349, "+proj=utm +zone=49 +south +ellps=GRS80 +units=m"],
  // GDA94 / MGA zone 50
  [28350, "+proj=utm +zone=50 +south +ellps=GRS80 +units=m"],
  // GDA94 / MGA zone 51
  [28351, "+proj=utm +zone=51 +south +ellps=GRS80 +units=m"],
  // GDA94 / MGA zone 52
  [28352, "+proj=utm +zone=52 +south +ellps=GRS80 +units=m"],
  // GDA94 / MGA zone 53
  [28353, "+proj=utm +zone=53 +south +ellps=GRS80 +units=m"],
  // GDA94 / MGA zone 54
  [28354, "+proj=utm +zone=54 +south +ellps=GRS80 +units=m"],
  // GDA94 / MGA zone 55
  [28355, "+proj=utm +zone=55 +south +ellps=GRS80 +units=m"],
  // GDA94 / MGA zone 56
  [28356, "+proj=utm +zone=56 +south +ellps=GRS80 +units=m"],
  // GDA94 / MGA zone 57
  [28357, "+proj=utm +zone=57 +south +ellps=GRS80 +units=m"],
  // GDA94 / MGA zone 58
  [28358, "+proj=utm +zone=58 +south +ellps=GRS80 +units=m"],
  // Amersfoort / RD New; by EPSG operation 9281, 0.25 m in: Netherlands - onshore
  [
    28992,
    "+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel +units=m +towgs84=565.7381,50.4018,465.2904,-0.395025981036064,0.330772431242031,-1.87607329462822,4.07244",
  ],
  // SAD69 / UTM zone 20N; by EPSG operation 5882, 5 m in: Brazil
  [29170, "+proj=utm +zone=20 +ellps=aust_SA +units=m +towgs84=-67.35,3.88,-38.22"],
  // SAD69 / UTM zone 21N; by EPSG operation 5882, 5 m in: Brazil
  [29171, "+proj=utm +zone=21 +ellps=aust_SA +units=m +towgs84=-67.35,3.88,-38.22"],
  // SAD69 / UTM zone 22N; by EPSG operation 5882, 5 m in: Brazil
  [29172, "+proj=utm +zone=22 +ellps=aust_SA +units=m +towgs84=-67.35,3.88,-38.22"],
  // SAD69 / UTM zone 18S; by EPSG operation 5882, 5 m in: Brazil
  [29188, "+proj=utm +zone=18 +south +ellps=aust_SA +units=m +towgs84=-67.35,3.88,-38.22"],
  // SAD69 / UTM zone 19S; by EPSG operation 5882, 5 m in: Brazil
  [29189, "+proj=utm +zone=19 +south +ellps=aust_SA +units=m +towgs84=-67.35,3.88,-38.22"],
  // SAD69 / UTM zone 20S; by EPSG operation 5882, 5 m in: Brazil
  [29190, "+proj=utm +zone=20 +south +ellps=aust_SA +units=m +towgs84=-67.35,3.88,-38.22"],
  // SAD69 / UTM zone 21S; by EPSG operation 5882, 5 m in: Brazil
  [29191, "+proj=utm +zone=21 +south +ellps=aust_SA +units=m +towgs84=-67.35,3.88,-38.22"],
  // SAD69 / UTM zone 22S; by EPSG operation 5882, 5 m in: Brazil
  [29192, "+proj=utm +zone=22 +south +ellps=aust_SA +units=m +towgs84=-67.35,3.88,-38.22"],
  // SAD69 / UTM zone 23S; by EPSG operation 5882, 5 m in: Brazil
  [29193, "+proj=utm +zone=23 +south +ellps=aust_SA +units=m +towgs84=-67.35,3.88,-38.22"],
  // SAD69 / UTM zone 24S; by EPSG operation 5882, 5 m in: Brazil
  [29194, "+proj=utm +zone=24 +south +ellps=aust_SA +units=m +towgs84=-67.35,3.88,-38.22"],
  // SAD69 / UTM zone 25S; by EPSG operation 5882, 5 m in: Brazil
  [29195, "+proj=utm +zone=25 +south +ellps=aust_SA +units=m +towgs84=-67.35,3.88,-38.22"],
  // TM75 / Irish Grid; by EPSG operation 1954, 1 m in: Europe - Ireland (Republic and Ulster) - onshore
  [
    29903,
    "+proj=tmerc +lat_0=53.5 +lon_0=-8 +k=1.000035 +x_0=200000 +y_0=250000 +a=6377340.189 +rf=299.3249646 +units=m +towgs84=482.5,-130.6,564.6,-1.042,-0.214,-0.631,8.15",
  ],
  // MGI / Austria GK West; by EPSG operation 1618, 1.5 m in: Austria
  [
    31254,
    "+proj=tmerc +lat_0=0 +lon_0=10.3333333333333 +k=1 +x_0=0 +y_0=-5000000 +ellps=bessel +units=m +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232",
  ],
  // MGI / Austria GK Central; by EPSG operation 1618, 1.5 m in: Austria
  [
    31255,
    "+proj=tmerc +lat_0=0 +lon_0=13.3333333333333 +k=1 +x_0=0 +y_0=-5000000 +ellps=bessel +units=m +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232",
  ],
  // MGI / Austria GK East; by EPSG operation 1618, 1.5 m in: Austria
  [
    31256,
    "+proj=tmerc +lat_0=0 +lon_0=16.3333333333333 +k=1 +x_0=0 +y_0=-5000000 +ellps=bessel +units=m +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232",
  ],
  // MGI / Austria GK M28; by EPSG operation 1618, 1.5 m in: Austria
  [
    31257,
    "+proj=tmerc +lat_0=0 +lon_0=10.3333333333333 +k=1 +x_0=150000 +y_0=-5000000 +ellps=bessel +units=m +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232",
  ],
  // MGI / Austria GK M31; by EPSG operation 1618, 1.5 m in: Austria
  [
    31258,
    "+proj=tmerc +lat_0=0 +lon_0=13.3333333333333 +k=1 +x_0=450000 +y_0=-5000000 +ellps=bessel +units=m +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232",
  ],
  // MGI / Austria GK M34; by EPSG operation 1618, 1.5 m in: Austria
  [
    31259,
    "+proj=tmerc +lat_0=0 +lon_0=16.3333333333333 +k=1 +x_0=750000 +y_0=-5000000 +ellps=bessel +units=m +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232",
  ],
  // MGI / Austria Lambert; by EPSG operation 1618, 1.5 m in: Austria
  [
    31287,
    "+proj=lcc +lat_0=47.5 +lon_0=13.3333333333333 +lat_1=49 +lat_2=46 +x_0=400000 +y_0=400000 +ellps=bessel +units=m +towgs84=577.326,90.129,463.919,5.137,1.474,5.297,2.4232",
  ],
  // BD72 / Belgian Lambert 72; by EPSG operation 15929, 1 m in: Belgium - onshore
  [
    31370,
    "+proj=lcc +lat_0=90 +lon_0=4.36748666666667 +lat_1=51.1666672333333 +lat_2=49.8333339 +x_0=150000.013 +y_0=5400088.438 +ellps=intl +units=m +towgs84=-106.8686,52.2978,-103.7239,0.3366,-0.457,1.8422,-1.2747",
  ],
  // DHDN / 3-degree Gauss-Kruger zone 2; by EPSG operation 1777, 3 m in: Germany - West Germany all states
  [
    31466,
    "+proj=tmerc +lat_0=0 +lon_0=6 +k=1 +x_0=2500000 +y_0=0 +ellps=bessel +units=m +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7",
  ],
  // DHDN / 3-degree Gauss-Kruger zone 3; by EPSG operation 1777, 3 m in: Germany - West Germany all states
  [
    31467,
    "+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +y_0=0 +ellps=bessel +units=m +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7",
  ],
  // DHDN / 3-degree Gauss-Kruger zone 4; by EPSG operation 1777, 3 m in: Germany - West Germany all states
  [
    31468,
    "+proj=tmerc +lat_0=0 +lon_0=12 +k=1 +x_0=4500000 +y_0=0 +ellps=bessel +units=m +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7",
  ],
  // DHDN / 3-degree Gauss-Kruger zone 5; by EPSG operation 1777, 3 m in: Germany - West Germany all states
  [
    31469,
    "+proj=tmerc +lat_0=0 +lon_0=15 +k=1 +x_0=5500000 +y_0=0 +ellps=bessel +units=m +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7",
  ],
  // SIRGAS 2000 / UTM zone 11N
  [31965, "+proj=utm +zone=11 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 12N
  [31966, "+proj=utm +zone=12 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 13N
  [31967, "+proj=utm +zone=13 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 14N
  [31968, "+proj=utm +zone=14 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 15N
  [31969, "+proj=utm +zone=15 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 16N
  [31970, "+proj=utm +zone=16 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 17N
  [31971, "+proj=utm +zone=17 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 18N
  [31972, "+proj=utm +zone=18 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 19N
  [31973, "+proj=utm +zone=19 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 20N
  [31974, "+proj=utm +zone=20 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 21N
  [31975, "+proj=utm +zone=21 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 22N
  [31976, "+proj=utm +zone=22 +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 17S
  [31977, "+proj=utm +zone=17 +south +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 18S
  [31978, "+proj=utm +zone=18 +south +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 19S
  [31979, "+proj=utm +zone=19 +south +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 20S
  [31980, "+proj=utm +zone=20 +south +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 21S
  [31981, "+proj=utm +zone=21 +south +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 22S
  [31982, "+proj=utm +zone=22 +south +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 23S
  [31983, "+proj=utm +zone=23 +south +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 24S
  [31984, "+proj=utm +zone=24 +south +ellps=GRS80 +units=m"],
  // SIRGAS 2000 / UTM zone 25S
  [31985, "+proj=utm +zone=25 +south +ellps=GRS80 +units=m"],
  // WGS 84 / UTM zone 1N
  [32601, "+proj=utm +zone=1 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 2N
  [32602, "+proj=utm +zone=2 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 3N
  [32603, "+proj=utm +zone=3 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 4N
  [32604, "+proj=utm +zone=4 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 5N
  [32605, "+proj=utm +zone=5 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 6N
  [32606, "+proj=utm +zone=6 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 7N
  [32607, "+proj=utm +zone=7 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 8N
  [32608, "+proj=utm +zone=8 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 9N
  [32609, "+proj=utm +zone=9 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 10N
  [32610, "+proj=utm +zone=10 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 11N
  [32611, "+proj=utm +zone=11 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 12N
  [32612, "+proj=utm +zone=12 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 13N
  [32613, "+proj=utm +zone=13 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 14N
  [32614, "+proj=utm +zone=14 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 15N
  [32615, "+proj=utm +zone=15 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 16N
  [32616, "+proj=utm +zone=16 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 17N
  [32617, "+proj=utm +zone=17 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 18N
  [32618, "+proj=utm +zone=18 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 19N
  [32619, "+proj=utm +zone=19 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 20N
  [32620, "+proj=utm +zone=20 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 21N
  [32621, "+proj=utm +zone=21 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 22N
  [32622, "+proj=utm +zone=22 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 23N
  [32623, "+proj=utm +zone=23 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 24N
  [32624, "+proj=utm +zone=24 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 25N
  [32625, "+proj=utm +zone=25 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 26N
  [32626, "+proj=utm +zone=26 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 27N
  [32627, "+proj=utm +zone=27 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 28N
  [32628, "+proj=utm +zone=28 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 29N
  [32629, "+proj=utm +zone=29 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 30N
  [32630, "+proj=utm +zone=30 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 31N
  [32631, "+proj=utm +zone=31 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 32N
  [32632, "+proj=utm +zone=32 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 33N
  [32633, "+proj=utm +zone=33 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 34N
  [32634, "+proj=utm +zone=34 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 35N
  [32635, "+proj=utm +zone=35 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 36N
  [32636, "+proj=utm +zone=36 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 37N
  [32637, "+proj=utm +zone=37 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 38N
  [32638, "+proj=utm +zone=38 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 39N
  [32639, "+proj=utm +zone=39 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 40N
  [32640, "+proj=utm +zone=40 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 41N
  [32641, "+proj=utm +zone=41 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 42N
  [32642, "+proj=utm +zone=42 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 43N
  [32643, "+proj=utm +zone=43 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 44N
  [32644, "+proj=utm +zone=44 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 45N
  [32645, "+proj=utm +zone=45 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 46N
  [32646, "+proj=utm +zone=46 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 47N
  [32647, "+proj=utm +zone=47 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 48N
  [32648, "+proj=utm +zone=48 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 49N
  [32649, "+proj=utm +zone=49 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 50N
  [32650, "+proj=utm +zone=50 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 51N
  [32651, "+proj=utm +zone=51 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 52N
  [32652, "+proj=utm +zone=52 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 53N
  [32653, "+proj=utm +zone=53 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 54N
  [32654, "+proj=utm +zone=54 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 55N
  [32655, "+proj=utm +zone=55 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 56N
  [32656, "+proj=utm +zone=56 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 57N
  [32657, "+proj=utm +zone=57 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 58N
  [32658, "+proj=utm +zone=58 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 59N
  [32659, "+proj=utm +zone=59 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 60N
  [32660, "+proj=utm +zone=60 +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 1S
  [32701, "+proj=utm +zone=1 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 2S
  [32702, "+proj=utm +zone=2 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 3S
  [32703, "+proj=utm +zone=3 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 4S
  [32704, "+proj=utm +zone=4 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 5S
  [32705, "+proj=utm +zone=5 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 6S
  [32706, "+proj=utm +zone=6 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 7S
  [32707, "+proj=utm +zone=7 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 8S
  [32708, "+proj=utm +zone=8 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 9S
  [32709, "+proj=utm +zone=9 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 10S
  [32710, "+proj=utm +zone=10 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 11S
  [32711, "+proj=utm +zone=11 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 12S
  [32712, "+proj=utm +zone=12 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 13S
  [32713, "+proj=utm +zone=13 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 14S
  [32714, "+proj=utm +zone=14 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 15S
  [32715, "+proj=utm +zone=15 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 16S
  [32716, "+proj=utm +zone=16 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 17S
  [32717, "+proj=utm +zone=17 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 18S
  [32718, "+proj=utm +zone=18 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 19S
  [32719, "+proj=utm +zone=19 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 20S
  [32720, "+proj=utm +zone=20 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 21S
  [32721, "+proj=utm +zone=21 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 22S
  [32722, "+proj=utm +zone=22 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 23S
  [32723, "+proj=utm +zone=23 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 24S
  [32724, "+proj=utm +zone=24 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 25S
  [32725, "+proj=utm +zone=25 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 26S
  [32726, "+proj=utm +zone=26 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 27S
  [32727, "+proj=utm +zone=27 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 28S
  [32728, "+proj=utm +zone=28 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 29S
  [32729, "+proj=utm +zone=29 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 30S
  [32730, "+proj=utm +zone=30 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 31S
  [32731, "+proj=utm +zone=31 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 32S
  [32732, "+proj=utm +zone=32 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 33S
  [32733, "+proj=utm +zone=33 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 34S
  [32734, "+proj=utm +zone=34 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 35S
  [32735, "+proj=utm +zone=35 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 36S
  [32736, "+proj=utm +zone=36 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 37S
  [32737, "+proj=utm +zone=37 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 38S
  [32738, "+proj=utm +zone=38 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 39S
  [32739, "+proj=utm +zone=39 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 40S
  [32740, "+proj=utm +zone=40 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 41S
  [32741, "+proj=utm +zone=41 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 42S
  [32742, "+proj=utm +zone=42 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 43S
  [32743, "+proj=utm +zone=43 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 44S
  [32744, "+proj=utm +zone=44 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 45S
  [32745, "+proj=utm +zone=45 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 46S
  [32746, "+proj=utm +zone=46 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 47S
  [32747, "+proj=utm +zone=47 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 48S
  [32748, "+proj=utm +zone=48 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 49S
  [32749, "+proj=utm +zone=49 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 50S
  [32750, "+proj=utm +zone=50 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 51S
  [32751, "+proj=utm +zone=51 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 52S
  [32752, "+proj=utm +zone=52 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 53S
  [32753, "+proj=utm +zone=53 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 54S
  [32754, "+proj=utm +zone=54 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 55S
  [32755, "+proj=utm +zone=55 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 56S
  [32756, "+proj=utm +zone=56 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 57S
  [32757, "+proj=utm +zone=57 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 58S
  [32758, "+proj=utm +zone=58 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 59S
  [32759, "+proj=utm +zone=59 +south +datum=WGS84 +units=m"],
  // WGS 84 / UTM zone 60S
  [32760, "+proj=utm +zone=60 +south +datum=WGS84 +units=m"],
]);
