import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { blocksText, type ModalView, type RunningStack, startStack } from '../../../stack.ts';
import { listRejections } from './form-driver.ts';

const user = 'U0ALICE';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

async function suggest(view: ModalView, block_id: string, text = '') {
  return running.slack.act('suggest', { user, view: view.id, block_id, action_id: 'remote', text });
}

describe('a form', () => {
  test('opens at once although the service and the ack are slow', async () => {
    const { slack, service } = running;
    await service.fault('slow:20000', { times: 50 });
    await slack.fault('ack_delay:2000');
    const typed = slack.slash('reinstall');
    // Slack accepts the form for 3 s.
    await slack.modal();
    expect(await service.calls()).toEqual([]);
    expect((await typed).acknowledged).toBe(true);
  });
});

describe('a select', () => {
  test('that cannot be loaded shows the reason in the form until it can', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create');
    const view = await slack.modal();
    await service.fault('status:500', { times: 3, path: '/v1/vps' });
    expect((await suggest(view, 'vps')).options).toEqual([]);
    await expect
      .poll(async () => blocksText(await slack.modal()))
      .toContain('Open the list again in a moment.');
    expect(blocksText(await slack.modal())).toContain(
      'The hosting service answered with an error (HTTP 500).',
    );
    expect((await suggest(view, 'vps')).options).toHaveLength(12);
    await expect.poll(async () => blocksText(await slack.modal())).not.toContain('Open the list again');
    expect(await listRejections(slack.url)).toEqual([]);
  });
});
