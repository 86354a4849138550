import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { blocksText, startStack } from '../stack.ts';

const good = [
  'report add daily 09:00 --name "Good report"',
  'watch add VPS-10001 cpu > 99% for 20m --name "Good watch"',
  'maintenance VPS-10002 "every sat 02:00-04:00" --name "Good window"',
  'schedule snapshot VPS-10002 daily 02:00 --name "Good schedule"',
];

/** What each list says about the rows that it leaves out. */
const lists = {
  'report list': "This version of Rackhand can't read the report Bad report. The log says why.",
  'watch list': "This version of Rackhand can't read the watch Bad watch. The log says why.",
  'maintenance list':
    "This version of Rackhand can't read the maintenance window Bad window. The log says why.",
  // Not everybody is allowed to see the names of schedules.
  'schedule list': "This version of Rackhand can't read one schedule. The log says why.",
};

const unreadable: readonly (readonly [string, RegExp])[] = [
  ['report show Bad report', /can't read the report/],
  ['report pause Bad report', /can't read the report/],
  ['watch pause Bad watch', /can't read the watch/],
  ['maintenance delete Bad window', /can't read the maintenance window/],
];

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

test('rows that cannot be read are listed, and those beside them work', async () => {
  const directory = makeScratchDirectory('unreadable-rows');
  const file = join(directory, 'rackhand.db');
  const { slack, serverUrl, close } = await startStack({ databaseUrl: `sqlite:${file}` });
  onTestFinished(close);
  for (const command of good) {
    await slack.slash(command);
    await slack.message('Good');
    await slack.slash(command.replace('Good', 'Bad'));
    await slack.message('Bad');
  }
  await slack.slash('access grant @bob operate VPS-10001');
  await slack.message('VPS-10001');
  await slack.slash('access grant @bob operate VPS-10002');
  await slack.message('VPS-10002');

  change(
    file,
    `
    update plan set spec = '{' where name like 'Bad %';
    update access_grant set granted_right = 'of a later version' where pattern = 'VPS-10002';
  `,
  );

  for (const [list, note] of Object.entries(lists)) {
    await slack.slash(list);
    const shown = blocksText(await slack.message(/^One /));
    expect(shown, list).toContain('Good');
    expect(shown, list).toContain(note);
  }
  for (const [command, reply] of unreadable) {
    await slack.slash(command);
    expect(blocksText(await slack.message(reply)), command).toContain('Nothing was changed');
  }
  await slack.slash('reboot VPS-10001', { user: 'U0BOB' });
  await slack.message(/Reboot web-01/, 'C0OPS', 'U0BOB');
  await slack.slash('reboot VPS-10002', { user: 'U0BOB' });
  await slack.message(/permission/, 'C0OPS', 'U0BOB');

  const { unreadableRows } = (await (await fetch(`${serverUrl}/readyz`)).json()) as {
    unreadableRows: readonly { table: string; reason: string }[];
  };
  expect(unreadableRows.map(({ table }) => table).toSorted()).toEqual([
    'access_grant',
    'plan',
    'plan',
    'plan',
    'plan',
  ]);
  expect(JSON.stringify(unreadableRows)).not.toMatch(/of a later version|VPS-|U0BOB/);

  change(file, "delete from plan where name like 'Good %'");
  for (const [list, note] of Object.entries(lists)) {
    await slack.slash(list);
    const shown = blocksText(await slack.message(/^One .* can't be read$/));
    expect(shown, list).toContain(note);
  }
});

test('a plan of a kind that only a newer version knows is listed, and can be paused and deleted', async () => {
  const directory = makeScratchDirectory('newer-plan');
  const file = join(directory, 'rackhand.db');
  const { slack, close } = await startStack({ databaseUrl: `sqlite:${file}` });
  onTestFinished(close);
  await slack.slash('report add daily 09:00 --name Later');
  await slack.message('is scheduled');
  change(file, "update plan set kind = 'forecast'");

  for (const list of ['report list', 'watch list', 'maintenance list', 'schedule list']) {
    await slack.slash(list);
    expect(blocksText(await slack.message(/^(There are no|No|Nothing) /)), list).toContain(
      "Later: made by a newer version of Rackhand, so this one doesn't run it.",
    );
  }
  await slack.slash('watch pause Later');
  await slack.message('"Later" is paused');
  await slack.slash('report list');
  expect(blocksText(await slack.message(/^There are no/))).toContain('Later (paused)');
  await slack.slash('report delete Later');
  await slack.message('"Later" was deleted');
  await slack.slash('report list');
  expect(blocksText(await slack.message(/^There are no/))).not.toContain('Later');
});
