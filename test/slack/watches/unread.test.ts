import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText } from '../../stack.ts';
import { readTable, runCommand } from '../command-driver.ts';
import { type HostileHarness, startHostileHarness } from '../hostile/hostile-harness.ts';
import { advanceMinutes, advanceUntil } from './watch-driver.ts';

/** Names that Rackhand doesn't know, for fields of the service. Tests change them. */
let foreignNames: Record<string, string>;
let clock: ManualClock;
let running: HostileHarness;

function renameFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameFields);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [foreignNames[field] ?? field, renameFields(inner)]),
  );
}

beforeEach(async () => {
  foreignNames = {};
  clock = createManualClock(Date.now());
  const distort = { error: renameFields, extend: (data: unknown) => data, transform: renameFields };
  running = await startHostileHarness({ clock, vpsCount: 3, distort });
  for (let vps = 10_001; vps <= 10_003; vps += 1) await running.service.load(`VPS-${vps}`, { cpu: 0.2 });
});
afterEach(() => running.close());

const run = (words: string, answer: RegExp) => runCommand(running, words, answer);
const pass = (minutes: number) => advanceMinutes(running, clock, minutes);
const channelTexts = async () =>
  (await running.slack.messages('C0OPS', 'U0CAROL')).map(({ text }) => text).join('\n');
const noticesOf = async (matching: RegExp) => (await channelTexts()).match(matching) ?? [];

describe('a watch whose figure the service shows under an unknown name', () => {
  test('is added, and says to the person and later in its channel what it cannot read', async () => {
    foreignNames = { cpu: 'cpu_jiffies' };
    const added = await run('watch add cpu > 90% --name Busy', /^Watch "Busy" was added$/);
    expect(blocksText(added)).toMatch(
      /Can't read CPU of web-01 \(VPS-10001\): the service's live data has no CPU that Rackhand understands. Its other fields: .*cpu_jiffies/,
    );
    await advanceUntil(clock, async () =>
      expect(await noticesOf(/Watch "Busy" can't read/g)).toHaveLength(1),
    );
    const list = await run('watch list', /^One watch$/);
    expect(readTable(list)[0]?.[1]).toBe(
      "? can't read CPU of web-01 (VPS-10001), web-02 (VPS-10002) and api-01 (VPS-10003)",
    );
    expect(blocksText(await run('watch show Busy', /^Busy$/))).toMatch(
      /CPU of web-01 \(VPS-10001\), web-02 \(VPS-10002\) and api-01 \(VPS-10003\) couldn't be read for .*no such value/,
    );
  });
});

describe('a watch that can no longer be evaluated', () => {
  test('says so once in its channel, and once when it can be evaluated again', async () => {
    await run('watch add cpu > 90% --name Busy', /^Watch "Busy" was added$/);
    await pass(2);
    foreignNames = { cpu: 'cpu_jiffies' };
    const blind =
      /Watch "Busy" can't read CPU of web-01 \(VPS-10001\), web-02 \(VPS-10002\) and api-01 \(VPS-10003\): the service's response has no such value/g;
    await advanceUntil(clock, async () => expect(await noticesOf(blind)).toHaveLength(1));
    await pass(15);
    expect(await noticesOf(blind)).toHaveLength(1);
    foreignNames = {};
    const again =
      /Watch "Busy" can read CPU of web-01 \(VPS-10001\), web-02 \(VPS-10002\) and api-01 \(VPS-10003\) again\./g;
    await advanceUntil(clock, async () => expect(await noticesOf(again)).toHaveLength(1));
    await pass(12);
    expect(await noticesOf(again)).toHaveLength(1);
    const list = await run('watch list', /^One watch$/);
    expect(readTable(list)[0]?.[1]).toBe('✅ nothing');
  });
});
