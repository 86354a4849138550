import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Charts, type ChartsOptions, createCharts } from '../../src/charts/charts.ts';
import { watchPainters } from './painters.ts';
import { spec } from './specs.ts';

const open: Charts[] = [];
let painters: readonly ChildProcess[] = [];
let stopWatching: () => void;

function charts(options: ChartsOptions = {}): Charts {
  const created = createCharts(options);
  open.push(created);
  return created;
}

/** The newest process that draws. */
function painter(): ChildProcess {
  const newest = painters.at(-1);
  if (!newest) throw new Error('no process was started');
  return newest;
}

/** Does to a process what others do; its `kill` would let it know. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(pid, name);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

beforeEach(() => {
  const started: ChildProcess[] = [];
  painters = started;
  stopWatching = watchPainters((process) => started.push(process));
});

afterEach(async () => {
  vi.useRealTimers();
  stopWatching();
  await Promise.all(open.splice(0).map((one) => one.close()));
});

describe('charts', () => {
  test('draw a PNG of the size that they tell, with two pixels for each of a phone', async () => {
    const { png, width, height } = await charts().draw(spec());
    const bytes = Buffer.from(png);
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([width, height]);
    expect(width).toBe(720);
  });

  test('start a process with the first picture, and the same one draws all that follow', async () => {
    const drawing = charts();
    expect(painters).toHaveLength(0);
    const [first, second] = await Promise.all([drawing.draw(spec()), drawing.draw(spec())]);
    expect(Buffer.from(first.png).equals(Buffer.from(second.png))).toBe(true);
    expect(painters).toHaveLength(1);
  });

  test.skipIf(process.platform !== 'linux')('give the process nothing of the environment', async () => {
    await charts().draw(spec());
    const names = readFileSync(`/proc/${painter().pid}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line !== '')
      .map((line) => line.split('=')[0]);
    expect(names.filter((name) => !name?.startsWith('NODE_CHANNEL_'))).toEqual([]);
  });

  test('end the process when it has drawn nothing for a minute, and start another for the next picture', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const drawing = charts();
    await drawing.draw(spec());
    const first = painter();
    await vi.advanceTimersByTimeAsync(50_000);
    await drawing.draw(spec());
    await vi.advanceTimersByTimeAsync(59_000);
    expect(first.killed).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await drawing.draw(spec());
    expect(painters).toHaveLength(2);
  });

  test('tell when the process crashed, and draw what was waiting in a new one', async () => {
    const drawing = charts();
    await drawing.draw(spec());
    signal(painter(), 'SIGSTOP');
    const lost = drawing.draw(spec());
    const next = drawing.draw(spec());
    signal(painter(), 'SIGKILL');
    // Whether its end or the broken channel to it is noticed first is for the system to say.
    await expect(lost).rejects.toThrow(/^the process that draws (ended \(SIGKILL\)|could not be r)/);
    expect((await next).width).toBe(720);
    expect(painters).toHaveLength(2);
  });

  test('give a picture up at its deadline, not the one behind it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const drawing = charts();
    await drawing.draw(spec());
    const stuck = painter();
    signal(stuck, 'SIGSTOP');
    const late = expect(drawing.draw(spec())).rejects.toThrow('not drawn within 10000 ms');
    const next = drawing.draw(spec());
    await vi.advanceTimersByTimeAsync(10_000);
    await late;
    expect((await next).width).toBe(720);
    expect(hasEnded(stuck)).toBe(true);
  });

  test('go on after a spec that cannot be drawn, in the same process', async () => {
    const drawing = charts();
    await expect(drawing.draw(spec({ timeZone: 'Nowhere/Land' }))).rejects.toThrow('Nowhere/Land');
    const panels = Array.from({ length: 21 }, () => ({ label: 'CPU', unit: 'percent' as const, series: [] }));
    await expect(drawing.draw(spec({ panels }))).rejects.toThrow('at most 20 panels');
    expect((await drawing.draw(spec())).width).toBe(720);
    expect(painters).toHaveLength(1);
  });

  test('turn away what is more than may wait', async () => {
    const drawing = charts({ mostWaiting: 2 });
    const taken = [1, 2, 3].map(() => drawing.draw(spec()));
    await expect(drawing.draw(spec())).rejects.toThrow('2 pictures are waiting');
    expect(await Promise.all(taken)).toHaveLength(3);
  });

  test('end the process when they are closed, and reject what it drew, what waits and what comes', async () => {
    const drawing = charts();
    await drawing.draw(spec());
    signal(painter(), 'SIGSTOP');
    const rejected = [1, 2].map(() => expect(drawing.draw(spec())).rejects.toThrow('charts are closed'));
    await drawing.close();
    expect(hasEnded(painter())).toBe(true);
    await Promise.all(rejected);
    await expect(drawing.draw(spec())).rejects.toThrow('charts are closed');
    expect(painters).toHaveLength(1);
  });

  test('close without having drawn anything', async () => {
    await expect(charts().close()).resolves.toBeUndefined();
  });

  test('never outlive a parent that is killed, nor keep one alive that has nothing else to do', async () => {
    const program = new URL('./parent.ts', import.meta.url).pathname;
    for (const way of ['leave', 'close']) {
      const idle = spawn(process.execPath, [program, way], { stdio: ['ignore', 'ignore', 'inherit'] });
      expect(await once(idle, 'exit')).toEqual([0, null]);
    }

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
    // An orphan that nobody has collected yet is gone too.
    if (process.platform === 'linux') return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
