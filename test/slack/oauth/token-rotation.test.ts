import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createVault } from '../../../src/db/encryption/vault.ts';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { createStack, type Stack } from '../../../src/sandbox/stack.ts';
import { createDataTables } from '../../../src/slack/client/data-tables.ts';
import { createSlackClients } from '../../../src/slack/client/slack-clients.ts';
import { createSlackLogger } from '../../../src/slack/client/slack-logger.ts';
import { createTokenIssuer } from '../../../src/slack/oauth/token-issuer.ts';
import { createInstallationStore } from '../../../src/workspaces/installation-store.ts';
import { createTokenRotation } from '../../../src/workspaces/token-rotation.ts';
import { createManualClock } from '../../jobs/clocks/manual-clock.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { createSlackDriver, manifestPath } from '../../stack.ts';
import { installAs } from './install-driver.ts';

const hourMs = 60 * 60_000;
const encryptionKey = randomBytes(32);
const manifest = parse(readFileSync(manifestPath, 'utf8'));
manifest.settings.token_rotation_enabled = true;

let stack: Stack;
afterEach(() => stack.close());
async function startRotatingStack(migratesTokens: boolean) {
  const folder = makeScratchDirectory('token-rotation');
  const databaseUrl = `sqlite:${join(folder, 'rackhand.db')}`;
  const clock = createManualClock(Date.now());
  stack = await createStack({
    hosting: { port: 0 },
    slack: { port: 0, manifest },
    databaseUrl,
    encryptionKey,
    migratesTokens,
    clock,
    log: pino({ level: 'silent' }),
  });
  const slack = createSlackDriver(stack.slack.url);
  const exchanges = async () => {
    const traffic = await (await fetch(`${slack.url}/sandbox/traffic`)).json();
    const { traffic: lines } = traffic as { traffic: { kind: string; payload: object; refused?: string }[] };
    return lines
      .filter(({ kind, payload }) => kind === 'oauth.v2.exchange' || 'grant_type' in payload)
      .map(({ kind, refused }) => refused ?? kind);
  };
  /** Lets a minute pass, so that due jobs run. */
  const nextExchanges = async () => {
    await clock.advanceTo(clock.now() + 60_000, async () => {});
    return exchanges();
  };
  return { slack, clock, folder, exchanges, nextExchanges };
}

const initech = { user: 'U0ERIN', channel: 'C0INITECH', team: 'T0INITECH' };

test('a rotating token is replaced before it expires, also long after the installation', async () => {
  const { slack, clock, folder, nextExchanges } = await startRotatingStack(false);
  await installAs(stack.app.url, 'T0INITECH/U0ERIN');
  for (let rotations = 1; rotations <= 3; rotations += 1) {
    await slack.act('clock', { advance_ms: 11 * hourMs });
    clock.jumpTo(clock.now() + 11 * hourMs);
    await expect.poll(nextExchanges).toEqual(Array(rotations).fill('oauth.v2.access'));
  }
  await slack.slash('help', initech);
  await slack.message('What you can do', initech.channel, initech.user, initech.team);
  const bytes = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join();
  expect(bytes).not.toMatch(/xoxe|xoxb-/);
});

test('installations without rotation are exchanged once, if the setting says so', async () => {
  const { slack, clock, exchanges, nextExchanges } = await startRotatingStack(true);
  await expect.poll(nextExchanges).toEqual(['oauth.v2.exchange', 'oauth.v2.exchange']);
  clock.jumpTo(clock.now() + hourMs);
  await nextExchanges();
  await slack.slash('help');
  await slack.message('What you can do');
  expect(await exchanges()).toHaveLength(2);
});

test('a replica that still has the earlier token uses the new one', async () => {
  const { slack } = await startRotatingStack(false);
  const log = pino({ level: 'silent' });
  const { db, close } = await openDatabase('sqlite::memory:');
  const vault = createVault([encryptionKey]);
  const [first, second] = [createInstallationStore(db, vault), createInstallationStore(db, vault)];
  const acme = { teamId: 'T0ACME', teamName: 'Acme', enterpriseId: null, botId: 'B1', botUserId: 'U1' };
  await first.save({ ...acme, botToken: 'xoxb-sandbox-acme' }, 0);
  const options = { apiUrl: `${slack.url}/api/`, logger: createSlackLogger(log) };
  const refused: string[] = [];
  const clients = createSlackClients(second, {
    ...options,
    dataTables: createDataTables(),
    retryConfig: { retries: 0 },
    onTokenRefused: ({ teamId }) => refused.push(teamId),
  });
  const client = await clients('T0ACME');
  await client.auth.test();

  const credentials = {
    clientId: 'sandbox-client-id',
    clientSecret: 'sandbox-client-secret',
    stateSecret: '',
  };
  const rotation = createTokenRotation({
    installations: first,
    issuer: createTokenIssuer(credentials, options),
    migratesTokens: true,
    log,
  });
  await rotation.run({ clock: createManualClock(Date.now()), signal: new AbortController().signal });

  expect(await client.auth.test()).toMatchObject({ team_id: 'T0ACME' });
  expect(await (await clients('T0ACME')).auth.test()).toMatchObject({ team_id: 'T0ACME' });
  expect(refused).toEqual([]);
  await close();
});
