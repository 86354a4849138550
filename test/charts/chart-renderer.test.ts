import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ChartRenderer,
  type ChartRendererOptions,
  createChartRenderer,
} from '../../src/charts/chart-renderer.ts';
import { spec } from './chart-specs.ts';
import { watchChildProcesses } from './watch-child-processes.ts';

const open: ChartRenderer[] = [];
let rendererProcesses: readonly ChildProcess[] = [];
let stopWatching: () => void;

/** On a busy machine, a process can take longer to start than a chart may take by default. */
function createRenderer(options: ChartRendererOptions = { timeoutMs: 120_000 }): ChartRenderer {
  const created = createChartRenderer(options);
  open.push(created);
  return created;
}

/** Returns the latest renderer process. */
function newestProcess(): ChildProcess {
  const newest = rendererProcesses.at(-1);
  if (!newest) throw new Error('no process was started');
  return newest;
}

/** Signals a process from outside, since `ChildProcess.kill` would mark it as killed. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(pid, name);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

beforeEach(() => {
  const started: ChildProcess[] = [];
  rendererProcesses = started;
  stopWatching = watchChildProcesses((process) => started.push(process));
});

afterEach(async () => {
  vi.useRealTimers();
  stopWatching();
  await Promise.all(open.splice(0).map((one) => one.close()));
});

describe('the chart renderer', () => {
  test('draws a PNG of the returned size, with two pixels for each of a phone, in a process without the environment', async () => {
    const { png, width, height } = await createRenderer().render(spec());
    const bytes = Buffer.from(png);
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([width, height]);
    expect(width).toBe(720);
    if (process.platform !== 'linux') return;
    const names = readFileSync(`/proc/${newestProcess().pid}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => line.split('=')[0]);
    expect(names.filter((name) => !name?.startsWith('NODE_CHANNEL_'))).toEqual([]);
  });

  test('draws charts of scheduled reports after those that people wait for, and ends an idle process after a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const drawing = createRenderer({ maxQueued: 2 });
    const drawn: string[] = [];
    const draw = (name: string, isScheduled: boolean) =>
      drawing.render(spec(), { isScheduled }).then(() => drawn.push(name));
    const scheduled = ['first', 'second', 'third', 'fourth'].map((name) => draw(name, true));
    await Promise.all([...scheduled, draw('of a person', false)]);
    expect(drawn).toEqual(['first', 'of a person', 'second', 'third', 'fourth']);

    const first = newestProcess();
    await vi.advanceTimersByTimeAsync(50_000);
    await drawing.render(spec());
    await vi.advanceTimersByTimeAsync(59_000);
    expect(first.killed).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await drawing.render(spec());
    expect(rendererProcesses).toHaveLength(2);
  });

  test('rejects a chart during which the process crashes twice, and draws the next one', async () => {
    const drawing = createRenderer();
    await drawing.render(spec());
    signal(newestProcess(), 'SIGSTOP');
    const lost = drawing.render(spec());
    // The system decides whether the exit or the broken channel is noticed first.
    const rejected = expect(lost).rejects.toThrow(/^the drawing process (ended \(SIGKILL\)|could not be r)/);
    const next = drawing.render(spec());
    signal(newestProcess(), 'SIGKILL');
    await expect.poll(() => rendererProcesses.length, { interval: 1 }).toBe(2);
    signal(newestProcess(), 'SIGKILL');
    await rejected;
    expect((await next).width).toBe(720);
    expect(rendererProcesses).toHaveLength(3);
  });

  test('rejects a chart after the timeout, but not the next one', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const drawing = createRenderer({});
    await drawing.render(spec());
    const stuck = newestProcess();
    signal(stuck, 'SIGSTOP');
    const late = expect(drawing.render(spec())).rejects.toThrow('not drawn within 10000 ms');
    const next = drawing.render(spec());
    await vi.advanceTimersByTimeAsync(10_000);
    await late;
    expect((await next).width).toBe(720);
    expect(hasEnded(stuck)).toBe(true);
  });

  test('ends the process on close and rejects running, queued and new charts', async () => {
    const drawing = createRenderer();
    await drawing.render(spec());
    signal(newestProcess(), 'SIGSTOP');
    const rejected = [1, 2].map(() =>
      expect(drawing.render(spec())).rejects.toThrow('the chart renderer is closed'),
    );
    await drawing.close();
    expect(hasEnded(newestProcess())).toBe(true);
    await Promise.all(rejected);
    await expect(drawing.render(spec())).rejects.toThrow('the chart renderer is closed');
    expect(rendererProcesses).toHaveLength(1);
  });

  test('ends with a killed parent and does not keep an idle parent alive', async () => {
    const program = new URL('./renderer-parent.ts', import.meta.url).pathname;
    const idle = spawn(process.execPath, [program, 'leave'], { stdio: ['ignore', 'ignore', 'inherit'] });
    expect(await once(idle, 'exit')).toEqual([0, null]);

    const parent = spawn(process.execPath, [program, 'stay'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface(parent.stdout), 'line');
    const pid = Number(line);
    expect(isRunning(pid)).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    // A zombie process counts as ended.
    if (process.platform === 'linux') return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
