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

async function callService(method: string, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${running.service.url}${path}`, {
    method,
    headers: { authorization: 'Bearer sandbox-key-full', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.ok).toBe(true);
}

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

  test('is pointed out if it has changed again since', async () => {
    const { slack } = running;
    const done = await setPort();
    await callService('PATCH', sshPath, { port_vps_ssh: 443 });
    await slack.click(done, 'Set SSH Port Back to 22');
    const card = blocksText(await slack.message(`${back}?`));
    expect(card).toContain('443');
    expect(card).toContain('has changed since');
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

test.each([
  [
    'ip detach 198.18.0.10',
    'Detach 198.18.0.10 from web-01 (VPS-10001)',
    'Attach 198.18.0.10 to web-01 (VPS-10001)',
    'Attach Back to web-01 (VPS-10001)',
  ],
  [
    'vlan detach VPS-10001 backend',
    'Detach web-01 (VPS-10001) from VLAN backend',
    'Attach web-01 (VPS-10001) to VLAN backend',
    'Attach Again',
  ],
  [
    'domain delete shop.acme.example',
    'Delete domain shop.acme.example',
    'Point shop.acme.example at web-01 (VPS-10001)',
    'Point Back at VPS-10001',
  ],
])('%s is undone, after a confirmation', async (command, title, back, button) => {
  const { slack, service } = running;
  await slack.click(await change(command, title), button);
  const card = await slack.message(`${back}?`);
  expect(blocksText(card)).not.toContain('has changed since');
  await slack.click(card, 'confirm');
  await slack.message(`${back}: ✅ Done`);
  expect(await service.changes()).toHaveLength(2);
});
