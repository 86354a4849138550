import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, type RunningStack, startStack } from '../../stack.ts';
import { readButtonLabels, readTable, runCommand } from '../command-driver.ts';

const minuteMs = 60_000;

let running: RunningStack;
let clock: ManualClock;
beforeEach(async () => {
  clock = createManualClock(Date.now());
  running = await startStack({
    clock,
    grants: [
      { grantee: 'U0BOB', right: 'view', pattern: 'VPS-10001' },
      { grantee: 'U0CAROL', right: 'view', pattern: '*' },
    ],
  });
});
afterEach(() => running.close());

const pathsOf = async () => (await running.service.calls()).map(({ path }) => path);

describe('report run for one VPS', () => {
  test('has one chart, each figure with its period, and the findings', async () => {
    await running.slack.slash('report run --about vps-10004');
    const told = await running.slack.message(
      /^worker-01 \(VPS-10004\) needs a look: CPU/,
      'U0ALICE',
      'U0ALICE',
    );
    expect(told.blocks.map(({ type }) => type)).toContain('image');
    const text = blocksText(told);
    expect(text).toMatch(/CPU .*on average, at most/);
    expect(text).toMatch(/Memory .*Disk .*Network/);
    expect(readButtonLabels(told)).toEqual(expect.arrayContaining(['Graph', 'Show', 'Live']));
    expect(readTable(told)).toEqual([]);
    const paths = await pathsOf();
    expect(
      paths.filter((path) => path.includes('/monitoring/')).every((path) => path.includes('10004')),
    ).toBe(true);
  });
});

describe('a scheduled report on one VPS', () => {
  test('is posted when it is due, and compares itself with the last one', async () => {
    const dueMs = Math.ceil(clock.now() / minuteMs) * minuteMs + 14 * minuteMs;
    const at = new Date(dueMs).toISOString().slice(11, 16);
    await runCommand(
      running,
      `report add daily ${at} --zone UTC --about VPS-10004 --name Deep`,
      /is scheduled/,
    );
    await eventually(
      async () => {
        await clock.advanceTo(dueMs, () => new Promise((resolve) => setImmediate(resolve)));
        await running.slack.message(/^worker-01 \(VPS-10004\) needs a look/, 'C0OPS', 'U0CAROL');
      },
      { intervalMs: 50 },
    );
    const post = await running.slack.message(/^worker-01 \(VPS-10004\) needs a look/, 'C0OPS', 'U0CAROL');
    expect(post.blocks.map(({ type }) => type)).toContain('image');
    expect(blocksText(post)).toContain('Deep: Every day at');
    const lives = (await pathsOf()).filter((path) => path.endsWith('/monitoring/live'));
    expect(lives).toHaveLength(1);
    const run = await runCommand(running, 'report show Deep', /^Deep$/);
    expect(blocksText(run)).toContain('worker-01 (VPS-10004), in depth');
  });
});
