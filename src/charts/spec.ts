/** What a number measures, and so how it is written: percent of 100, bytes in powers of 1024. */
export type Unit = 'percent' | 'bytes' | 'bytesPerSecond' | 'number';

export interface Point {
  readonly timeMs: number;
  /** `null`, or a number that is not finite, is a gap. */
  readonly value: number | null;
}

export interface Series {
  readonly label: string;
  readonly points: readonly Point[];
}

export interface Panel {
  readonly label: string;
  readonly unit: Unit;
  readonly series: readonly Series[];
}

/** What a picture shows: panels one below the other, over the same time. Every text may be foreign. */
export interface ChartSpec {
  readonly title: string;
  readonly panels: readonly Panel[];
  /** IANA name; times are written in it. */
  readonly timeZone: string;
}

/** A PNG and its size in pixels. */
export interface Picture {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}
