import { liveReadings, seriesReadings } from './metric-readings.ts';
import type { Reading } from './reading.ts';
import { resourceReadings } from './resource-readings.ts';
import { serviceReadings } from './service-readings.ts';
import { vpsReadings } from './vps-readings.ts';

/** Every fact that Rackhand looks for in a service's payloads. */
export const allReadings: readonly Reading[] = [
  ...vpsReadings,
  ...liveReadings,
  ...seriesReadings,
  ...resourceReadings,
  ...serviceReadings,
];
