import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, type RunningStack, startStack } from '../../stack.ts';
import { readButtonLabels, readTable } from '../command-driver.ts';

let running: RunningStack;
let clock: ManualClock;
beforeEach(async () => {
  clock = createManualClock(Date.now());
  running = await startStack({
    clock,
    hosting: { windowMs: 250 },
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
