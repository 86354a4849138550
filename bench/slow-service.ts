import { setTimeout as delay } from 'node:timers/promises';
import { grantAll, type SlackMessage, startStack } from '../test/stack.ts';
import { printTable } from './statistics.ts';

/** How long the hosting service takes for each call. */
const latencyMs = 6_000;
/** The default of `createSlack`. */
const workingNoticeMs = 500;
const pollMs = 10;
const patienceMs = 60_000;
const alertPatienceMs = 180_000;
/** A screen that hasn't changed for this long shows the ends of earlier jobs. Longer than a call. */
const calmMs = 8_000;

/** Measures for frequent jobs when a person sees the first change, while each call takes 6 s. */
export async function benchSlowService(): Promise<void> {
  const stack = await startStack({
    hosting: { latencyMs },
    workingNoticeMs,
    grants: grantAll('operate', 'U0BOB'),
  });
  const { slack, service } = stack;
  const rows: string[][] = [];

  /** The texts in the channel, in Alice's direct messages, in modals and on App Home. */
  const readScreen = async () =>
    JSON.stringify([
      await slack.messages('C0OPS', 'U0ALICE'),
      await slack.messages('U0ALICE', 'U0ALICE'),
      await slack.messages('C0OPS', 'U0BOB'),
      await slack.openModals('U0ALICE'),
      await slack.home('U0ALICE'),
    ]);

  /** Waits until nothing changes anymore, so that a later change comes from the next job. */
  async function readCalmScreen(): Promise<string> {
    let screen = await readScreen();
    for (let sinceMs = performance.now(); performance.now() - sinceMs < calmMs; await delay(250)) {
      const now = await readScreen();
      if (now !== screen) sinceMs = performance.now();
      screen = now;
    }
    return screen;
  }

  async function measure(job: string, act: () => Promise<unknown>): Promise<void> {
    const before = await readCalmScreen();
    const startMs = performance.now();
    await act();
    while ((await readScreen()) === before && performance.now() - startMs < patienceMs) await delay(pollMs);
    rows.push([job, `${Math.round(performance.now() - startMs)}`]);
  }

  /** Waits until the watch has read the VPS, which it does once a minute. */
  async function untilAlert(): Promise<SlackMessage> {
    const deadlineMs = performance.now() + alertPatienceMs;
    while (performance.now() < deadlineMs) {
      const alert = (await slack.messages()).find(({ text }) => text.startsWith('⚠'));
      if (alert) return alert;
      await delay(500);
    }
    throw new Error('the watch has not found the busy VPS');
  }

  const type = (text: string) => measure(`/vps ${text}`, () => slack.slash(text));
  const press = (label: string, message: SlackMessage, actionId: string, user = 'U0ALICE') =>
    measure(label, () => slack.click(message, actionId, { user }));

  try {
    await measure('App Home', () => slack.act('home', { user: 'U0ALICE' }));
    await service.load('VPS-10001', { cpu: 0.95 });
    await slack.slash('watch add cpu > 90% for 0m --name Busy');
    await press('  Acknowledge on an alert', await untilAlert(), 'step:0');
    await type('reboot VPS-10001');
    await press('  its Reboot button', await slack.message('Reboot web-01 (VPS-10001)?'), 'confirm');
    await slack.message('Reboot web-01 (VPS-10001): 🔄');
    await type('reboot web-02');
    await slack.message('Reboot web-02 (VPS-10002)?');
    await type('live web-01');
    await slack.message('web-01 (VPS-10001)');
    await type('list');
    await slack.message('12 VPS');
    await type('graph web-01 day');
    await slack.message('last day');
    await type('snapshot create web-01 nightly');
    await slack.message('Take snapshot nightly of web-01 (VPS-10001): ✅ Done');
    await type('snapshot restore web-01 nightly');
    await slack.message(/Restore .*nightly/);
    await type('ssh set web-01 2222');
    await slack.message('Set the SSH port');
    await slack.slash('approval require reboot --channel #ops');
    await slack.message('Approval is now required');
    await slack.slash('reboot VPS-10003');
    const card = await slack.message('Reboot api-01 (VPS-10003)?');
    await press('  a Reboot button that asks for approval', card, 'confirm');
    const approval = await slack.message('approval needed', 'C0OPS', 'U0BOB');
    await press('  its Approve Reboot button', approval, 'approve', 'U0BOB');
    await slack.message('Reboot api-01 (VPS-10003): 🔄');
    // The worst of the fleet. Last, because it uses most of the quota of a minute.
    await type('report run --public');
  } finally {
    await stack.close();
  }
  console.log(`\nThe first visible change, with ${latencyMs / 1_000} s for each call of the hosting service`);
  printTable(['job', 'ms'], rows);
}
