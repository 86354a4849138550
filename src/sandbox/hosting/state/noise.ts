import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const latticeSize = 4096;
/** Offset between channels, which share their values. */
const channelStride = 97;

/** Returns a value from -1 to 1 that changes smoothly over time, in a new direction every `periodMs`. */
export type Noise = (channel: number, atMs: number, periodMs: number) => number;

/** Creates noise whose values depend only on the seed, channel, time and period. */
export function createNoise(seed: number): Noise {
  const generator = xoroshiro128plus(seed);
  const lattice = Float64Array.from({ length: latticeSize }, () => 2 * uniformFloat64(generator) - 1);

  return (channel, atMs, periodMs) => {
    const position = atMs / periodMs;
    const step = Math.floor(position);
    const share = position - step;
    const eased = share * share * (3 - 2 * share);
    const start = step + channel * channelStride;
    const from = lattice[start % latticeSize] ?? 0;
    const to = lattice[(start + 1) % latticeSize] ?? 0;
    return from + (to - from) * eased;
  };
}
