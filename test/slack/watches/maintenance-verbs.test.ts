import { expect, test } from 'vitest';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { blocksText } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';
import { readTable, runCommand } from '../command-driver.ts';

/** Saturday, 21 November 2026, 06:30 in Berlin. */
const running = useStack({ clock: createManualClock(Date.UTC(2026, 10, 21, 5, 30)) });

const run = (words: string, answer: RegExp) => runCommand(running, words, answer);
const listRow = async () => readTable(await run('maintenance list', /maintenance window/))[0];

test('a maintenance window is edited, but gets no name that is in use', async () => {
  await run('maintenance web-* every sun 02:00-04:00 --name Patches', /^Maintenance "Patches" is planned$/);
  const shown = await run('maintenance show Patches', /^Patches$/);
  expect(blocksText(shown)).toContain('Every Sunday 02:00 to 04:00, Europe/Berlin');

  await run('maintenance VPS-10006 tomorrow 12:00 for 2h --name Other', /is planned$/);
  await run('maintenance edit Other --name Patches', /There is already a maintenance window named "Patches"/);
  const edited = await run(
    'maintenance edit Patches --when "monthly 31 02:00 for 3h" --name Kernel',
    /^Maintenance "Kernel" was changed$/,
  );
  expect(blocksText(edited)).toContain('On the last day of every month at 02:00 for 3h, Europe/Berlin');
  expect(blocksText(edited)).toContain('Was: ');
  await run('maintenance edit Kernel --vps web-*', /^Maintenance "Kernel" is unchanged$/);
  await run('maintenance delete Kernel', /^Maintenance "Kernel" was deleted$/);
});

test('a window that has begun ends for everyone when it is paused, and begins again when it is resumed', async () => {
  await run('maintenance web-* now for 5h --name Long', /^Maintenance "Long" has begun$/);
  expect((await listRow())?.[2]).toBe('🔧 in maintenance');
  await run('maintenance pause Long', /is paused$/);
  await running.slack.message(/^Maintenance of web-\* has ended/, 'C0OPS', 'U0CAROL');
  expect((await listRow())?.[2]).toBe('paused');
  await run('maintenance resume Long', /is active again$/);
  expect((await listRow())?.[2]).toBe('🔧 in maintenance');
});

test('the end of a window can be a word of its own, after cron too', async () => {
  await run('maintenance web-* cron "0 3 * * *" -04:00 --name Cron', /^Maintenance "Cron" is planned$/);
  const cron = await run('maintenance show Cron', /^Cron$/);
  expect(blocksText(cron)).toContain('By cron expression 0 3 * * * until 04:00, Europe/Berlin');
  await run('maintenance db-* every sun 02:00 -04:00 --name Spaced', /is planned$/);
  expect(blocksText(await run('maintenance show Spaced', /^Spaced$/))).toContain(
    'Every Sunday 02:00 to 04:00',
  );
});

test('a quoted command keeps its last word, even if that could begin a time', async () => {
  const scheduled = await run('schedule "snapshot create VPS-10002 weekly" sat 03:00', /is scheduled$/);
  expect(blocksText(scheduled)).toContain('Saturday 28 November 2026, 03:00');
  expect(blocksText(scheduled)).not.toContain('Every Saturday');
});
