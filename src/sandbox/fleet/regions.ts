import type { FleetFacility } from "./facility.ts";
import { NSW1, QLD1, SA1, TAS1, VIC1, WEM } from "./fleet.ts";

/** In MW, degrees and degrees Celsius. */
export interface Region {
  readonly code: string;
  readonly network: "NEM" | "WEM";
  /** First day with data, network time. */
  readonly from: string;
  readonly location: { readonly lat: number; readonly lng: number };
  /**
   * Mean demand in 2010 before rooftop solar, its yearly growth until then as a share, and MW per degree of heat and of
   * cold.
   */
  readonly demand: {
    readonly mean: number;
    readonly growth: number;
    readonly cooling: number;
    readonly heating: number;
  };
  readonly temperature: { readonly mean: number; readonly season: number; readonly day: number };
  /** Rooftop solar in MW at the start of 2010, 2015, 2020, 2025 and 2030. */
  readonly rooftop: readonly number[];
  readonly facilities: readonly FleetFacility[];
}

const NEM_FROM = "1998-12-07";

export const REGIONS: readonly Region[] = [
  {
    code: "NSW1",
    network: "NEM",
    from: NEM_FROM,
    location: { lat: -33.4, lng: 150.6 },
    demand: { mean: 8200, growth: 0.016, cooling: 260, heating: 130 },
    temperature: { mean: 18, season: 6, day: 5.5 },
    rooftop: [20, 900, 3000, 6800, 10000],
    facilities: NSW1,
  },
  {
    code: "QLD1",
    network: "NEM",
    from: NEM_FROM,
    location: { lat: -26.4, lng: 151.6 },
    demand: { mean: 6100, growth: 0.03, cooling: 210, heating: 40 },
    temperature: { mean: 21.5, season: 5, day: 5.5 },
    rooftop: [20, 1300, 3200, 6400, 8500],
    facilities: QLD1,
  },
  {
    code: "SA1",
    network: "NEM",
    from: NEM_FROM,
    location: { lat: -34.6, lng: 138.6 },
    demand: { mean: 1480, growth: 0.014, cooling: 75, heating: 25 },
    temperature: { mean: 17, season: 6.5, day: 6.5 },
    rooftop: [20, 560, 1250, 2500, 3300],
    facilities: SA1,
  },
  {
    code: "TAS1",
    network: "NEM",
    from: "2005-05-29",
    location: { lat: -42.1, lng: 146.8 },
    demand: { mean: 1180, growth: 0.01, cooling: 2, heating: 28 },
    temperature: { mean: 12.5, season: 4.5, day: 4.5 },
    rooftop: [2, 80, 150, 320, 480],
    facilities: TAS1,
  },
  {
    code: "VIC1",
    network: "NEM",
    from: NEM_FROM,
    location: { lat: -37.6, lng: 145.1 },
    demand: { mean: 5700, growth: 0.016, cooling: 220, heating: 110 },
    temperature: { mean: 15, season: 6, day: 5.5 },
    rooftop: [25, 700, 2200, 5000, 7600],
    facilities: VIC1,
  },
  {
    code: "WEM",
    network: "WEM",
    from: "2006-09-20",
    location: { lat: -31.9, lng: 115.9 },
    demand: { mean: 2150, growth: 0.028, cooling: 85, heating: 25 },
    temperature: { mean: 18.5, season: 6, day: 6 },
    rooftop: [15, 420, 1300, 2700, 3700],
    facilities: WEM,
  },
];
