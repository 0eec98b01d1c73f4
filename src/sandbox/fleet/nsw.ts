import { battery, facility, units } from "./facility.ts";

export const NSW1 = [
  facility("BAYSW Bayswater", [-32.395, 150.949], units("BW01 BW02 BW03 BW04", ["coal_black", 660])),
  facility(
    "LIDDELL Liddell",
    [-32.371, 150.978],
    units("LD03", ["coal_black", 500], { to: "2022-04-01" }),
    units("LD01 LD02 LD04", ["coal_black", 500], { to: "2023-04-28" }),
  ),
  facility("ERARING Eraring", [-33.062, 151.52], units("ER01 ER02 ER03 ER04", ["coal_black", 720])),
  facility("MP Mt Piper", [-33.359, 150.032], units("MP1 MP2", ["coal_black", 700])),
  facility("VP Vales Point B", [-33.16, 151.545], units("VP5 VP6", ["coal_black", 660])),
  facility("TALWA1 Tallawarra", [-34.523, 150.808], units("TALWA1", ["gas_ccgt", 440], { from: "2009-01-20" })),
  facility("COLONGRA Colongra", [-33.212, 151.545], units("CG1 CG2 CG3 CG4", ["gas_ocgt", 181], { from: "2009-12-10" })),
  facility("URANQ Uranquinty", [-35.176, 147.216], units("URANQ11 URANQ12 URANQ13 URANQ14", ["gas_ocgt", 166], { from: "2008-10-02" })),
  facility("TUMUT3 Tumut 3", [-35.611, 148.291], units("TUMUT3", ["hydro", 1800])),
  facility("UPPTUMUT Upper Tumut", [-35.953, 148.362], units("UPPTUMUT", ["hydro", 616])),
  facility("APPIN Appin", [-34.206, 150.788], units("APPIN", ["gas_wcmg", 56])),
  facility("BROADWTR Broadwater", [-29.013, 153.425], units("BWTR1", ["bioenergy_biomass", 38], { from: "2009-03-16" })),
  facility("BOCORWF1 Boco Rock", [-36.593, 149.148], units("BOCORWF1", ["wind", 113], { from: "2014-10-12" })),
  facility("SAPHWF1 Sapphire", [-29.715, 151.461], units("SAPHWF1", ["wind", 270], { from: "2018-02-06" })),
  facility("RYEPARK Rye Park", [-34.526, 148.896], units("RYEPARK1", ["wind", 396], { from: "2023-08-14" })),
  facility("NYNGAN Nyngan", [-31.566, 147.077], units("NYNGAN1", ["solar_utility", 102], { from: "2015-03-26" })),
  facility("DARLSF Darlington Point", [-34.655, 145.999], units("DARLSF1", ["solar_utility", 275], { from: "2020-06-19" })),
  facility("NEWENSF New England", [-30.575, 151.63], units("NEWENSF1 NEWENSF2", ["solar_utility", 200], { from: "2022-10-18" })),
  facility("WALGRV Wallgrove", [-33.79, 150.847], battery("WALGRV", { megawatts: 50, storage: 75 }, { from: "2021-11-08" })),
  facility(
    "WTAHB Waratah Super Battery",
    [-33.214, 151.541],
    battery("WTAHB", { megawatts: 850, storage: 1680 }, { from: "2025-02-24", status: "commissioning" }),
  ),
];
