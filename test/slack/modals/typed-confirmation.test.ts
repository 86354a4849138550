import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksText, type ModalView, type RunningStack, startStack } from '../../stack.ts';
import { listRejections, toSelectedOption, toTextValue } from './form/form-driver.ts';

const user = 'U0ALICE';
const question = 'Restore web-01 (VPS-10001) from snapshot weekly?';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

/** Requests a restore and opens the modal for typing the name. */
async function openTypedConfirmation(): Promise<ModalView> {
  const { slack } = running;
  await slack.slash('snapshot restore VPS-10001 weekly');
  await slack.click(await slack.message(question), 'confirm:typed');
  return slack.modal();
}

async function isCardShown(): Promise<boolean> {
  return (await running.slack.messages()).some(({ text }) => text.includes(question));
}

describe('a confirmation that requires typing the name', () => {
  test('restores once the name is typed, and removes its card', async () => {
    const { slack, service } = running;
    const view = await openTypedConfirmation();
    expect(blocksText(view)).toContain('Type VPS-10001 to confirm');
    expect(await service.changes()).toEqual([]);
    await slack.submit(view, { typed: toTextValue('VPS-10001') });
    await slack.message('Restore web-01 (VPS-10001) from snapshot weekly: 🔄 In progress');
    expect(await slack.openModals()).toEqual([]);
    await expect.poll(isCardShown).toBe(false);
    expect(await service.changes()).toMatchObject([
      { method: 'POST', path: '/v1/vps/VPS-10001/snapshots/weekly/restore', status: 200 },
    ]);
    expect(await listRejections(slack.url)).toEqual([]);
  });

  test('takes a reason, and shows markup in it as it was typed', async () => {
    const { slack } = running;
    const reason = 'INC-42 <!channel> *x* <@U0BOB>';
    const values = { typed: toTextValue('VPS-10001'), reason: toTextValue(reason) };
    await slack.submit(await openTypedConfirmation(), values);
    const told = await slack.message('Restore web-01 (VPS-10001) from snapshot weekly: 🔄 In progress');
    expect(JSON.stringify(told.blocks)).toContain(
      JSON.stringify({ type: 'text', text: reason }).slice(1, -1),
    );
    expect(told.pings).toEqual([]);
    await slack.slash('history');
    expect(JSON.stringify((await slack.message('Activity log')).blocks)).toContain(reason);
  });

  test('shows an error for any other name at the field, and accepts a correction', async () => {
    const { slack, service } = running;
    const view = await openTypedConfirmation();
    for (const wrong of ['VPS-1000', 'VPS-10002', 'yes', 'VPS-10001 VPS-10001', 'VPS10001']) {
      expect(await slack.submit(view, { typed: toTextValue(wrong) }), wrong).toMatchObject({
        response_action: 'errors',
        errors: { typed: "This doesn't match VPS-10001." },
      });
    }
    expect(await service.changes()).toEqual([]);
    expect(await isCardShown()).toBe(true);
    await slack.submit(view, { typed: toTextValue(' vps-10001 ') });
    await slack.message('Restore web-01 (VPS-10001) from snapshot weekly: 🔄 In progress');
  });

  test('restores once when Slack delivers the submission twice', async () => {
    const { slack, service } = running;
    const view = await openTypedConfirmation();
    await slack.fault('duplicate');
    await slack.submit(view, { typed: toTextValue('VPS-10001') });
    await slack.message('Restore web-01 (VPS-10001) from snapshot weekly: 🔄 In progress');
    expect(await service.changes()).toHaveLength(1);
  });

  test('asks again if the VPS changed its state meanwhile', async () => {
    const { slack, service } = running;
    const view = await openTypedConfirmation();
    const sent = await fetch(`${service.url}/v1/vps/VPS-10001/action`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-key-full', 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'reboot' }),
    });
    expect(sent.status).toBe(200);
    await slack.submit(view, { typed: toTextValue('VPS-10001') });
    await expect.poll(async () => blocksText(await slack.message(question))).toContain('Check it before');
    expect(await service.changes()).toHaveLength(1);
    await slack.click(await slack.message(question), 'confirm:typed');
    expect(blocksText(await slack.modal())).toContain('Type VPS-10001 to confirm');
  });

  test('does nothing when its modal is closed, and can be cancelled on its card', async () => {
    const { slack, service } = running;
    const view = await openTypedConfirmation();
    await slack.act('close', { user, view: view.id });
    await slack.click(await slack.earlierMessage(question), 'cancel');
    await expect.poll(isCardShown).toBe(false);
    expect(await service.changes()).toEqual([]);
  });

  test('explains an expired trigger, and opens at the next press', async () => {
    const { slack } = running;
    await slack.slash('snapshot restore VPS-10001 weekly');
    const card = await slack.message(question);
    await slack.fault('expire_trigger');
    await slack.click(card, 'confirm:typed');
    expect((await slack.message('Press the button again')).ephemeral).toBe(true);
    expect(await slack.openModals()).toEqual([]);
    await slack.click(card, 'confirm:typed');
    expect(blocksText(await slack.modal())).toContain('Type VPS-10001 to confirm');
  });

  test('is reported in the thread of the request', async () => {
    const { slack } = running;
    await slack.mention('@Rackhand list --public');
    const root = await slack.message('12 VPS');
    await slack.mention('@Rackhand snapshot restore VPS-10001 weekly', { thread_ts: root.ts });
    await slack.click(await slack.message(question), 'confirm:typed');
    await slack.submit(await slack.modal(), { typed: toTextValue('VPS-10001') });
    const told = await slack.message('Restore web-01 (VPS-10001) from snapshot weekly: 🔄 In progress');
    expect(told).toMatchObject({ thread_ts: root.ts, ephemeral: false });
  });

  test('requested in a modal is typed above it and reported in it', async () => {
    const { slack, service } = running;
    await slack.act('shortcut', { user, callback_id: 'run-operation' });
    const chosen = { type: 'plain_text', text: 'Restore a VPS from one of its snapshots' };
    await slack.submit(await slack.modal(), {
      operation: {
        value: { type: 'static_select', selected_option: { text: chosen, value: 'snapshot restore' } },
      },
    });
    const form = await slack.modal();
    await slack.submit(form, { vps: toSelectedOption('VPS-10001') });
    await slack.submit(await slack.modal(), { 'snapshot@1': toSelectedOption('weekly') });
    await expect.poll(async () => blocksText(await slack.modal())).toContain(question);
    const card = await slack.modal();
    await slack.act('click', { user, view: card.id, action_id: 'confirm:typed' });
    await expect.poll(async () => blocksText(await slack.modal())).toContain('Type VPS-10001 to confirm');
    await slack.submit(await slack.modal(), { typed: toTextValue('VPS-10001') });
    await expect.poll(async () => blocksText(await slack.modal())).toContain("I'll post the progress");
    expect((await slack.modal()).id).toBe(card.id);
    await expect.poll(async () => (await service.changes()).length).toBe(1);
    expect(await listRejections(slack.url)).toEqual([]);
  });
});
