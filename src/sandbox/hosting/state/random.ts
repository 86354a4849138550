import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const hexDigits = '0123456789abcdef';
/** Excludes characters that people easily confuse when typing a password. */
const passwordCharacters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** The random generator of an account. The same seed always gives the same sequence. */
export interface Random {
  /** Returns an integer from `min` to `max`, inclusive. */
  integer(min: number, max: number): number;
  hex(length: number): string;
  password(): string;
}

/** Creates a generator whose sequence depends only on the seed. */
export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);

  function text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet.charAt(uniformInt(generator, 0, alphabet.length - 1))).join(
      '',
    );
  }

  return {
    integer: (min, max) => uniformInt(generator, min, max),
    hex: (length) => text(hexDigits, length),
    password: () => text(passwordCharacters, 20),
  };
}
