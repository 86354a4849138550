export const zone = 'Europe/Berlin';

/** Returns random numbers that are the same in each run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Formatting is slow. */
const days = new Map<number, string>();

const dayFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });

/**
 * The policy said in another way: of all snapshots that were ever taken, keep each that is the last
 * of one of the latest days, weeks or months that have one.
 */
export function expectedOf(taken: readonly number[]): readonly number[] {
  const dayOf = (ms: number) => {
    const known = days.get(ms) ?? dayFormat.format(ms);
    days.set(ms, known);
    return known;
  };
  const monthOf = (ms: number) => dayOf(ms).slice(0, 7);
  const weekOf = (ms: number) => {
    const date = new Date(`${dayOf(ms)}T12:00Z`);
    date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
    return date.toISOString().slice(0, 10);
  };
  const lastOfEach = (periodOf: (ms: number) => string, count: number) =>
    [...new Map(taken.map((ms) => [periodOf(ms), ms])).values()].slice(-count);
  const kept = new Set([...lastOfEach(dayOf, 7), ...lastOfEach(weekOf, 4), ...lastOfEach(monthOf, 6)]);
  return taken.filter((one) => kept.has(one));
}
