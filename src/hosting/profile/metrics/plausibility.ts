import { liveReadings } from '../readings/metric-readings.ts';
import { isPlausible } from '../readings/reading.ts';

const readings = {
  cpu: liveReadings.cpuPercent,
  memory: liveReadings.memoryPercent,
  disk: liveReadings.diskPercent,
} as const;

/** Returns whether a percentage can be true. `maxCpuPercent` depends on the number of cores. */
export function isPlausiblePercent(
  subject: 'cpu' | 'memory' | 'disk',
  percent: number,
  maxCpuPercent: number,
): boolean {
  if (subject === 'cpu' && percent > maxCpuPercent) return false;
  // A service that can't look into a disk shows 0%. No disk in use is empty.
  return isPlausible(readings[subject], percent) && (subject !== 'disk' || percent > 0);
}
