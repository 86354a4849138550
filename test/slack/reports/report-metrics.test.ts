import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { sandboxLabel } from '../../sandbox-fleet.ts';
import { blocksText, type RunningStack, type SlackMessage, startStack } from '../../stack.ts';
import { readTable } from '../command-driver.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const gibibyte = 2 ** 30;

/**
 * The expected figures are calculated here from the service's own responses, without any code of
 * reports.
 */
const point = z.object({
  time: z.number(),
  cpu: z.number(),
  mem: z.number(),
  maxmem: z.number(),
  netin: z.number(),
  netout: z.number(),
});
const live = z.object({ cpu: z.number(), disk: z.number(), maxdisk: z.number(), uptime: z.number() });

type Point = z.infer<typeof point>;

/** A point with the time that it covers. */
interface Stretch extends Point {
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * A Wednesday at noon in Berlin, Alice's zone, and some minutes: nothing starts or ends on a
 * quarter of an hour.
 */
const startMs = Date.parse('2026-11-18T11:07:00Z');
const busy = 'VPS-10001';

let running: RunningStack;
let clock: ManualClock;

beforeAll(async () => {
  clock = createManualClock(startMs);
  // The service uses the same clock, so the test and the report read the same data.
  running = await startStack({ clock, hosting: { now: clock.now, quota: 10_000 } });
  await running.service.load(busy, { cpu: 0.937 });
  await clock.advanceTo(startMs + 3 * hourMs, () => new Promise((resolve) => setImmediate(resolve)));
});
afterAll(() => running.close());

async function askService<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  const headers = { authorization: 'Bearer sandbox-key-full' };
  const response = await fetch(`${running.service.url}/v1/vps/${path}`, { headers });
  return z.object({ data: schema }).parse(await response.json()).data;
}

const liveOf = (vps: string) => askService(`${vps}/monitoring/live`, live);

/** Returns the last week: its last day in quarters of an hour, the rest in steps of two hours. */
async function listStretches(vps: string): Promise<readonly Stretch[]> {
  const of = async (range: string, stepMs: number) => {
    const path = `${vps}/monitoring/rrd?range=${range}`;
    const { points } = await askService(path, z.object({ points: z.array(point) }));
    return points.map((one) => {
      const fromMs = one.time * 1_000;
      return { ...one, fromMs, untilMs: Math.min(fromMs + stepMs, clock.now()) };
    });
  };
  const day = await of('day', 15 * minuteMs);
  const firstMs = day[0]?.fromMs ?? 0;
  const before = (await of('week', 2 * hourMs))
    .filter(({ fromMs }) => fromMs < firstMs)
    .map((one) => ({ ...one, untilMs: Math.min(one.untilMs, firstMs) }));
  return [...before, ...day];
}

async function lastDayOf(vps: string): Promise<readonly Stretch[]> {
  const fromMs = clock.now() - dayMs;
  const known = (await listStretches(vps)).filter(({ untilMs }) => untilMs > fromMs);
  return known.map((one) => ({ ...one, fromMs: Math.max(one.fromMs, fromMs) }));
}

const secondsOf = ({ fromMs, untilMs }: Stretch) => (untilMs - fromMs) / 1_000;

function sum(all: readonly Stretch[], value: (one: Stretch) => number): number {
  return all.reduce((total, one) => total + value(one) * secondsOf(one), 0);
}

function mean(all: readonly Stretch[], value: (one: Stretch) => number): number {
  return sum(all, value) / sum(all, () => 1);
}

const cpuOf = ({ cpu }: Stretch) => 100 * cpu;

function peakOf(all: readonly Stretch[]): Stretch {
  const highest = Math.max(...all.map(cpuOf));
  const found = all.find((one) => cpuOf(one) === highest);
  if (!found) throw new Error('the service has no points');
  return found;
}

/** Returns the last uninterrupted stretch of points at 90% or more. */
function busyStretch(all: readonly Stretch[]): readonly Stretch[] {
  return all.slice(all.findLastIndex((one) => cpuOf(one) < 90) + 1);
}

/** Expects a written figure to match the calculated one, to its last digit. */
function expectFigure(written: string | undefined, unit: string, value: number): void {
  const [, figure = '', decimals = ''] =
    new RegExp(`^(\\d+(?:\\.(\\d+))?) ?${unit}$`).exec(written ?? '') ?? [];
  expect(figure, `${written} is a figure in ${unit}`).not.toBe('');
  // Trailing zeros are omitted: one decimal can stand for two.
  const steps = value < 9.95 ? 0.05 : 0.5;
  expect(Math.abs(Number(figure) - value), `${written} is ${value}`).toBeLessThanOrEqual(
    decimals === '' ? steps : 0.05,
  );
}

function time(atMs: number, options: Intl.DateTimeFormatOptions = {}): string {
  const format = { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit', ...options } as const;
  return new Intl.DateTimeFormat('en-GB', format).format(atMs).replace(',', '');
}

async function runReport(): Promise<SlackMessage> {
  await running.slack.slash('report run --vps VPS-1000*');
  return running.slack.message(/of 9 need/, 'U0ALICE', 'U0ALICE');
}

const shortName = (vps: string) => sandboxLabel(vps).replace(/ \(.*/, '');

test("a fleet summary has the service's figures, their periods and their times in its table, findings and chart", async () => {
  const message = await runReport();
  const table = readTable(message);
  for (const vps of [busy, 'VPS-10005', 'VPS-10008']) {
    const row = table.find(([name]) => name?.endsWith(shortName(vps)));
    const [, cpu, , memory, disk, , traffic, uptime] = row ?? [];
    const day = await lastDayOf(vps);
    const now = await liveOf(vps);
    expect(sum(day, () => 1_000)).toBe(dayMs);
    expectFigure(cpu, '%', mean(day, cpuOf));
    expectFigure(
      memory,
      '%',
      mean(day, ({ mem, maxmem }) => (100 * mem) / maxmem),
    );
    expectFigure(disk, '%', (100 * now.disk) / now.maxdisk);
    expectFigure(traffic, 'GiB', sum(day, ({ netin, netout }) => netin + netout) / gibibyte);
    const [days, hours] = [Math.floor(now.uptime / 86_400), Math.floor((now.uptime % 86_400) / 3_600)];
    expect(uptime).toBe([`${days} d`, ...(hours > 0 ? [`${hours} h`] : [])].join(' '));
  }

  const ours = busyStretch(await listStretches(busy));
  const minutes = Math.floor((clock.now() - (ours[0]?.fromMs ?? 0)) / minuteMs);
  expect(minutes).toBeGreaterThan(160);
  expect(message.text).toContain(
    `${shortName(busy)} CPU ${Math.round(mean(ours, cpuOf))}% for ${Math.floor(minutes / 60)} h ${minutes % 60} min`,
  );
  expect(blocksText(message)).toContain(
    `CPU at 90% or more since ${time(ours[0]?.fromMs ?? 0)}: ` +
      `${Math.round(mean(ours, cpuOf))}% on average, peak ${Math.round(cpuOf(peakOf(ours)))}%.`,
  );

  const image = message.blocks.find(({ type }) => type === 'image');
  for (const vps of [busy, 'VPS-10004']) {
    const peak = peakOf(await lastDayOf(vps));
    const day = time(peak.fromMs, { day: 'numeric', month: 'short' });
    expect(image?.alt_text).toContain(`${shortName(vps)} ${Math.round(cpuOf(peak))}% on ${day}`);
  }
});
