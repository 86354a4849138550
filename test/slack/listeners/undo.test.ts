import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, grantAll, type RunningStack, type SlackMessage, startStack } from '../../stack.ts';

let running: RunningStack;
let clock: ManualClock;

beforeEach(async () => {
  clock = createManualClock(Date.now());
  running = await startStack({ clock, grants: grantAll('view', 'U0BOB') });
});
afterEach(() => running.close());

const sshPath = '/v1/services/proxy-ssh-ipv4/vps/VPS-10004';

async function change(command: string, title: string): Promise<SlackMessage> {
  const { slack } = running;
  await slack.slash(command);
  await slack.click(await slack.message(`${title}?`), 'confirm');
  return slack.message(`${title}: ✅ Done`);
}

const setPort = () => change('ssh set VPS-10004 2222', 'Set the SSH port of worker-01 (VPS-10004) to 2222');

describe('a changed SSH port', () => {
  const back = 'Set the SSH port of worker-01 (VPS-10004) to 22';

  test('is set back with a button, after a confirmation that shows the present port', async () => {
    const { slack, service } = running;
    const done = await setPort();
    expect(blocksText(done)).toContain('Set SSH Port Back to 22');
    await slack.click(done, 'Set SSH Port Back to 22');
    const card = await slack.message(`${back}?`);
    expect(blocksText(card)).toContain('2222');
    expect(blocksText(card)).not.toContain('has changed since');
    expect(await service.changes()).toHaveLength(1);
    await slack.click(card, 'confirm');
    await slack.message(`${back}: ✅ Done`);
    expect(await service.changes()).toMatchObject([
      { path: sshPath, body: { port_vps_ssh: 2222 } },
      { path: sshPath, body: { port_vps_ssh: 22 } },
    ]);
  });

  test('is not set back after 15 minutes, nor by somebody without the right', async () => {
    const { slack, service } = running;
    const done = await setPort();
    await slack.click(done, 'Set SSH Port Back to 22', { user: 'U0BOB' });
    await slack.message("You don't have permission", 'C0OPS', 'U0BOB');
    clock.jumpTo(clock.now() + 15 * 60_000 + 1);
    await slack.click(done, 'Set SSH Port Back to 22');
    await slack.message('This change can no longer be undone');
    expect(await service.changes()).toHaveLength(1);
  });
});
