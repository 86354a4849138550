import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, type SlackMessage, startStack } from '../stack.ts';
import { ask, bob, buttonsOf, linesOf, tableOf } from './history-acts.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

describe('history', () => {
  test('shows who did what to what and how it ended, newest first, to its asker alone', async () => {
    await ask(running, 'show VPS-10001', /VPS-10001/);
    await ask(running, 'show VPS-10002', /VPS-10002/, bob);
    await ask(running, 'reboot VPS-10001', /may not|right/, bob);
    const told = await ask(running, 'history', /The record/);
    expect(linesOf(told)).toEqual([
      expect.stringMatching(/^bob \| 🚫 Refused \| reboot VPS-10001/),
      'bob | ✅ Done | show VPS-10002',
      'alice | ✅ Done | show VPS-10001',
    ]);
    expect(tableOf(told)[0]?.[3]).toMatch(/right|may not/);
    expect(tableOf(told)[1]?.[3]).toBe('–');
    expect(tableOf(told)[0]?.[4]).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(told.ephemeral).toBe(true);
    expect(told.pings).toEqual([]);
  });

  test('shows those of a VPS, of a person, of a while, and those that did not go through', async () => {
    await ask(running, 'show VPS-10001', /VPS-10001/);
    await ask(running, 'show VPS-10002', /VPS-10002/, bob);
    await ask(running, 'reboot VPS-10001', /may not|right/, bob);
    const lines = async (typed: string) => linesOf(await ask(running, typed, /The record|Nothing on record/));
    const refused = expect.stringMatching(/^bob \| 🚫 Refused \| reboot VPS-10001/);
    expect(await lines('history VPS-10001')).toEqual([refused, 'alice | ✅ Done | show VPS-10001']);
    expect(await lines('history @bob')).toEqual([refused, 'bob | ✅ Done | show VPS-10002']);
    expect(await lines('history vps-10001 @bob')).toEqual([refused]);
    expect(await lines('history --failed')).toEqual([refused]);
    expect(await lines('history @bob --since 1h')).toHaveLength(2);
    expect(await lines('history --since 2099-01-01')).toEqual([]);
  });

  test('names whom a right was given to', async () => {
    await ask(running, 'access grant @bob change', /Granted/);
    const told = await ask(running, 'history', /The record/);
    expect(linesOf(told)).toEqual(['alice | ✅ Done | access grant change on all VPS for bob']);
    expect(told.pings).toEqual([]);
  });

  test('says that there is nothing, and what it looked for', async () => {
    const none = await ask(running, 'history VPS-10012 --failed', /Nothing on record/);
    expect(JSON.stringify(none.blocks)).toContain('VPS-10012');
    expect(buttonsOf(none)).toEqual(['Show All', 'Export CSV', 'Post to Channel']);
    await running.slack.click(none, 'step:0');
    await running.slack.message('Nothing on record');
  });

  test('turns to what is older, and back', async () => {
    for (let index = 0; index < 30; index += 1) await ask(running, 'help show', /Show/);
    const first = await ask(running, 'history', /The record/);
    expect(linesOf(first)).toEqual(Array(25).fill('alice | ✅ Done | help'));
    expect(buttonsOf(first).slice(0, 2)).toEqual(['Older', 'Only Failed']);
    await running.slack.click(first, 'step:0');
    const isSecond = ({ text, ts }: SlackMessage) => text === 'The record' && ts !== first.ts;
    const seconds = async () => (await running.slack.messages()).filter(isSecond);
    await expect.poll(async () => (await seconds()).length).toBe(1);
    const [second] = await seconds();
    if (!second) throw new Error('there is no second page');
    expect(linesOf(second)).toEqual(Array(5).fill('alice | ✅ Done | help'));
    expect(buttonsOf(second).slice(0, 2)).toEqual(['Newer', 'Only Failed']);
    await running.slack.click(second, 'step:0');
    await expect.poll(async () => (await seconds()).length).toBe(2);
    const [, back] = await seconds();
    if (!back) throw new Error('there is no way back');
    expect(linesOf(back)).toHaveLength(25);
  });

  test('shows people what they may look at, and their own: not what takes administering', async () => {
    await ask(running, 'show VPS-10001', /VPS-10001/);
    await ask(running, 'history --export csv', /exported/);
    await ask(running, 'history --export csv', /may not|right/, bob);
    const what = (told: SlackMessage) => linesOf(told).map((line) => line.replace(/ \| .* \| /, ' '));
    expect(what(await ask(running, 'history', /The record/, bob))).toEqual([
      'bob history',
      'alice show VPS-10001',
    ]);
    expect(what(await ask(running, 'history', /The record/))).toEqual([
      'bob history',
      'bob history',
      'alice history',
      'alice show VPS-10001',
    ]);
  });

  test('posted to the channel calls nobody', async () => {
    await ask(running, 'show VPS-10002', /VPS-10002/, bob);
    const told = await ask(running, 'history', /The record/);
    await running.slack.click(told, 'share');
    await expect
      .poll(async () => (await running.slack.messages('C0OPS', 'U0BOB')).at(-1)?.text)
      .toBe('The record');
    const posted = (await running.slack.messages('C0OPS', 'U0BOB')).at(-1);
    expect(posted).toMatchObject({ ephemeral: false, pings: [] });
  });

  test.each([
    ['history web1', 'neither a VPS'],
    ['history --since yesterday', 'A time looks like'],
    ['history --to #nowhere', 'knows no channel'],
    ['history --export xlsx', 'csv or jsonl'],
  ])('%s is complained of, with the form', async (typed, words) => {
    const told = await ask(running, typed, new RegExp(words));
    expect(buttonsOf(told)).toContain('Open Form');
  });
});
