import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../stack.ts';
import { ask, bob } from './history-acts.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

/** What Carol sees in the channel that follows along: what is for everybody there. */
async function log(): Promise<string[]> {
  const messages = await running.slack.messages('C0GENERAL', 'U0CAROL');
  return messages.map(({ blocks }) =>
    [...JSON.stringify(blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text).join(''),
  );
}

const inLog = (words: RegExp) => expect.poll(async () => (await log()).join('\n')).toMatch(words);

async function follow(): Promise<void> {
  await ask(running, 'history --to #general', /A channel follows the record/);
  await inLog(/This channel follows the record/);
  await inLog(/history · ✅ Done · alice · \d+ ms · A channel follows the record/);
}

describe('history --to', () => {
  test('tells a channel what is changed and refused, and calls nobody', async () => {
    await follow();
    await ask(running, 'show VPS-10001', /VPS-10001/);
    await ask(running, 'reboot VPS-10001', /may not|right/, bob);
    const card = await ask(running, 'reboot VPS-10002', /Reboot VPS-10002\?/);
    await running.slack.click(card, 'confirm');
    await inLog(/reboot VPS-10002 · ✅ Done · alice · \d+ (ms|s)/);
    await inLog(/reboot VPS-10001 · 🚫 Refused · bob · /);
    expect((await log()).join('\n')).not.toContain('show');
    const messages = await running.slack.messages('C0GENERAL', 'U0CAROL');
    expect(messages.flatMap(({ pings }) => pings)).toEqual([]);
  });

  test('does not tell what was mistyped', async () => {
    await follow();
    await ask(running, 'history --export xml', /The record is exported as csv or jsonl/);
    await ask(running, 'snapshot create VPS-99999 before', /VPS-99999/);
    await ask(running, 'reboot VPS-10001', /may not|right/, bob);
    await inLog(/reboot VPS-10001 · 🚫 Refused · bob · /);
    const told = (await log()).join('\n');
    expect(told).not.toContain('csv or jsonl');
    expect(told).not.toContain('VPS-99999');
  });

  test('off ends it', async () => {
    await follow();
    await ask(running, 'history --to off', /No channel follows the record any more/);
    await ask(running, 'history --to off', /No channel follows the record$/);
    const before = await log();
    await ask(running, 'reboot VPS-10001', /may not|right/, bob);
    await ask(running, 'history --to #ops', /A channel follows the record/);
    await expect
      .poll(async () => JSON.stringify(await running.slack.messages('C0OPS', 'U0CAROL')))
      .toContain('history');
    expect(await log()).toEqual(before);
  });

  test('a channel that the app is not in is refused, with what to do', async () => {
    await ask(running, 'history --to #quiet', /cannot speak in that channel/);
    await ask(running, 'history --to #general', /may not|right/, bob);
    await ask(running, 'history --to off', /No channel follows the record$/);
  });

  test('a channel that is archived follows no longer, and whoever set it is told', async () => {
    await follow();
    await running.slack.act('slash', {
      team: 'T0ACME',
      user: 'U0ALICE',
      channel: 'C0GENERAL',
      command: '/archive',
      text: '',
    });
    await ask(running, 'reboot VPS-10001', /may not|right/, bob);
    await running.slack.message('does not follow the record any more', 'U0ALICE', 'U0ALICE');
    await ask(running, 'history --to off', /No channel follows the record$/);
    await ask(running, 'history', /The record/);
  });
});
