import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksText, type ModalView, type RunningStack, startStack } from '../../../stack.ts';
import { findDependentBlock, listRejections, toSelectedOption } from './form-driver.ts';

const user = 'U0ALICE';

/** A snapshot is ready some seconds after its creation. */
const snapshotReadyMs = 10_000;

let running: RunningStack;
beforeEach(async () => {
  let aheadMs = 0;
  running = await startStack({ hosting: { now: () => Date.now() + aheadMs } });
  for (const [vps, name] of snapshots) await takeSnapshot(vps, name);
  aheadMs = snapshotReadyMs;
});
afterEach(() => running.close());

const snapshots = [
  ['VPS-10003', 'three-a'],
  ['VPS-10003', 'three-b'],
  ['VPS-10004', 'four'],
] as const;

async function takeSnapshot(vps: string, name: string): Promise<void> {
  const taken = await fetch(`${running.service.url}/v1/vps/${vps}/snapshots`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key-full', 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  expect(taken.status).toBe(200);
}

const snapshotBlock = (view: ModalView) => findDependentBlock(view, 'snapshot');

function choose(view: ModalView, block_id: string, value: string) {
  return running.slack.act('click', { user, view: view.id, block_id, action_id: 'remote', value });
}

async function listOptions(view: ModalView, text = ''): Promise<string[]> {
  const block_id = snapshotBlock(view);
  const answer = await running.slack.act('suggest', {
    user,
    view: view.id,
    block_id,
    action_id: 'remote',
    text,
  });
  return (answer.options ?? []).map(({ value }) => value);
}

/** Chooses a VPS and waits for the form with its snapshots. */
async function chooseVps(name: string): Promise<ModalView> {
  const before = await running.slack.modal();
  await choose(before, 'vps', name);
  await expect.poll(async () => (await running.slack.modal()).hash).not.toBe(before.hash);
  return running.slack.modal();
}

describe('a dependent select', () => {
  test('has no options until its parent is chosen', async () => {
    const { slack } = running;
    await slack.slash('snapshot delete');
    const first = await slack.modal();
    expect(snapshotBlock(first)).toBeUndefined();
    expect(blocksText(first)).toContain('Choose the VPS first.');

    const second = await chooseVps('VPS-10003');
    expect(blocksText(second)).not.toContain('Choose the VPS first.');
    expect(await listOptions(second)).toEqual(expect.arrayContaining(['three-a', 'three-b']));
    expect(await listOptions(second, 'THREE-B')).toEqual(['three-b']);
    expect(await listRejections(running.slack.url)).toEqual([]);
  });

  test("is cleared when its parent changes, and submits the new parent's choice", async () => {
    const { slack, service } = running;
    await slack.slash('snapshot delete');
    const third = await chooseVps('VPS-10003');
    const oldBlock = snapshotBlock(third) ?? '';
    await choose(third, oldBlock, 'three-a');
    const fourth = await chooseVps('VPS-10004');
    const newBlock = snapshotBlock(fourth) ?? '';
    expect(newBlock).not.toBe(oldBlock);
    expect(await slack.submit(fourth, {})).toMatchObject({ errors: { [newBlock]: expect.any(String) } });
    expect(await listOptions(fourth)).not.toContain('three-a');

    await slack.submit(fourth, { [newBlock]: toSelectedOption('four') });
    await slack.click(await slack.message('Delete snapshot four of worker-01 (VPS-10004)?'), 'confirm');
    await slack.message('Delete snapshot four of worker-01 (VPS-10004): ✅ Done');
    expect((await service.changes()).at(-1)).toMatchObject({
      method: 'DELETE',
      path: '/v1/vps/VPS-10004/snapshots/four',
      status: 200,
    });
  });
});

describe('a form submitted before its dependent fields were updated', () => {
  test('reopens with the missing choice and keeps the other values', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot delete');
    const view = await slack.modal();
    const made = (await service.changes()).length;
    expect(await slack.submit(view, { vps: toSelectedOption('VPS-10004') })).toMatchObject({
      response_action: 'update',
    });
    const updated = await slack.modal();
    expect(updated.id).toBe(view.id);
    expect(await listOptions(updated)).toContain('four');
    await slack.submit(updated, { [snapshotBlock(updated) ?? '']: toSelectedOption('four') });
    await slack.message('Delete snapshot four of worker-01 (VPS-10004)?');
    expect(await service.changes()).toHaveLength(made);
    expect(await listRejections(running.slack.url)).toEqual([]);
  });

  test('does not delete the snapshot of one VPS from another', async () => {
    const { slack } = running;
    await slack.slash('snapshot delete');
    const view = await chooseVps('VPS-10003');
    const values = {
      [snapshotBlock(view) ?? '']: toSelectedOption('three-a'),
      vps: toSelectedOption('VPS-10004'),
    };
    expect(await slack.submit(view, values)).toMatchObject({ response_action: 'update' });
    expect(await slack.messages()).toEqual([]);
    const updated = await slack.modal();
    expect(await listOptions(updated)).not.toContain('three-a');
    expect(await slack.submit(updated, {})).toMatchObject({ response_action: 'errors' });
  });
});

describe('rapid changes of a form', () => {
  test('end with the parent that was chosen last', async () => {
    const { slack } = running;
    await slack.slash('snapshot delete');
    const view = await slack.modal();
    const order = ['VPS-10003', 'VPS-10001', 'VPS-10003', 'VPS-10004'];
    await Promise.all(order.map((name) => choose(view, 'vps', name)));
    await expect.poll(async () => await listOptions(await slack.modal())).toContain('four');
    await slack.submit(await slack.modal(), {
      [snapshotBlock(await slack.modal()) ?? '']: toSelectedOption('four'),
    });
    await slack.message('Delete snapshot four of worker-01 (VPS-10004)?');
    expect(await listRejections(running.slack.url)).toEqual([]);
  });
});
