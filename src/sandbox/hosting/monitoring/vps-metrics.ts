import type { rrdRanges } from '../../../hosting/endpoints/fields.ts';
import type { Load } from '../state/load-profile.ts';
import type { Noise } from '../state/noise.ts';
import { runningShare, stateAt, uptimeSeconds } from '../state/power.ts';
import type { Vps } from '../state/vps.ts';
import { loadAt } from './load.ts';

export type RrdRange = (typeof rrdRanges)[number];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Each range's resolution: `points` buckets of `stepMs`. A bucket is the average of samples taken every `sampleMs`. */
const resolutions: Readonly<Record<RrdRange, { stepMs: number; points: number; sampleMs: number }>> = {
  hour: { stepMs: minuteMs, points: 60, sampleMs: 15_000 },
  day: { stepMs: 15 * minuteMs, points: 96, sampleMs: minuteMs },
  week: { stepMs: 2 * hourMs, points: 84, sampleMs: 5 * minuteMs },
  month: { stepMs: 6 * hourMs, points: 120, sampleMs: 10 * minuteMs },
};

const idleLoad: Load = { cpu: 0, mem: 0, disk: 0, netin: 0, netout: 0, diskread: 0, diskwrite: 0 };

/**
 * Converts a load to the names and units of Proxmox VE. `cpu` is a fraction, memory and disk are in
 * bytes, and flows in bytes per second.
 */
function toMetrics(machine: Vps, load: Load) {
  const maxmem = machine.memory_mb * 2 ** 20;
  const maxdisk = machine.disk_gb * 2 ** 30;
  return {
    cpu: Math.round(load.cpu * 1e4) / 1e4,
    maxcpu: machine.cores,
    mem: Math.round(load.mem * maxmem),
    maxmem,
    disk: Math.round(load.disk * maxdisk),
    maxdisk,
    netin: Math.round(load.netin),
    netout: Math.round(load.netout),
    diskread: Math.round(load.diskread),
    diskwrite: Math.round(load.diskwrite),
  };
}

/**
 * Averages the load over a period. CPU and flows are weighted by the share of time that the VPS was running.
 * Memory and disk count in full if the VPS was running at any time.
 */
function averageLoad(
  machine: Vps,
  noise: Noise,
  period: { fromMs: number; untilMs: number; sampleMs: number },
): Load {
  const { fromMs, untilMs, sampleMs } = period;
  const share = runningShare(machine.power, fromMs, untilMs);
  if (share === 0) return idleLoad;
  const samples: Load[] = [];
  for (let atMs = fromMs; atMs < untilMs; atMs += sampleMs) samples.push(loadAt(machine, noise, atMs));
  const average = (field: keyof Load) =>
    samples.reduce((sum, sample) => sum + sample[field], 0) / samples.length;
  return {
    cpu: average('cpu') * share,
    mem: average('mem'),
    disk: average('disk'),
    netin: average('netin') * share,
    netout: average('netout') * share,
    diskread: average('diskread') * share,
    diskwrite: average('diskwrite') * share,
  };
}

/** Returns a VPS's current metrics. All are 0 if the VPS isn't running. */
export function liveMetrics(machine: Vps, noise: Noise, nowMs: number) {
  const status = stateAt(machine.power, nowMs);
  const load = status === 'running' ? loadAt(machine, noise, nowMs) : idleLoad;
  return { status, ...toMetrics(machine, load), uptime: uptimeSeconds(machine.power, nowMs) };
}

/**
 * Returns a VPS's metrics history, oldest point first. `time` is the start of a bucket, in seconds. The last
 * bucket is incomplete.
 */
export function metricsHistory(machine: Vps, noise: Noise, range: RrdRange, nowMs: number) {
  const { stepMs, points, sampleMs } = resolutions[range];
  const lastMs = Math.floor(nowMs / stepMs) * stepMs;
  return Array.from({ length: points }, (_, index) => {
    const fromMs = lastMs - (points - 1 - index) * stepMs;
    const untilMs = Math.min(fromMs + stepMs, nowMs + 1);
    return {
      time: fromMs / 1000,
      ...toMetrics(machine, averageLoad(machine, noise, { fromMs, untilMs, sampleMs })),
    };
  });
}
