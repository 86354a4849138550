import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../eventually.ts';
import { type RunningStack, startStack } from '../stack.ts';
import { ask, bob } from './history-acts.ts';

let running: RunningStack;

beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

const shared = z.object({
  files: z.array(z.object({ id: z.string(), name: z.string(), title: z.string() })),
});

/** Waits for the file in somebody's direct messages with the app, and reads it as they do. */
async function fileFor(user: string) {
  const file = await eventually(async () => {
    const messages = await running.slack.messages(user, user);
    const [found] = messages.flatMap((message) => shared.safeParse(message).data?.files ?? []);
    if (!found) throw new Error('no file has come');
    return found;
  });
  const response = await fetch(`${running.slack.url}/files/${file.id}`, {
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  return { ...file, text: await response.text() };
}

describe('history --export', () => {
  test('csv brings a file with what was asked for to the direct messages of whoever administers', async () => {
    await ask(running, 'show VPS-10001', /VPS-10001/);
    await ask(running, 'show VPS-10002', /VPS-10002/, bob);
    const told = await ask(running, 'history VPS-10002 --export csv', /exported/);
    expect(told.ephemeral).toBe(true);
    const { name, title, text } = await fileFor('U0ALICE');
    expect(name).toMatch(/^record-\d{4}-\d\d-\d\d\.csv$/);
    expect(title).toBe('Record, 1 run');
    const [head, line, ...rest] = text.split('\r\n');
    expect(head).toMatch(/^id,requested_at,who,who_name,what,target,input,/);
    expect(line).toMatch(/,U0BOB,bob,show,VPS-10002,"{""vps"":""VPS-10002""}",C0OPS,,done,/);
    expect(rest).toEqual(['']);
    expect(await running.slack.messages('C0OPS', 'U0BOB')).not.toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('exported') }),
    );
  });

  test('jsonl has the same, by the button of a page too', async () => {
    await ask(running, 'show VPS-10001', /VPS-10001/);
    await ask(running, 'history --export jsonl', /exported/);
    const { name, text } = await fileFor('U0ALICE');
    expect(name).toMatch(/\.jsonl$/);
    expect(JSON.parse(text)).toMatchObject({
      who: 'U0ALICE',
      who_name: 'alice',
      what: 'show',
      input: { vps: 'VPS-10001' },
      outcome: 'done',
    });
    const page = await ask(running, 'history', /The record/);
    await running.slack.click(page, 'step:1');
    await expect
      .poll(async () => JSON.stringify(await running.slack.messages('U0ALICE', 'U0ALICE')))
      .toMatch(/record-[\d-]+\.csv/);
  });

  test('is refused to whoever does not administer, and nothing is written', async () => {
    await ask(running, 'history --export csv', /may not|right/, bob);
    const { messages } = running.slack;
    expect(await messages('U0BOB', 'U0BOB')).toEqual([]);
    const page = await ask(running, 'history', /The record/, bob);
    expect(JSON.stringify(page.blocks)).not.toContain('Export');
  });
});
