import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModalView, type RunningStack, startStack, textOf } from '../stack.ts';
import { dependentBlock, exchangesOf, refusalsOf } from './form-acts.ts';

const user = 'U0ALICE';

/** A trigger is good for 3 s; a form that takes a third of them is in time on a busy machine too. */
const openWithinMs = 1_000;

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

async function suggest(view: ModalView, block_id: string, text = '') {
  return running.slack.act('suggest', { user, view: view.id, block_id, action_id: 'remote', text });
}

describe('a form', () => {
  test('opens at once where every answer of the service is slow, and where the ack is', async () => {
    const { slack, service } = running;
    await service.fault('slow:20000', { times: 50 });
    await slack.fault('ack_delay:2000');
    const typed = slack.slash('reinstall');
    await slack.modal();
    const opened = (await exchangesOf(slack.url)).find(({ kind }) => kind === 'views.open');
    const asked = (await exchangesOf(slack.url)).find(({ kind }) => kind === 'slash_commands');
    expect((opened?.at ?? Number.NaN) - (asked?.at ?? Number.NaN)).toBeLessThan(openWithinMs);
    expect(await service.calls()).toEqual([]);
    expect((await typed).acknowledged).toBe(true);
  });

  test('follows a choice at once where the service is slow', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot delete');
    const view = await slack.modal();
    await service.fault('slow:20000', { times: 50 });
    await slack.act('click', {
      user,
      view: view.id,
      block_id: 'vps',
      action_id: 'remote',
      value: 'VPS-10001',
    });
    await expect.poll(async () => dependentBlock(await slack.modal(), 'snapshot')).toBe('snapshot@1');
  });
});

describe('a select', () => {
  test('of more than it can hold says how many there are, and finds each by typing', async () => {
    await running.close();
    running = await startStack({ hosting: { vpsCount: 500 } });
    const { slack } = running;
    await slack.slash('reboot');
    const view = await slack.modal();
    const first = await suggest(view, 'vps');
    expect(first.options).toHaveLength(100);
    expect(first).toMatchObject({
      option_groups: [{ label: { text: '100 of 500: type to find the others' } }],
    });
    expect((await suggest(view, 'vps', 'VPS-10499')).options?.map(({ value }) => value)).toEqual([
      'VPS-10499',
    ]);
    expect(await refusalsOf(slack.url)).toEqual([]);
  });

  test('that cannot be filled has the form say why, until it can', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create VPS-10001');
    const view = await slack.modal();
    await service.fault('status:500', { times: 3 });
    expect((await suggest(view, 'vps')).options).toEqual([]);
    await expect.poll(async () => textOf(await slack.modal())).toContain('Open the list again in a moment.');
    expect(textOf(await slack.modal())).toContain('The hosting service failed (500).');
    expect((await suggest(view, 'vps')).options).toHaveLength(12);
    await expect.poll(async () => textOf(await slack.modal())).not.toContain('Open the list again');
    expect(await refusalsOf(slack.url)).toEqual([]);
  });

  test('that the API key may not fill becomes a field to write into', async () => {
    const { slack, service } = running;
    const changed = await fetch(`${service.url}/sandbox/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ key: 'sandbox-key-full', permissions: ['vps.manage'] }),
    });
    expect(changed.status).toBe(200);
    await slack.slash('snapshot create');
    const view = await slack.modal();
    expect((await suggest(view, 'vps')).options).toEqual([]);
    await expect.poll(async () => textOf(await slack.modal())).toContain('write the name');
    const name = { value: { type: 'plain_text_input', value: 'before' } };
    const vps = (value: string) => ({ vps: { value: { type: 'plain_text_input', value } }, name });
    expect(await slack.submit(await slack.modal(), vps('not one'))).toMatchObject({
      errors: { vps: 'A VPS name looks like VPS-10001' },
    });
    await slack.submit(await slack.modal(), vps('vps-10003'));
    await slack.message('Take snapshot before of VPS-10003: ✅ Done');
    expect(await refusalsOf(slack.url)).toEqual([]);
  });
});
