import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { mersenne } from 'pure-rand/generator/mersenne';

/** Random choices that a seed decides. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  fraction(): number;
  /** Returns a whole number between two, both included. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  // Xoroshiro's first numbers are nearly the same for neighbouring seeds.
  const generator = mersenne(seed);
  const between = (min: number, max: number) => uniformInt(generator, min, max);
  const fraction = () => between(0, 2 ** 30 - 1) / 2 ** 30;
  return {
    fraction,
    between,
    chance: (probability) => fraction() < probability,
    pick: (choices) => choices[between(0, choices.length - 1)] as (typeof choices)[number],
  };
}
