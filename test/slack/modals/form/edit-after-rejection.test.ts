import { describe, expect, test } from 'vitest';
import { blocksText, grantAll, type SlackMessage } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import { toTextValue } from './form-driver.ts';

const running = useStack({ grants: grantAll('destroy', 'U0BOB') });

/** Has the service reject a snapshot, and returns the run's message. */
async function requestRejectedSnapshot(): Promise<SlackMessage> {
  const { slack, service } = running;
  await service.fault('status:409', { method: 'POST' });
  await slack.slash('snapshot create VPS-10003 nightly');
  return slack.message('Take snapshot nightly of api-01 (VPS-10003): ❌ Failed');
}

describe('a run that the service rejected', () => {
  test('can be edited: its form opens with the same input', async () => {
    const { slack, service } = running;
    const failed = await requestRejectedSnapshot();
    expect(blocksText(failed)).toMatch(/"text":"Edit and Retry".*"text":"Try Again"/s);
    await slack.click(failed, 'Edit and Retry');
    const form = await slack.modal();
    expect(blocksText(form)).toContain('"value":"VPS-10003"');
    expect(blocksText(form)).toContain('"initial_value":"nightly"');
    await slack.submit(form, { name: toTextValue('nightly-2') });
    await slack.message('Take snapshot nightly-2 of api-01 (VPS-10003): 🔄 In progress');
    expect(await service.changes()).toMatchObject([
      { status: 409 },
      { body: { name: 'nightly-2' }, status: 200 },
    ]);
  });
});
