import { battery, facility, units } from "./facility.ts";

export const WEM = [
  facility("COLLIE Collie", [-33.345, 116.264], units("COLLIE_G1", ["coal_black", 318])),
  facility(
    "MUJA Muja",
    [-33.446, 116.307],
    units("MUJA_G5", ["coal_black", 196], { to: "2022-09-30" }),
    units("MUJA_G6", ["coal_black", 194]),
    units("MUJA_G7 MUJA_G8", ["coal_black", 211]),
  ),
  facility(
    "BLUEWATERS Bluewaters",
    [-33.332, 116.227],
    units("BW1_BLUEWATERS_G2 BW2_BLUEWATERS_G1", ["coal_black", 217], { from: "2009-01-15" }),
  ),
  facility("COCKBURN Cockburn", [-32.203, 115.776], units("COCKBURN_CCG1", ["gas_ccgt", 240])),
  facility("NEWGEN_KWINANA NewGen Kwinana", [-32.198, 115.777], units("NEWGEN_KWINANA_CCG1", ["gas_ccgt", 335], { from: "2008-07-10" })),
  facility("KWINANA Kwinana", [-32.199, 115.779], units("KWINANA_G5 KWINANA_G6", ["gas_steam", 185], { to: "2015-09-30" })),
  facility("PINJAR Pinjar", [-31.559, 115.816], units("PINJAR_GT1 PINJAR_GT2 PINJAR_GT9 PINJAR_GT10 PINJAR_GT11", ["gas_ocgt", 114])),
  facility(
    "ALINTA_WGP Alinta Wagerup",
    [-32.915, 115.907],
    units("ALINTA_WGP_GT ALINTA_WGP_U2", ["gas_ocgt", 190], { from: "2007-04-12" }),
  ),
  facility("ALINTA_PNJ Alinta Pinjarra", [-32.645, 115.945], units("ALINTA_PNJ_U1 ALINTA_PNJ_U2", ["gas_ocgt", 143])),
  facility("NEERABUP NewGen Neerabup", [-31.672, 115.786], units("NEWGEN_NEERABUP_GT1", ["gas_ocgt", 342], { from: "2009-07-30" })),
  facility("WEST_KALGOORLIE West Kalgoorlie", [-30.763, 121.431], units("WEST_KALGOORLIE_GT2", ["distillate", 38])),
  facility("RED_HILL Red Hill", [-31.833, 116.104], units("RED_HILL", ["bioenergy_biogas", 4])),
  facility("ALINTA_WWF Walkaway", [-28.904, 114.886], units("ALINTA_WWF", ["wind", 89])),
  facility("ALBANY_WF Albany", [-35.067, 117.794], units("ALBANY_WF1", ["wind", 22])),
  facility("COLLGAR Collgar", [-31.62, 118.46], units("INVESTEC_COLLGAR_WF1", ["wind", 219], { from: "2011-05-17" })),
  facility("YANDIN Yandin", [-30.725, 115.561], units("YANDIN_WF1", ["wind", 212], { from: "2020-09-03" })),
  facility(
    "GREENOUGH_RIVER Greenough River",
    [-28.895, 115.113],
    units("GREENOUGH_RIVER_PV1", ["solar_utility", 40], { from: "2012-08-22" }),
  ),
  facility("MERSOLAR Merredin", [-31.528, 118.221], units("MERSOLAR_PV1", ["solar_utility", 100], { from: "2020-04-20" })),
  facility(
    "KWINANA_ESR Kwinana Battery",
    [-32.2, 115.775],
    battery("KWINANA_ESR", { megawatts: 100, storage: 200 }, { from: "2023-05-12" }),
  ),
  facility(
    "COLLIE_ESR Collie Battery",
    [-33.344, 116.262],
    battery("COLLIE_ESR", { megawatts: 219, storage: 877 }, { from: "2024-10-03" }),
  ),
];
