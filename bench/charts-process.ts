import { enableCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChartImage,
  type ChartSpec,
  type HeatmapSpec,
  type LineChartSpec,
  maxHeatmapRows,
} from '../src/charts/chart-spec.ts';

// Draws charts of one kind, either in this process or in a child process, and prints how this
// process was affected as a line of JSON.
enableCompileCache();
const chartCount = 20;
const heartbeatMs = 2;

const points = (level: number, swing: number) =>
  Array.from({ length: 96 }, (_, index) => ({
    timeMs: Date.UTC(2026, 10, 20) + index * 900_000,
    value: level + swing * Math.sin(index / 5),
  }));
const vps: LineChartSpec = {
  kind: 'line',
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
const fleet: HeatmapSpec = {
  kind: 'heatmap',
  title: 'Fleet, daily',
  measure: 'CPU',
  ...period,
  timeZone: 'Europe/Berlin',
  rows: Array.from({ length: maxHeatmapRows }, (_, index) => ({
    label: `VPS-${10_001 + index}`,
    isHighlighted: index < 3,
    points: points(10 + index * 3, 8),
  })),
  total: 200,
};

const specs: Readonly<Record<string, ChartSpec>> = { vps, fleet };
const [mode, kind = 'vps'] = process.argv.slice(2);
const spec = specs[kind] ?? vps;

async function createRenderer(): Promise<{
  draw(): Promise<ChartImage> | ChartImage;
  close(): Promise<void>;
}> {
  if (mode === 'child') {
    const { createChartRenderer } = await import('../src/charts/chart-renderer.ts');
    const created = createChartRenderer();
    return { draw: () => created.render(spec), close: () => created.close() };
  }
  return {
    async draw() {
      const { renderImage } = await import('../src/charts/drawing/render-image.ts');
      return renderImage(spec);
    },
    close: () => Promise.resolve(),
  };
}

const { draw, close } = await createRenderer();
await sleep(200);
const before = process.memoryUsage.rss();
let stallMs = 0;
let lastBeatMs = performance.now();
const heartbeat = setInterval(() => {
  stallMs = Math.max(stallMs, performance.now() - lastBeatMs - heartbeatMs);
  lastBeatMs = performance.now();
}, heartbeatMs);

const times: number[] = [];
let pngBytes = 0;
for (let drawn = 0; drawn < chartCount; drawn += 1) {
  const startedMs = performance.now();
  pngBytes = (await draw()).png.length;
  times.push(performance.now() - startedMs);
  await sleep(3 * heartbeatMs);
}
clearInterval(heartbeat);
const mb = (bytes: number) => (bytes - before) / 2 ** 20;
const residentMb = mb(process.memoryUsage.rss());
await close();
await sleep(200);
const [firstMs = 0, ...laterMs] = times;
const idleMb = mb(process.memoryUsage.rss());
console.log(JSON.stringify({ firstMs, laterMs, stallMs, residentMb, idleMb, pngKb: pngBytes / 1000 }));
