import type { ChartSpec, Point } from './spec.ts';

/** One line of a fleet's picture. */
export interface FleetRow {
  /** May be foreign. */
  readonly label: string;
  /** Whether it stands out: its name is bold. */
  readonly standsOut?: boolean;
  /** Percentages, each of the time until the next. */
  readonly points: readonly Point[];
}

/** What a fleet's picture shows: how busy each of many was over the same time, from light to dark. */
export interface FleetSpec {
  readonly title: string;
  /** What is measured, such as `CPU`. */
  readonly measure: string;
  readonly fromMs: number;
  readonly untilMs: number;
  /** IANA name; times are written in it. */
  readonly timeZone: string;
  /** The busiest first; past `mostFleetRows` they are not drawn. */
  readonly rows: readonly FleetRow[];
  /** How many there are in all, those that are not among the rows too. */
  readonly total: number;
}

/** More would not be readable on a phone. */
export const mostFleetRows = 40;

/** Whatever can be drawn. */
export type PictureSpec = ChartSpec | FleetSpec;
