import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { checkClock } from '../../scripts/doctor/check-clock.ts';
import { checkDatabase } from '../../scripts/doctor/check-database.ts';
import { checkDisk, checkFileModes } from '../../scripts/doctor/check-files.ts';
import { checkFonts } from '../../scripts/doctor/check-fonts.ts';
import type { CheckLine } from '../../scripts/doctor/check-line.ts';
import { checkSigningSecret } from '../../scripts/doctor/check-signing-secret.ts';
import { checkSlack } from '../../scripts/doctor/check-slack.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/engines/database.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { startStack } from '../stack.ts';

function configOf(env: Record<string, string> = {}) {
  return readConfig({
    HOSTING_API_URL: 'http://127.0.0.1:1',
    SLACK_BOT_TOKEN: 'xoxb-sandbox-acme',
    SLACK_APP_TOKEN: 'xapp-sandbox',
    ENCRYPTION_KEYS: Buffer.alloc(32, 1).toString('base64'),
    ...env,
  });
}

async function read(lines: AsyncIterable<CheckLine> | Iterable<CheckLine>): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const { check, status, message } of lines) texts.push(`${status} ${check}: ${message}`);
  return texts;
}

test('charts must have letters, and the check says which scripts they have', () => {
  expect(checkFonts('/missing.ttc')).toMatchObject({
    status: 'OK',
    message: expect.stringContaining('install fonts-wqy-microhei'),
  });
  const failing = [
    () => Buffer.from('the same picture for every text'),
    () => {
      throw new Error('no such file');
    },
  ];
  for (const draw of failing) {
    expect(checkFonts(undefined, draw)).toMatchObject({
      status: 'error',
      message: expect.stringContaining('Run npm ci again'),
    });
  }
});

test('the running app must accept what is signed with the secret', async () => {
  const stack = await startStack({ delivery: 'http' });
  onTestFinished(stack.close);
  const check = (secret: string, url = stack.serverUrl) =>
    read(
      checkSigningSecret({
        ...configOf({ PUBLIC_URL: url }),
        slack: { apiUrl: '', delivery: { mode: 'http', signingSecret: secret } },
      }),
    );
  expect(await check('sandbox-signing-secret')).toEqual([expect.stringMatching(/^OK signing secret/)]);
  expect(await check('another')).toEqual([expect.stringMatching(/^error signing secret: .* answered 401/)]);
  expect(await check('another', 'http://127.0.0.1:1')).toEqual([
    expect.stringMatching(/^warning signing secret: Nothing answers/),
  ]);

  // Without Socket Mode, only the clocks of Slack and the service are compared.
  const { url: baseUrl } = stack.service;
  const config = { ...configOf(), hosting: { ...configOf().hosting, baseUrl } };
  const slack = { ...config.slack, apiUrl: `${stack.slack.url}/api/` };
  const clock = (offsetMs: number) => read(checkClock({ ...config, slack }, () => Date.now() + offsetMs));
  expect(await clock(0)).toEqual([expect.stringMatching(/^OK clock/), expect.stringMatching(/^OK clock/)]);
  expect(await clock(-10_000)).toEqual([
    expect.stringMatching(/^warning clock: The clock is \d+ s behind that of Slack/),
    expect.stringMatching(/^warning clock: .*the hosting service/),
  ]);
  expect((await clock(60_000))[0]).toMatch(/^error clock: .* ahead of that of Slack/);
  expect(await read(checkClock(configOf({ SLACK_API_URL: 'http://127.0.0.1:1/' })))).toEqual([
    expect.stringMatching(/^warning clock: Slack didn't say its time/),
    expect.stringMatching(/^warning clock: the hosting service didn't/),
  ]);
  expect(await read(checkSlack({ ...config, slack: { ...slack, apiUrl: 'http://127.0.0.1:1/' } }))).toEqual([
    expect.stringMatching(/^error Slack bot token: Slack doesn't answer/),
    expect.stringMatching(/^error Slack app token: Slack doesn't answer/),
  ]);
});

test('files that others can read, little space, and quotas above the document are named', async () => {
  const directory = await makeScratchDirectory('doctor');
  const databaseUrl = `sqlite:${join(directory, 'rackhand.db')}`;
  const secret = join(directory, 'token');
  writeFileSync(secret, 'xoxb-sandbox-acme', { mode: 0o604 });
  const { db, close } = await openDatabase(databaseUrl);
  chmodSync(join(directory, 'rackhand.db'), 0o600);
  const config = configOf({ DATABASE_URL: databaseUrl });
  expect(await read(checkFileModes(config, { SLACK_BOT_TOKEN_FILE: secret }))).toEqual([
    expect.stringMatching(/^warning file modes: .*token\. Run chmod o-rwx/),
  ]);
  chmodSync(secret, 0o600);
  expect(await read(checkFileModes(config, { SLACK_BOT_TOKEN_FILE: secret }))).toEqual([
    expect.stringMatching(/^OK file modes/),
  ]);

  const limits = (minBytes: number, recommendedBytes: number) => ({ minBytes, recommendedBytes });
  expect((await read(checkDisk(config, limits(0, 0))))[0]).toMatch(/^OK disk: [\d,]+ MiB are free in/);
  expect((await read(checkDisk(config, limits(0, 1e18))))[0]).toMatch(/^warning disk: Only/);
  expect((await read(checkDisk(config, limits(1e18, 1e18))))[0]).toMatch(/^error disk: Only/);

  expect(await read(checkDatabase(databaseUrl))).toContainEqual(
    expect.stringMatching(/^OK quota: 0 connected/),
  );
  await sql`
    insert into api_key (team_id, api_key_jwe, fingerprint, quota, connected_at) values ('T1', '', '', 500, 0)
  `.execute(db);
  await close();
  expect(await read(checkDatabase(databaseUrl))).toContainEqual(
    expect.stringMatching(/^warning quota: 1 of 1 workspaces/),
  );
});
