import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createManualClock, type ManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, grantAll, type RunningStack, startStack } from '../../stack.ts';
import { readTable } from '../command-driver.ts';

// A Wednesday. Alice's zone is Europe/Berlin, where it is 11:00.
const startMs = Date.parse('2026-11-25T10:00Z');
const minuteMs = 60_000;

let running: RunningStack;
let clock: ManualClock;

beforeEach(async () => {
  clock = createManualClock(startMs);
  running = await startStack({
    clock,
    hosting: { now: clock.now, snapshotQuota: 5 },
    grants: [...grantAll('destroy', 'U0BOB'), ...grantAll('view', 'U0CAROL')],
  });
});

afterEach(() => running.close());

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Sets the clock to a time, then moves it on by seconds until the check passes. */
async function advance<T>(untilMs: number, check: () => Promise<T>): Promise<T> {
  clock.jumpTo(Math.max(untilMs, clock.now()));
  return vi.waitFor(
    async () => {
      await clock.advanceTo(clock.now() + 2_000, turn);
      return check();
    },
    { timeout: 100_000, interval: 20 },
  );
}

const noonMs = Date.parse('2026-11-25T11:00Z');

/** Schedules a command, by the card if there is one, and returns what was said about it. */
async function schedule(command: string, { isConfirmed = true, user = 'U0ALICE' } = {}): Promise<string> {
  const { slack } = running;
  await slack.slash(`schedule ${command}`, { user });
  if (isConfirmed)
    await slack.click(await slack.message('Schedule this?', 'C0OPS', user), 'Schedule', { user });
  return blocksText(await slack.message('is scheduled', 'C0OPS', user));
}

const changedVps = async () =>
  (await running.service.changes()).map(({ path }) => path.split('/')[3]).toSorted();

describe('a change scheduled once', () => {
  test('is confirmed, announced, sent at its time, and reported', async () => {
    const { slack, service } = running;
    await slack.slash('schedule reboot VPS-10001 "tomorrow 03:00"');
    const card = await slack.message('Schedule this?');
    expect(blocksText(card)).toContain('Thursday 26 November 2026, 03:00, Europe/Berlin');
    expect(await service.changes()).toEqual([]);
    await slack.click(card, 'Schedule');
    expect((await slack.message('is scheduled')).ts).toBe(card.ts);

    const dueMs = Date.parse('2026-11-26T02:00Z');
    const announced = await advance(dueMs - 10 * minuteMs, () => slack.newMessage(/Scheduled: Reboot/));
    expect(blocksText(announced)).toContain('Skip This Time');
    expect(blocksText(announced)).toContain('@alice');
    expect(announced.pings).toEqual([]);
    expect(await service.changes()).toEqual([]);

    const told = await advance(dueMs, () => slack.newMessage(/✅ Reboot/));
    expect(told.ts).toBe(announced.ts);
    expect(await service.changes()).toMatchObject([{ method: 'POST', path: '/v1/vps/VPS-10001/action' }]);
    await slack.slash('history');
    expect(blocksText(await slack.message(/activity/i))).toContain('Reboot');
  });
});

describe('snapshots with retention', () => {
  test('are taken again and again, and only older ones of the schedule are deleted', async () => {
    const { slack, service } = running;
    await slack.slash('snapshot create VPS-10002 by-hand');
    await slack.message('by-hand');
    // Deletions by retention state their own reason.
    await slack.slash('approval require destroy --reason');
    await slack.message('A reason is now required');
    await slack.slash('schedule snapshot VPS-10002 daily 02:00 --keep 1d --name nightly --announce 0m');
    const card = await slack.message('Schedule this?');
    expect(blocksText(card)).toContain('The last snapshot of each of 1 day');
    await slack.click(card, 'Schedule');
    await slack.message('is scheduled');

    const firstMs = Date.parse('2026-11-26T01:00Z');
    for (const [day, name] of [
      [0, /nightly-20261126t0100z-[0-9a-f]{8} of/],
      [1, /nightly-20261127t0100z-[0-9a-f]{8} of/],
    ] as const)
      await advance(firstMs + day * 24 * 60 * minuteMs, async () => {
        const done = await slack.newMessage(/✅ Take a snapshot/);
        expect(blocksText(done)).toMatch(name);
      });
    const deleted = (await service.changes()).filter(({ method }) => method === 'DELETE');
    expect(deleted.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^\/v1\/vps\/VPS-10002\/snapshots\/nightly-20261126t0100z-[0-9a-f]{8}$/),
    ]);

    await slack.slash('history');
    const history = await slack.message(/activity/i);
    expect(readTable(history)).toContainEqual(
      expect.arrayContaining([
        expect.stringContaining('Delete snapshot nightly-20261126t0100z'),
        'Retention of schedule nightly',
      ]),
    );
    // The card that asked isn't an entry, and the schedule is one.
    expect(readTable(history).filter((row) => row.includes('schedule nightly'))).toHaveLength(1);

    await slack.slash('schedule show nightly');
    const shown = blocksText(await slack.message('nightly'));
    expect(shown).toContain('nightly-20261127t0100z');
    expect(shown).not.toContain('by-hand');
  });
});

