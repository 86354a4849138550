import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText, grantAll, type SlackMessage } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { alice, bob, readButtonLabels, readTable, runCommand } from '../command-driver.ts';

/** Saturday, 21 November 2026, 06:30 in Berlin. */
const clock = createManualClock(Date.UTC(2026, 10, 21, 5, 30));
const running = useStack({
  clock,
  grants: grantAll('operate', 'U0BOB'),
});

const run = (words: string, answer: RegExp) => runCommand(running, words, answer);

/** Presses the button with this label. */
function press(message: SlackMessage, label: string, by = alice) {
  for (const { elements = [] } of message.blocks)
    for (const element of elements)
      if (JSON.stringify(element).includes(`"text":"${label}"`))
        return running.slack.click(message, element.action_id ?? '', { ...by });
  throw new Error(`no button ${label} in ${blocksText(message)}`);
}

/** A plan of each kind, and what differs between them. */
const kinds = [
  {
    kind: 'report',
    one: 'Report',
    noun: 'report',
    add: 'report add daily 09:00 --name First',
    added: /^Report "First" is scheduled$/,
    edit: '--when "daily 08:00"',
    edited: '08:00',
    again: 'Schedule Again',
    buttons: ['Run Now', 'Edit', 'Pause', 'Skip Next Time', 'Delete', 'Reports'],
  },
  {
    kind: 'watch',
    one: 'Watch',
    noun: 'watch',
    add: 'watch add VPS-100* cpu > 99% for 20m --name First',
    added: /^Watch "First" was added$/,
    edit: '--for 30m',
    edited: '30 min',
    again: 'Watch Again',
    buttons: ['Edit', 'Pause', 'Delete', 'Watches'],
  },
  {
    kind: 'maintenance',
    one: 'Maintenance',
    noun: 'maintenance window',
    add: 'maintenance web-* every sun 02:00-04:00 --name First',
    added: /^Maintenance "First" is planned$/,
    edit: '--when "every sun 03:00-04:00"',
    edited: '03:00',
    again: 'Plan Again',
    buttons: ['Edit', 'Pause', 'Skip Next Time', 'Delete', 'Maintenance'],
  },
  {
    kind: 'schedule',
    one: 'Schedule',
    noun: 'schedule',
    add: 'schedule snapshot VPS-10002 daily 02:00 --name First',
    added: /^"First" is scheduled$/,
    edit: '--when "daily 03:00"',
    edited: '03:00',
    again: 'Schedule Again',
    buttons: ['Edit', 'Pause', 'Skip Next Time', 'Delete', 'Schedules'],
  },
] as const;

describe.each(kinds)('a $kind', ({ kind, one, noun, ...its }) => {
  test('is listed, shown, edited, skipped, paused, resumed and deleted like every plan', async () => {
    await run(its.add, its.added);
    const listed = await run(`${kind} list`, new RegExp(`^One ${noun}`));
    expect(readTable(listed)[0]?.[0]).toBe('First');
    const shown = await run(`${kind} show First`, /^First$/);
    expect(readButtonLabels(shown)).toEqual([...its.buttons, 'Post to Channel']);

    if (kind === 'watch') await run(`${kind} skip First`, /A watch has no times to skip/);
    else {
      const skipped = await run(`${kind} skip First`, new RegExp(`^${one} "First" skips its next time$`));
      expect(blocksText(skipped)).toContain('Next');
      const later = await run(`${kind} show First`, /^First$/);
      expect(readButtonLabels(later)).not.toContain('Skip Next Time');
      await run(`${kind} skip First`, /its next time is already skipped/);
    }

    const edited = await run(`${kind} edit First ${its.edit}`, new RegExp(`^${one} "First" was changed$`));
    expect(blocksText(edited)).toContain(its.edited);
    await run(`${kind} edit First ${its.edit}`, new RegExp(`^${one} "First" is unchanged$`));
    await run(`${kind} edit First --name Second`, new RegExp(`^${one} "Second" was changed$`));

    await run(`${kind} pause Second`, new RegExp(`^${one} "Second" is paused$`));
    await run(`${kind} pause Second`, new RegExp(`${one} "Second" is already paused`));
    const paused = await run(`${kind} show Second`, /^Second \(paused\)$/);
    expect(readButtonLabels(paused)).toContain('Resume');
    expect(readButtonLabels(paused)).not.toContain('Skip Next Time');
    await run(`${kind} resume Second`, new RegExp(`^${one} "Second" is active again$`));

    const deleted = await run(`${kind} delete Second`, new RegExp(`^${one} "Second" was deleted$`));
    expect(readButtonLabels(deleted)).toContain(its.again);
    await run(`${kind} show Second`, new RegExp(`There's no ${noun} named "Second"`));
  });
});

