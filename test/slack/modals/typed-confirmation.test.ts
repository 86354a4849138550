import { describe, expect, test } from 'vitest';
import { blocksText, type ModalView } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { listRejections, toTextValue } from './form/form-driver.ts';

const question = 'Restore web-01 (VPS-10001) from snapshot weekly?';

const running = useStack();

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
});
