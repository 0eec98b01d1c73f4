import { battery, facility, units } from "./facility.ts";

export const VIC1 = [
  facility("LOYYANGA Loy Yang A", [-38.254, 146.575], units("LYA1 LYA2 LYA3 LYA4", ["coal_brown", 560])),
  facility("LOYYANGB Loy Yang B", [-38.256, 146.589], units("LOYYB1 LOYYB2", ["coal_brown", 580])),
  facility("YALLOURN Yallourn W", [-38.178, 146.345], units("YWPS1 YWPS2 YWPS3 YWPS4", ["coal_brown", 370])),
  facility(
    "HAZELWOOD Hazelwood",
    [-38.272, 146.392],
    units("HWPS1 HWPS2 HWPS3 HWPS4 HWPS5 HWPS6 HWPS7 HWPS8", ["coal_brown", 200], { to: "2017-03-31" }),
  ),
  facility("NPSD Newport", [-37.842, 144.895], units("NPS", ["gas_steam", 510])),
  facility("JLA Jeeralang A", [-38.278, 146.428], units("JLA01 JLA02 JLA03 JLA04", ["gas_ocgt", 51])),
  facility("MORTLAKE Mortlake", [-38.072, 142.683], units("MORTLK11 MORTLK12", ["gas_ocgt", 283], { from: "2012-01-25" })),
  facility("VPGS Valley Power", [-38.251, 146.584], units("VPGS1 VPGS2 VPGS3", ["gas_ocgt", 100], { from: "2002-02-01" })),
  facility("MURRAY Murray", [-36.246, 148.191], units("MURRAY", ["hydro", 1502])),
  facility("DARTM Dartmouth", [-36.557, 147.523], units("DARTM1", ["hydro", 185])),
  facility("MCKAY McKay Creek", [-36.834, 147.24], units("MCKAY1", ["hydro", 300])),
  facility("MACARTH Macarthur", [-38.049, 142.19], units("MACARTH1", ["wind", 420], { from: "2012-10-04" })),
  facility("ARWF Ararat", [-37.262, 143.069], units("ARWF1", ["wind", 240], { from: "2016-08-19" })),
  facility("STOCKYD Stockyard Hill", [-37.563, 143.323], units("STOCKYD1", ["wind", 532], { from: "2021-03-30" })),
  facility("DUNDWF Dundonnell", [-37.793, 142.972], units("DUNDWF1 DUNDWF2", ["wind", 168], { from: "2020-03-09" })),
  facility("BANN Bannerton", [-34.702, 142.781], units("BANN1", ["solar_utility", 88], { from: "2018-07-25" })),
  facility("KARSF Karadoc", [-34.387, 142.22], units("KARSF1", ["solar_utility", 90], { from: "2018-12-11" })),
  facility("GLRWN Glenrowan", [-36.454, 146.189], units("GLRWNSF1", ["solar_utility", 102], { from: "2023-05-16" })),
  facility("GANNBESS Gannawarra", [-35.749, 143.77], battery("GANNB", { megawatts: 25, storage: 50 }, { from: "2018-10-30" })),
  facility("VBB Victorian Big Battery", [-38.034, 144.315], battery("VBB", { megawatts: 300, storage: 450 }, { from: "2021-11-05" })),
];
