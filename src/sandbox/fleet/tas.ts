import { facility, units } from "./facility.ts";

export const TAS1 = [
  facility("GORDON Gordon", [-42.731, 145.977], units("GORDON", ["hydro", 432])),
  facility("POATINA Poatina", [-41.812, 146.919], units("POAT110 POAT220", ["hydro", 150])),
  facility("REECE Reece", [-41.723, 145.136], units("REECE1 REECE2", ["hydro", 116])),
  facility("JBUTTERS John Butters", [-42.155, 145.534], units("JBUTTERS", ["hydro", 144])),
  facility("LI_WY_CA Liapootah Wayatinah Catagunya", [-42.385, 146.506], units("LI_WY_CA", ["hydro", 170])),
  facility("TARRALEA Tarraleah", [-42.301, 146.455], units("TARRALEA", ["hydro", 90])),
  facility("TREVALLN Trevallyn", [-41.439, 147.137], units("TREVALLN", ["hydro", 93])),
  facility("CETHANA Cethana", [-41.481, 146.134], units("CETHANA", ["hydro", 100])),
  facility("MACKNTSH Mackintosh", [-41.698, 145.387], units("MACKNTSH", ["hydro", 80])),
  facility("BASTYAN Bastyan", [-41.735, 145.532], units("BASTYAN", ["hydro", 80])),
  facility("TVPP Tamar Valley", [-41.14, 146.903], units("TVCC201", ["gas_ccgt", 208], { from: "2009-09-20", to: "2019-10-18" })),
  facility("BBTHREE Bell Bay Three", [-41.141, 146.901], units("BBTHREE1 BBTHREE2 BBTHREE3", ["gas_ocgt", 40], { from: "2006-05-09" })),
  facility("WOOLNTH Woolnorth", [-40.684, 144.701], units("WOOLNTH1", ["wind", 140])),
  facility("MUSSELR Musselroe", [-40.78, 148.02], units("MUSSELR1", ["wind", 168], { from: "2013-03-22" })),
  facility("CTHLWF Cattle Hill", [-42.026, 146.789], units("CTHLWF1", ["wind", 144], { from: "2019-12-20" })),
  facility("GRANWF Granville Harbour", [-41.811, 145.053], units("GRANWF1", ["wind", 111], { from: "2020-02-14" })),
];
