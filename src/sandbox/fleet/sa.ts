import { battery, facility, units } from "./facility.ts";

export const SA1 = [
  facility("NORTHERN Northern", [-32.542, 137.792], units("NPS1 NPS2", ["coal_brown", 265], { to: "2016-05-09" })),
  facility("PPCCGT Pelican Point", [-34.764, 138.505], units("PPCCGT", ["gas_ccgt", 478], { from: "2000-10-26" })),
  facility("OSBORNE Osborne", [-34.797, 138.51], units("OSB-AG", ["gas_ccgt", 180])),
  facility("TORRA Torrens Island A", [-34.806, 138.523], units("TORRA1 TORRA2 TORRA3 TORRA4", ["gas_steam", 120], { to: "2021-09-30" })),
  facility("TORRB Torrens Island B", [-34.807, 138.525], units("TORRB1 TORRB2 TORRB3 TORRB4", ["gas_steam", 200])),
  facility("BARKIPS Barker Inlet", [-34.803, 138.524], units("BARKIPS1", ["gas_recip", 211], { from: "2019-09-10" })),
  facility("HALLETT Hallett", [-33.351, 138.753], units("AGLHAL", ["gas_ocgt", 228], { from: "2001-12-20" })),
  facility("QPS Quarantine", [-34.775, 138.527], units("QPS1 QPS2 QPS3 QPS4 QPS5", ["gas_ocgt", 45], { from: "2002-01-10" })),
  facility("PORTLNCN Port Lincoln", [-34.709, 135.807], units("POR01 POR03", ["distillate", 37])),
  facility("CATHROCK Cathedral Rocks", [-34.841, 135.591], units("CATHROCK", ["wind", 66], { from: "2005-09-06" })),
  facility("SNOWTWN Snowtown", [-33.694, 138.14], units("SNOWTWN1", ["wind", 99], { from: "2008-06-25" })),
  facility("SNOWSTH Snowtown South", [-33.835, 138.12], units("SNOWSTH1", ["wind", 126], { from: "2013-11-06" })),
  facility(
    "HORNSDALE Hornsdale",
    [-33.058, 138.543],
    units("HDWF1", ["wind", 102], { from: "2016-07-08" }),
    units("HDWF2", ["wind", 102], { from: "2017-02-24" }),
    units("HDWF3", ["wind", 112], { from: "2017-09-13" }),
  ),
  facility("LGAPWF Lincoln Gap", [-32.6, 137.6], units("LGAPWF1 LGAPWF2", ["wind", 106], { from: "2019-02-18" })),
  facility("BNGSF Bungala", [-32.424, 137.841], units("BNGSF1 BNGSF2", ["solar_utility", 110], { from: "2018-05-22" })),
  facility("TBSF Tailem Bend", [-35.283, 139.477], units("TBSF1", ["solar_utility", 95], { from: "2019-03-05" })),
  facility("HPR Hornsdale Power Reserve", [-33.086, 138.519], battery("HPR", { megawatts: 150, storage: 194 }, { from: "2017-11-26" })),
  facility("TIB Torrens Island Battery", [-34.805, 138.521], battery("TIB", { megawatts: 250, storage: 250 }, { from: "2023-08-10" })),
];
