import { expect, test } from 'vitest';
import { createQuietWednesdayClock } from '../../jobs/clocks/jumping-clock.ts';
import { blocksText } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { readButtonLabels, readTable, runCommand } from '../command-driver.ts';

const running = useStack(() => {
  const clock = createQuietWednesdayClock();
  return {
    clock,
    hosting: { now: clock.now, windowMs: 250 },
    grants: [{ grantee: 'U0BOB', right: 'operate', pattern: 'VPS-10004*' }],
  };
});

test('a muted VPS is in the table of a report, but not among its findings, until it is unmuted', async () => {
  await running.slack.slash('report run');
  const first = await running.slack.message(/2 of 12 need a look: .*worker-01/, 'U0ALICE', 'U0ALICE');
  expect(blocksText(first)).toContain('Mute a VPS for a Day…');
  const muted = await runCommand(running, 'mute VPS-10004 4h', /^worker-01 \(VPS-10004\) is muted$/);
  expect(blocksText(muted)).toContain('Until');

  await running.slack.slash('report run');
  const quieter = await running.slack.message(
    /1 of 12 needs a look: .+; 1 in maintenance$/,
    'U0ALICE',
    'U0ALICE',
  );
  expect(quieter.text).not.toContain('worker-01');
  expect(readButtonLabels(quieter)).toEqual(expect.arrayContaining(['Graph', 'Show', 'Mute for a Day']));
  await running.slack.slash('report run --about VPS-10004');
  const deep = await running.slack.message(
    /^Nothing stands out about worker-01 \(VPS-10004\); it is in maintenance$/,
    'U0ALICE',
    'U0ALICE',
  );
  expect(blocksText(deep)).toMatch(/Findings during maintenance: CPU \d+%/);
  expect(readTable(quieter).flat().join(' ')).toContain('worker-01');
  expect(blocksText(quieter)).toMatch(/In maintenance: worker-01 until /);

  const again = await runCommand(running, 'mute VPS-10004 for 2h', /is muted$/);
  const list = await runCommand(running, 'maintenance list', /^One maintenance window, 1 now$/);
  expect(readTable(list)[0]?.slice(0, 3)).toEqual([
    'Mute VPS-10004',
    expect.stringContaining('VPS-10004'),
    '🔧 in maintenance',
  ]);
  await running.slack.click(again, 'Unmute');
  await running.slack.message(/^Maintenance "Mute VPS-10004" has ended$/);
  await runCommand(running, 'maintenance list', /^No maintenance is planned$/);
});

test('a mute is ended by those who may operate all of its VPS', async () => {
  const bob = { user: 'U0BOB', channel: 'C0OPS' };
  await runCommand(running, 'mute VPS-10004 --for 4h', /is muted$/);
  const edit = 'maintenance edit "Mute VPS-10004" --vps';
  await runCommand(running, `${edit} "VPS-10004, VPS-10001"`, /was changed$/);
  await runCommand(running, 'maintenance end "Mute VPS-10004"', /don't have permission to operate/, bob);
  await runCommand(running, `${edit} VPS-10004`, /was changed$/);
  await runCommand(running, 'maintenance end "Mute VPS-10004"', /has ended$/, bob);
});