test('help names the verbs of plans once, and for one kind in full', async () => {
  const overview = blocksText(await run('help', /^What you can do$/));
  expect(overview.split('list, show, edit, pause, resume, skip, delete')).toHaveLength(2);
  const reports = blocksText(await run('help reports', /^What you can do: reports$/));
  expect(reports).toContain('report pause NAME');
  expect(reports).toContain('report run');
});

describe('an edited schedule', () => {
  test('that can interrupt something is confirmed again, as it then is', async () => {
    await run('schedule reboot VPS-10001 daily 02:00 --name Nightly', /^Schedule this\?/);
    await press(await running.slack.message('Schedule this?'), 'Schedule');
    await running.slack.message('is scheduled');
    const card = await run('schedule edit Nightly --when "daily 04:00"', /^Change schedule "Nightly"\?/);
    expect(blocksText(card)).toContain('04:00');
    // Somebody else is faster, so the card isn't about this schedule anymore.
    await runCommand(running, 'schedule edit Nightly --channel #general', /^Change schedule/, bob);
    const other = await running.slack.message('Change schedule', 'C0OPS', 'U0BOB');
    await press(other, 'Save', bob);
    const taken = await running.slack.message('was changed', 'C0OPS', 'U0BOB');
    expect(blocksText(taken)).toContain('The schedule runs with your rights now');
    await press(card, 'Save');
    expect(blocksText(await running.slack.message(/Change schedule/))).toContain('Something has changed');
    await press(await running.slack.message(/Change schedule/), 'Save');
    expect(blocksText(await running.slack.message('was changed'))).toContain('04:00');
  });

  test('needs a new approval, and the request for the version before approves nothing', async () => {
    await run('approval require reboot', /approval/i);
    await run('schedule reboot VPS-10001 daily 05:00 --name Asked', /^Schedule this\?/);
    await press(await running.slack.message('Schedule this?'), 'Schedule');
    await running.slack.message('waits for approval');
    const first = await running.slack.message('approval needed', 'D0BOB', 'U0BOB');
    await run('schedule edit Asked --when "daily 06:00"', /^Change schedule "Asked"\?/);
    await press(await running.slack.message('Change schedule'), 'Save');
    await running.slack.message('waits for approval');
    await press(first, 'Approve', { ...bob, channel: 'D0BOB' });
    await running.slack.message('changed after the request', 'D0BOB', 'U0BOB');
    await run('schedule show Asked', /^Asked \(waits for approval\)$/);
    await run('schedule edit Asked --name Renamed', /^Schedule "Renamed" was changed$/);
  });
});

test('the reason of a scheduled command is logged as such', async () => {
  await run(`schedule "reboot VPS-10002 --reason 'INC 42'" daily 04:00 --name Stated`, /^Schedule this\?/);
  await press(await running.slack.message('Schedule this?'), 'Schedule');
  await running.slack.message('"Stated" is scheduled');
  const row = readTable(await run('history', /^Activity log/)).find((cells) =>
    cells.includes('schedule Stated'),
  );
  expect(row).toContain('INC 42');
});

test('a mute is edited by whoever may operate its VPS, but not to mute others', async () => {
  await run('access revoke @bob *', /Revoked|no longer/);
  await run('access grant @bob operate VPS-10004', /operate/);
  await runCommand(running, 'mute VPS-10004 --for 2h', /is muted$/, bob);
  await runCommand(
    running,
    'maintenance edit Mute VPS-10004 --name Quiet',
    /^Maintenance "Quiet" was changed$/,
    bob,
  );
  await runCommand(running, 'maintenance edit Quiet --vps *', /right|permission|allowed/i, bob);
});

test('a one-time report whose time has passed is not resumed', async () => {
  await run('report add 2026-11-21 09:00 --name Once', /^Report "Once" is scheduled$/);
  await run('report pause Once', /is paused$/);
  await clock.advanceTo(Date.UTC(2026, 10, 21, 9), async () => undefined);
  await run('report resume Once', /This report's time has passed/);
});

test('a report can name its VPS before its time', async () => {
  await run('report add VPS-1000* weekdays 09:00', /^Report "VPS-1000\*, every mon-fri 09:00" is scheduled$/);
});
