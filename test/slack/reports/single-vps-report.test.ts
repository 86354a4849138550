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

  test('names what could not be read, and has only text if there is no chart', async () => {
    await running.service.fault('status:500', { times: 20, path: '/v1/vps/VPS-10003/monitoring/rrd' });
    await running.slack.slash('report run --about VPS-10003');
    const told = await running.slack.message(/VPS-10003/);
    expect(blocksText(told)).toContain('The history of api-01 (VPS-10003) could not be read');
  });

  test('needs the right to view it', async () => {
    const bob = { user: 'U0BOB', channel: 'C0OPS' };
    await runCommand(running, 'report run --about VPS-10004', /No VPS matches|permission/, bob);
    await running.slack.slash('report run --about VPS-10001', bob);
    await running.slack.message(/VPS-10001/, 'U0BOB', 'U0BOB');
  });

  test("can't also be about a fleet", async () => {
    await runCommand(running, 'report run --about VPS-10004 --vps VPS-1*', /not both/);
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
