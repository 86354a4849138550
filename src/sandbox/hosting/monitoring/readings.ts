import type { rrdRanges } from '../../../hosting/fields.ts';
import type { Machine } from '../state/machine.ts';
import { runningShare, stateAt, uptimeSeconds } from '../state/power.ts';
import { type Load, loadAt } from './load.ts';
import type { Noise } from './noise.ts';

/** Names a period of the history. */
export type RrdRange = (typeof rrdRanges)[number];

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How a range is cut: `points` buckets of `stepMs`, each the average of what was read every `sampleMs`. */
const resolutions: Readonly<Record<RrdRange, { stepMs: number; points: number; sampleMs: number }>> = {
  hour: { stepMs: minuteMs, points: 60, sampleMs: 15_000 },
  day: { stepMs: 15 * minuteMs, points: 96, sampleMs: minuteMs },
  week: { stepMs: 2 * hourMs, points: 84, sampleMs: 5 * minuteMs },
  month: { stepMs: 6 * hourMs, points: 120, sampleMs: 10 * minuteMs },
};

const idle: Load = { cpu: 0, mem: 0, disk: 0, netin: 0, netout: 0, diskread: 0, diskwrite: 0 };

/** Writes a load with the names and units of Proxmox VE: `cpu` a fraction, memory and disk in bytes, flows in bytes/s. */
function reading(machine: Machine, load: Load) {
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

/** Averages the load of a period. What flows counts for the time that the VPS ran; what it holds, only if it ran at all. */
function averageLoad(
  machine: Machine,
  noise: Noise,
  period: { fromMs: number; untilMs: number; sampleMs: number },
): Load {
  const { fromMs, untilMs, sampleMs } = period;
  const share = runningShare(machine.power, fromMs, untilMs);
  if (share === 0) return idle;
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

/** Reads a VPS at this moment; one that does not run reads zero. */
export function liveReading(machine: Machine, noise: Noise, nowMs: number) {
  const status = stateAt(machine.power, nowMs);
  const load = status === 'running' ? loadAt(machine, noise, nowMs) : idle;
  return { status, ...reading(machine, load), uptime: uptimeSeconds(machine.power, nowMs) };
}

/** Reads the history of a VPS, oldest point first; `time` is the start of a bucket in seconds, the last one still runs. */
export function history(machine: Machine, noise: Noise, range: RrdRange, nowMs: number) {
  const { stepMs, points, sampleMs } = resolutions[range];
  const lastMs = Math.floor(nowMs / stepMs) * stepMs;
  return Array.from({ length: points }, (_, index) => {
    const fromMs = lastMs - (points - 1 - index) * stepMs;
    const untilMs = Math.min(fromMs + stepMs, nowMs + 1);
    return {
      time: fromMs / 1000,
      ...reading(machine, averageLoad(machine, noise, { fromMs, untilMs, sampleMs })),
    };
  });
}
