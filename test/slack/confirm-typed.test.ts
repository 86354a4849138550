import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ModalView, type RunningStack, startStack, textOf } from '../stack.ts';
import { refusalsOf, typedValue } from './form-acts.ts';

const user = 'U0ALICE';
const question = 'Restore VPS-10001 from snapshot weekly?';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

/** Asks for a restore and opens the view in which the name is typed. */
async function openQuestion(): Promise<ModalView> {
  const { slack } = running;
  await slack.slash('snapshot restore VPS-10001 weekly');
  await slack.click(await slack.message(question), 'confirm:typed');
  return slack.modal();
}

async function isAsked(): Promise<boolean> {
  return (await running.slack.messages()).some(({ text }) => text.includes(question));
}

describe('a confirmation that wants the name typed', () => {
  test('restores when it is typed right, and its card goes', async () => {
    const { slack, service } = running;
    const view = await openQuestion();
    expect(textOf(view)).toContain('Type VPS-10001 to go on');
    expect(await service.changes()).toEqual([]);
    await slack.submit(view, { typed: typedValue('VPS-10001') });
    await slack.message('Restore VPS-10001 from snapshot weekly: 🔄 Under way');
    expect(await slack.openModals()).toEqual([]);
    await expect.poll(isAsked).toBe(false);
    expect(await service.changes()).toMatchObject([
      { method: 'POST', path: '/v1/vps/VPS-10001/snapshots/weekly/restore', status: 200 },
    ]);
    expect(await refusalsOf(slack.url)).toEqual([]);
  });

  test.each(['VPS-1000', 'VPS-10002', 'yes', 'VPS-10001 VPS-10001', 'VPS10001'])(
    'says beside the field that "%s" is wrong, and can be corrected',
    async (wrong) => {
      const { slack, service } = running;
      const view = await openQuestion();
      expect(await slack.submit(view, { typed: typedValue(wrong) })).toMatchObject({
        response_action: 'errors',
        errors: { typed: 'This is not VPS-10001.' },
      });
      expect(await service.changes()).toEqual([]);
      expect(await isAsked()).toBe(true);
      await slack.submit(view, { typed: typedValue(' vps-10001 ') });
      await slack.message('Restore VPS-10001 from snapshot weekly: 🔄 Under way');
    },
  );

  test('restores once when Slack delivers what was typed twice', async () => {
    const { slack, service } = running;
    const view = await openQuestion();
    await slack.fault('duplicate');
    await slack.submit(view, { typed: typedValue('VPS-10001') });
    await slack.message('Restore VPS-10001 from snapshot weekly: 🔄 Under way');
    expect(await service.changes()).toHaveLength(1);
  });

  test('asks again where the VPS is in another state by then', async () => {
    const { slack, service } = running;
    const view = await openQuestion();
    const sent = await fetch(`${service.url}/v1/vps/VPS-10001/action`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-key-full', 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'reboot' }),
    });
    expect(sent.status).toBe(200);
    await slack.submit(view, { typed: typedValue('VPS-10001') });
    await expect.poll(async () => textOf(await slack.message(question))).toContain('look again');
    expect(await service.changes()).toHaveLength(1);
    await slack.click(await slack.message(question), 'confirm:typed');
    expect(textOf(await slack.modal())).toContain('Type VPS-10001 to go on');
  });

  test('does nothing when its view is closed, and can be cancelled on its card', async () => {
    const { slack, service } = running;
    const view = await openQuestion();
    await slack.act('close', { user, view: view.id });
    await slack.click(await slack.message(question), 'cancel');
    await expect.poll(isAsked).toBe(false);
    expect(await service.changes()).toEqual([]);
  });

  test('says what to do where Slack let too much time pass, and then opens', async () => {
    const { slack } = running;
    await slack.slash('snapshot restore VPS-10001 weekly');
    const card = await slack.message(question);
    await slack.fault('expire_trigger');
    await slack.click(card, 'confirm:typed');
    expect((await slack.message('press the button again')).ephemeral).toBe(true);
    expect(await slack.openModals()).toEqual([]);
    await slack.click(card, 'confirm:typed');
    expect(textOf(await slack.modal())).toContain('Type VPS-10001 to go on');
  });

  test('is answered in the thread where it was asked', async () => {
    const { slack } = running;
    await slack.mention('@Rackhand list --public');
    const root = await slack.message('12 VPS');
    await slack.mention('@Rackhand snapshot restore VPS-10001 weekly', { thread_ts: root.ts });
    await slack.click(await slack.message(question), 'confirm:typed');
    await slack.submit(await slack.modal(), { typed: typedValue('VPS-10001') });
    const told = await slack.message('Restore VPS-10001 from snapshot weekly: 🔄 Under way');
    expect(told).toMatchObject({ thread_ts: root.ts, ephemeral: false });
  });

  test('asked in a view is typed above it, and answered in it', async () => {
    const { slack, service } = running;
    await slack.act('shortcut', { user, callback_id: 'run-operation' });
    const chosen = { type: 'plain_text', text: 'Put a VPS back to one of its snapshots' };
    await slack.submit(await slack.modal(), {
      operation: {
        value: { type: 'static_select', selected_option: { text: chosen, value: 'snapshot restore' } },
      },
    });
    const form = await slack.modal();
    const option = (value: string) => ({
      remote: {
        type: 'external_select',
        selected_option: { text: { type: 'plain_text', text: value }, value },
      },
    });
    await slack.submit(form, { vps: option('VPS-10001') });
    await slack.submit(await slack.modal(), { 'snapshot@1': option('weekly') });
    await expect.poll(async () => textOf(await slack.modal())).toContain(question);
    const card = await slack.modal();
    await slack.act('click', { user, view: card.id, action_id: 'confirm:typed' });
    await expect.poll(async () => textOf(await slack.modal())).toContain('Type VPS-10001 to go on');
    await slack.submit(await slack.modal(), { typed: typedValue('VPS-10001') });
    await expect.poll(async () => textOf(await slack.modal())).toContain('It is under way');
    expect((await slack.modal()).id).toBe(card.id);
    await expect.poll(async () => (await service.changes()).length).toBe(1);
    expect(await refusalsOf(slack.url)).toEqual([]);
  });
});
