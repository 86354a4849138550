import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createStack } from '../../src/sandbox/stack.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { eventually } from '../eventually.ts';
import { manifestPath, type RunningStack, slackControl, startStack } from '../stack.ts';
import { installAs } from './install-acts.ts';

const directory = mkdtempSync(join(tmpdir(), 'rackhand-departure-'));
let databaseUrl: string;
let running: RunningStack;
beforeEach(async () => {
  databaseUrl = `sqlite:${join(mkdtempSync(join(directory, 'db-')), 'rackhand.db')}`;
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What is kept, once the app has stopped. */
async function kept(): Promise<{ workspaces: string[]; connected: string[]; secrets: number }> {
  const { db, close } = await openDatabase(databaseUrl);
  const ids = async (table: 'installation' | 'api_key') =>
    (await db.selectFrom(table).select('team_id').orderBy('team_id').execute()).map(({ team_id }) => team_id);
  const secrets = (await db.selectFrom('secret').select('id').execute()).length;
  const found = { workspaces: await ids('installation'), connected: await ids('api_key'), secrets };
  await close();
  return found;
}

test('a workspace that removes the app loses its secrets here, and what waits there is not run', async () => {
  running = await startStack({ databaseUrl });
  const { slack, service, serverUrl } = running;
  await slack.slash('password reset VPS-10002');
  await slack.click(await slack.message('VPS-10002?'), 'confirm');
  await slack.message(/Reset .*VPS-10002: ✅ Done/);
  await slack.slash('reboot VPS-10001');
  const card = await slack.message('Reboot VPS-10001?');
  const before = await service.changes();
  await slack.act('uninstall', {});
  await slack.message('Rackhand was removed from this workspace before this was sent');
  await slack.click(card, 'confirm');
  const told = await slack.message('Rackhand is not installed in this workspace any more');
  expect(told.text).toContain(`<${serverUrl}/slack/install|Add to Slack>`);
  expect(await service.changes()).toEqual(before);
  await running.close();
  expect(await kept()).toEqual({ workspaces: ['T0GLOBEX'], connected: [], secrets: 0 });
});

test('a token that Slack refuses on the way is as good as a removal', async () => {
  // Slack's own word of it is lost.
  const manifest = parse(readFileSync(manifestPath, 'utf8'));
  manifest.settings.event_subscriptions.bot_events = ['app_home_opened', 'app_mention'];
  const stack = await createStack({
    hosting: { port: 0 },
    slack: { port: 0, manifest },
    databaseUrl,
    log: pino({ level: 'silent' }),
  });
  const slack = slackControl(stack.slack.url);
  await slack.slash('help');
  await slack.message('What you can do');
  await slack.fault('revoke');
  await slack.act('home', { user: 'U0ALICE' });
  await eventually(async () => {
    await slack.slash('help');
    expect((await slack.messages()).at(-1)?.text).toContain(
      'Rackhand is not installed in this workspace any more',
    );
  });
  await stack.close();
  expect(await kept()).toMatchObject({ workspaces: ['T0GLOBEX'], connected: [] });
});

test('an organisation that takes the app out of one workspace keeps it in the others', async () => {
  running = await startStack({ databaseUrl });
  const { slack, serverUrl } = running;
  const [erin, fred] = [
    { user: 'U0ERIN', channel: 'C0INITECH', team: 'T0INITECH' },
    { user: 'U0FRED', channel: 'C0INITRODE', team: 'T0INITRODE' },
  ];
  await installAs(serverUrl, 'E0INITECH/U0ERIN');
  for (const person of [erin, fred]) {
    await slack.slash('help', person);
    await slack.message('What you can do', person.channel, person.user, person.team);
  }
  await slack.act('uninstall', { team: 'T0INITECH' });
  await expect.poll(async () => acked('event')).toBe(1);
  await slack.slash('help', fred);
  await expect.poll(async () => acked('command')).toBe(3);
  await slack.act('uninstall', { team: 'T0INITRODE', whole_organisation: true });
  await expect.poll(async () => acked('event')).toBe(3);
  await running.close();
  expect(await kept()).toMatchObject({ workspaces: ['T0ACME', 'T0GLOBEX'], connected: ['T0ACME'] });
});

async function acked(kind: string): Promise<number> {
  const text = await (await fetch(`${running.serverUrl}/metrics`)).text();
  const line = text
    .split('\n')
    .find((each) => each.startsWith(`rackhand_slack_ack_seconds_count{kind="${kind}"}`));
  return Number(line?.split(' ')[1] ?? 0);
}

test('what is told of a run after the app was removed comes by the response URL', async () => {
  running = await startStack({ databaseUrl });
  const { slack, service } = running;
  await service.fault('slow:600', { method: 'POST', path: '/v1/vps/VPS-10003/snapshots' });
  await slack.slash('snapshot create VPS-10003 last');
  await expect.poll(async () => (await service.calls()).some(({ method }) => method === 'POST')).toBe(true);
  await slack.act('uninstall', {});
  expect(await slack.message('Take snapshot last of VPS-10003: ✅ Done')).toMatchObject({ ephemeral: true });
  await running.close();
});

test('no token stands in the database file', async () => {
  running = await startStack({ databaseUrl });
  await installAs(running.serverUrl, 'T0INITECH/U0ERIN');
  await running.close();
  const folder = join(databaseUrl.slice('sqlite:'.length), '..');
  const bytes = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join();
  expect(bytes).not.toContain('xoxb-');
  expect(bytes).not.toContain('sandbox-client-secret');
});