describe('a schedule', () => {
  test('that needs approval is active only after someone else approved it', async () => {
    const { slack, service } = running;
    await slack.slash('approval require reboot');
    await slack.message(/approval/i);
    await slack.slash('schedule reboot VPS-10001 "today 12:00" --name noon');
    await slack.click(await slack.message('Schedule this?'), 'Schedule');
    await slack.message('waits for approval');
    const card = await slack.message('approval needed', 'D0BOB', 'U0BOB');
    await slack.click(card, 'Approve', { user: 'U0BOB', channel: 'D0BOB' });
    await slack.message('decided', 'D0BOB', 'U0BOB');
    await advance(Date.parse('2026-11-25T11:00Z'), () => slack.newMessage(/✅ Reboot/));
    expect(await service.changes()).toHaveLength(1);
  });

  test('that was deleted while it waited is not said to be approved', async () => {
    const { slack } = running;
    await slack.slash('approval require reboot');
    await slack.message(/approval/i);
    await slack.slash('schedule reboot VPS-10001 "today 12:00" --name gone');
    await slack.click(await slack.message('Schedule this?'), 'Schedule');
    await slack.message('waits for approval');
    const card = await slack.message('approval needed', 'D0BOB', 'U0BOB');
    await slack.slash('schedule delete gone');
    await slack.message('was deleted');
    await slack.click(card, 'Approve', { user: 'U0BOB', channel: 'D0BOB' });
    await slack.message('This schedule was deleted', 'D0BOB', 'U0BOB');
    expect(await slack.newMessages('D0BOB', 'U0BOB')).not.toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('decided') }),
    );
  });

  test('that disrupts stays with the VPS that its card showed', async () => {
    const { slack, service } = running;
    await slack.slash('schedule reboot web-0* daily 12:00 --announce 0m');
    const card = await slack.message('Schedule this?');
    expect(blocksText(card)).toContain('even if others match later');
    await slack.click(card, 'Schedule');
    await slack.message('is scheduled');
    await slack.slash('alias VPS-10006 web-09');
    await slack.message('web-09');
    await service.rename('VPS-10007', 'web-08');
    await advance(noonMs, () => slack.newMessage(/✅ Reboot/));
    expect(await changedVps()).toEqual(['VPS-10001', 'VPS-10002']);
  });

  test('is offered in forms only to those who may view its VPS', async () => {
    const { slack } = running;
    await slack.slash('access revoke @U0CAROL');
    await slack.message('Revoked');
    await slack.slash('access grant @U0CAROL view VPS-10002');
    await slack.message('Granted: view');
    await schedule('snapshot VPS-10001 daily 02:00 --name hidden', { isConfirmed: false });
    await schedule('snapshot VPS-10002 daily 02:00 --name shown', { isConfirmed: false });
    const user = 'U0CAROL';
    await slack.slash('schedule show', { user });
    const { blocks, id: view } = await slack.modal(user);
    const block_id = blocks.find(({ type }) => type === 'input')?.block_id;
    const { options } = await slack.act('suggest', { user, view, block_id, action_id: 'remote', text: '' });
    expect(options).toMatchObject([{ value: 'shown' }]);
  });

  test('is refused if its VPS has to be typed to confirm it', async () => {
    const { slack } = running;
    await slack.slash('schedule "reinstall VPS-10001 --os debian-13" "tomorrow 03:00"');
    expect((await slack.message("can't be scheduled")).text).toContain('type the VPS name to confirm it');
  });

  test('with a pattern acts only on what its person is allowed to view at the time', async () => {
    const { slack, service } = running;
    await slack.slash('access revoke @carol *');
    await slack.message('Revoked');
    await slack.slash('access grant @carol operate VPS-10001');
    await slack.message(/operate/);
    await schedule('snapshot web-0* daily 12:00 --zone Europe/Berlin --announce 0m', {
      isConfirmed: false,
      user: 'U0CAROL',
    });
    await service.rename('VPS-10006', 'web-06');
    const told = await advance(noonMs, () => slack.newMessage(/(✅|⚠️) Take a snapshot/));
    expect(blocksText(told)).not.toContain('VPS-10002');
    expect(await changedVps()).toEqual(['VPS-10001']);
  });

  test('deletes no older snapshot to make room in a full quota', async () => {
    const { slack, service } = running;
    for (const [index, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      await slack.slash(`snapshot create VPS-10002 ${name}`);
      await expect.poll(async () => (await service.changes()).length).toBe(index + 1);
    }
    await slack.slash('schedule snapshot VPS-10002 daily 12:00 --keep 1d --announce 0m');
    const card = await slack.message('Schedule this?');
    expect(blocksText(card)).toContain(
      'can have at most 5 snapshots (5 now), but this schedule needs room for 2',
    );
    await slack.click(card, 'Schedule');
    await slack.message('is scheduled');
    const told = await advance(noonMs, () => slack.newMessage(/⚠️ Take a snapshot/));
    expect(blocksText(told)).toContain('Nothing was deleted.');
    expect(blocksText(told)).toContain('delete one or schedule it again with a smaller --keep');
    expect((await service.changes()).filter(({ method }) => method === 'DELETE')).toEqual([]);
  });
});
