/** A VPS's load. `cpu`, `mem` and `disk` are shares from 0 to 1; the others are bytes per second. */
export interface Load {
  readonly cpu: number;
  readonly mem: number;
  readonly disk: number;
  readonly netin: number;
  readonly netout: number;
  readonly diskread: number;
  readonly diskwrite: number;
}

/** The usage pattern that a VPS's metrics are calculated from. Shares are from 0 to 1. */
export interface LoadProfile {
  /** Share of the CPU used at night. */
  readonly idleCpu: number;
  /** Additional share of the CPU during office hours. */
  readonly officeCpu: number;
  readonly memory: number;
  /** `filling` makes the disk fill up until it is nearly full, again and again. */
  readonly disk: number | 'filling';
  /** Bytes sent per second during office hours. */
  readonly trafficBytesPerSecond: number;
}
