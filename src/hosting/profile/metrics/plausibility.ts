/** Rounding and measuring errors can make a share exceed the whole by up to this factor. */
const maxShare = 1.005;

/** Returns whether a percentage can be true. `maxCpuPercent` depends on the number of cores. */
export function isPlausiblePercent(
  subject: 'cpu' | 'memory' | 'disk',
  percent: number,
  maxCpuPercent: number,
): boolean {
  if (subject === 'cpu') return percent >= 0 && percent <= maxCpuPercent;
  // A service that can't look into a disk shows 0%. No disk in use is empty.
  return percent <= 100 * maxShare && (subject === 'disk' ? percent > 0 : percent >= 0);
}

/** Calculates a percentage. Returns undefined if it can't be true. */
export function calculatePercent(used: number | undefined, total: number | undefined): number | undefined {
  if (used === undefined || total === undefined || total <= 0 || used < 0 || used > total * maxShare)
    return undefined;
  return (used / total) * 100;
}
