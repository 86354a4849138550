import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RunningStack, startStack, textOf } from '../stack.ts';
import { ask, bob, buttonsOf, tableOf } from './history-acts.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

test('a muted VPS is in the table of a report, but not called out, until it is unmuted', async () => {
  await running.slack.slash('report run');
  const first = await running.slack.message(/2 of 12 need a look: .*VPS-10004/, 'U0ALICE', 'U0ALICE');
  expect(textOf(first)).toContain('Mute a VPS for a Day…');
  const muted = await ask(running, 'mute VPS-10004 --for 4h', /^VPS-10004 is muted$/);
  expect(textOf(muted)).toContain('Until');

  await running.slack.slash('report run');
  const quieter = await running.slack.message(/1 of 12 needs a look: .+; 1 muted$/, 'U0ALICE', 'U0ALICE');
  expect(quieter.text).not.toContain('VPS-10004');
  expect(buttonsOf(quieter)).toEqual(expect.arrayContaining(['Graph', 'Show', 'Mute for a Day']));
  await running.slack.slash('report run --about VPS-10004');
  const deep = await running.slack.message(
    /^Nothing stands out about VPS-10004; it is muted$/,
    'U0ALICE',
    'U0ALICE',
  );
  expect(textOf(deep)).toMatch(/Muted, and so not called out: CPU \d+ %/);
  expect(tableOf(quieter).flat().join(' ')).toContain('VPS-10004');
  expect(textOf(quieter)).toMatch(/Muted: VPS-10004 until /);

  const list = await ask(running, 'mutes', /^One VPS is muted$/);
  expect(buttonsOf(list)).toContain('Unmute VPS-10004');
  await running.slack.click(list, 'step:0');
  const unmuted = await running.slack.message(/^VPS-10004 is not muted any more$/);
  expect(buttonsOf(unmuted)).toContain('Mute for a Day');
});

test('who may only look mutes nothing, and a length of time that is none is said plainly', async () => {
  await ask(running, 'mute VPS-10004', /^You lack the right to change something on VPS-10004/, bob);
  const wrong = await ask(running, 'mute VPS-10004 --for soon', /Say how long/);
  expect(textOf(wrong)).toContain('as in 30m, 4h or 1d');
  await ask(running, 'mutes', /^Nothing is muted$/);
});
