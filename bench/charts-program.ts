import { enableCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FleetSpec, mostFleetRows, type PictureSpec } from '../src/charts/fleet-spec.ts';
import type { ChartSpec, Picture } from '../src/charts/spec.ts';

// Draws pictures of one of two kinds in one of two ways and tells what this very process suffered from it, as a line of JSON.
enableCompileCache();
const pictures = 20;
const beatMs = 2;

const points = (level: number, swing: number) =>
  Array.from({ length: 96 }, (_, index) => ({
    timeMs: Date.UTC(2026, 10, 20) + index * 900_000,
    value: level + swing * Math.sin(index / 5),
  }));
const vps: ChartSpec = {
  title: 'VPS-10001, last day',
  timeZone: 'Europe/Berlin',
  panels: [
    { label: 'CPU', unit: 'percent', series: [{ label: 'CPU', points: points(40, 30) }] },
    { label: 'Memory', unit: 'bytes', series: [{ label: 'Memory', points: points(2e9, 5e8) }] },
    { label: 'Disk', unit: 'percent', series: [{ label: 'Disk', points: points(70, 2) }] },
    {
      label: 'Network',
      unit: 'bytesPerSecond',
      series: [
        { label: 'in', points: points(1e6, 8e5) },
        { label: 'out', points: points(4e5, 2e5) },
      ],
    },
  ],
};

const period = { fromMs: Date.UTC(2026, 10, 20), untilMs: Date.UTC(2026, 10, 21) };
const fleet: FleetSpec = {
  title: 'Fleet, daily',
  measure: 'CPU',
  ...period,
  timeZone: 'Europe/Berlin',
  rows: Array.from({ length: mostFleetRows }, (_, index) => ({
    label: `VPS-${10_001 + index}`,
    standsOut: index < 3,
    points: points(10 + index * 3, 8),
  })),
  total: 200,
};

const specs: Readonly<Record<string, PictureSpec>> = { vps, fleet };
const [way, kind = 'vps'] = process.argv.slice(2);
const spec = specs[kind] ?? vps;

async function prepare(): Promise<{ draw(): Promise<Picture> | Picture; rest(): Promise<void> }> {
  if (way === 'child') {
    const { createCharts } = await import('../src/charts/charts.ts');
    const created = createCharts();
    return { draw: () => created.draw(spec), rest: () => created.close() };
  }
  return {
    async draw() {
      const { drawPicture } = await import('../src/charts/picture.ts');
      return drawPicture(spec);
    },
    rest: () => Promise.resolve(),
  };
}

const { draw, rest } = await prepare();
await sleep(200);
const before = process.memoryUsage.rss();
let stallMs = 0;
let beatAtMs = performance.now();
const heart = setInterval(() => {
  stallMs = Math.max(stallMs, performance.now() - beatAtMs - beatMs);
  beatAtMs = performance.now();
}, beatMs);

const times: number[] = [];
let pngBytes = 0;
for (let drawn = 0; drawn < pictures; drawn += 1) {
  const startedMs = performance.now();
  pngBytes = (await draw()).png.length;
  times.push(performance.now() - startedMs);
  await sleep(3 * beatMs);
}
clearInterval(heart);
const mb = (bytes: number) => (bytes - before) / 2 ** 20;
const residentMb = mb(process.memoryUsage.rss());
await rest();
await sleep(200);
const [firstMs = 0, ...laterMs] = times;
const restingMb = mb(process.memoryUsage.rss());
console.log(JSON.stringify({ firstMs, laterMs, stallMs, residentMb, restingMb, pngKb: pngBytes / 1000 }));
