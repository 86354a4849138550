import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { createStack } from '../../../src/sandbox/stack.ts';
import { eventually } from '../../eventually.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { createSlackDriver, manifestPath, type RunningStack, startStack } from '../../stack.ts';
import { installAs, readMetric } from './install-driver.ts';

let databaseUrl: string;
let running: RunningStack;
beforeEach(async () => {
  databaseUrl = `sqlite:${join(makeScratchDirectory('uninstall'), 'rackhand.db')}`;
});
/** Returns what is stored, after the app has stopped. */
async function readStored(): Promise<{
  workspaces: string[];
  connected: string[];
  secrets: number;
  runs: string[];
}> {
  const { db, close } = await openDatabase(databaseUrl);
  const ids = async (table: 'installation' | 'api_key') =>
    (await db.selectFrom(table).select('team_id').orderBy('team_id').execute()).map(({ team_id }) => team_id);
  const secrets = (await db.selectFrom('one_time_secret').select('id').execute()).length;
  const runs = (
    await db.selectFrom('run').select(['operation', 'status']).orderBy('requested_at').execute()
  ).map(({ operation, status }) => `${operation}: ${status}`);
  const found = { workspaces: await ids('installation'), connected: await ids('api_key'), secrets, runs };
  await close();
  return found;
}

test("removing the app deletes the workspace's secrets, and its queued runs are not sent", async () => {
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(line) });
  running = await startStack({ databaseUrl, log });
  const { slack, service, serverUrl } = running;
  await slack.slash('password reset VPS-10002');
  await slack.click(await slack.message('(VPS-10002)?'), 'confirm');
  await slack.message(/Reset .*VPS-10002\): ✅ Done/);
  await slack.slash('reboot VPS-10001');
  const card = await slack.message('Reboot web-01 (VPS-10001)?');
  const before = await service.changes();
  await slack.act('uninstall', {});
  // The installation is deleted last. Until then, a click is told that the card has expired.
  await expect.poll(() => logged.join('')).toContain('the app was removed from a workspace');
  await slack.click(card, 'confirm');
  const { text: told } = await slack.message('Rackhand is no longer installed in this workspace');
  expect(told).toContain(`<${serverUrl}/slack/install|Add to Slack>`);
  expect(await service.changes()).toEqual(before);
  await running.close();
  expect(await readStored()).toEqual({
    workspaces: ['T0GLOBEX'],
    connected: [],
    secrets: 0,
    runs: ['password reset: done', 'reboot: expired', 'uninstall: done'],
  });
});

test('a token that Slack rejects counts as a removal', async () => {
  // Slack's own event is lost.
  const manifest = parse(readFileSync(manifestPath, 'utf8'));
  manifest.settings.event_subscriptions.bot_events = ['app_home_opened', 'app_mention'];
  const stack = await createStack({
    hosting: { port: 0 },
    slack: { port: 0, manifest },
    databaseUrl,
    log: pino({ level: 'silent' }),
  });
  const slack = createSlackDriver(stack.slack.url);
  await slack.slash('help');
  await slack.message('What you can do');
  await slack.fault('revoke');
  await slack.act('home', { user: 'U0ALICE' });
  await eventually(async () => {
    await slack.slash('help');
    expect((await slack.messages()).at(-1)?.text).toContain(
      'Rackhand is no longer installed in this workspace',
    );
  });
  await stack.close();
  expect(await readStored()).toMatchObject({ workspaces: ['T0GLOBEX'], connected: [] });
});

test('an organization that removes the app from one workspace keeps it in the others', async () => {
  running = await startStack({ databaseUrl });
  const { slack, serverUrl } = running;
  const [erin, fred] = [
    { user: 'U0ERIN', channel: 'C0INITECH', team: 'T0INITECH' },
    { user: 'U0FRED', channel: 'C0INITRODE', team: 'T0INITRODE' },
  ];
  const acked = (kind: string) => readMetric(running, `rackhand_slack_ack_seconds_count{kind="${kind}"}`);
  await installAs(serverUrl, 'E0INITECH/U0ERIN');
  for (const person of [erin, fred]) {
    await slack.slash('help', person);
    await slack.message('What you can do', person.channel, person.user, person.team);
  }
  await slack.act('uninstall', { team: 'T0INITECH' });
  await expect.poll(() => acked('event')).toBe(1);
  await slack.slash('help', fred);
  await expect.poll(() => acked('command')).toBe(3);
  await slack.act('uninstall', { team: 'T0INITRODE', whole_organisation: true });
  await expect.poll(() => acked('event')).toBe(3);
  await running.close();
  expect(await readStored()).toMatchObject({ workspaces: ['T0ACME', 'T0GLOBEX'], connected: ['T0ACME'] });
});
