import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAuditChain } from '../../../src/audit/chain/audit-chain.ts';
import { createFileStream } from '../../../src/audit/chain/audit-streams.ts';
import { createSealing, createStreaming } from '../../../src/audit/chain/sealing.ts';
import { verifyChain } from '../../../src/audit/chain/verify-chain.ts';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { createCatalogue } from '../../../src/operations/define/catalogue.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { createDataRetention } from '../../../src/workspaces/erasure/data-retention.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { createJobsFixture, defineTestKind, done } from '../../jobs/jobs-fixture.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { startStack } from '../../stack.ts';
import { insertRuns } from '../insert-runs.ts';

const minuteMs = 60_000;
const database = useTestDatabase(startSqlite);

test('while the file of the stream cannot be written, runs are still sealed every minute, and are streamed later', async () => {
  const { createProcess, advance, clock } = createJobsFixture(database.db);
  const { jobs } = createProcess(defineTestKind(async () => done));
  const streamed: string[] = [];
  let isAway = true;
  jobs.definePeriodic(createSealing(database.db, createAuditChain('key')));
  jobs.definePeriodic(
    createStreaming(database.db, async (lines) => {
      if (isAway) throw new Error('the disk is full');
      streamed.push(...lines);
    }),
  );
  const listSealed = async () =>
    (await database.db.selectFrom('audit_chain').select('run_id').execute()).map(({ run_id: id }) => id);
  await jobs.start();
  for (const id of ['first', 'second']) {
    await advance(40 * minuteMs);
    await insertRuns(database.db, [{ id, requested_at: clock.now() }]);
    await advance(2 * minuteMs);
    expect(await listSealed()).toContain(id);
  }
  expect(streamed).toEqual([]);
  isAway = false;
  await advance(60 * minuteMs);
  expect(streamed).toHaveLength(2);
  await jobs.stop(0);
});

test('the stream appends each line once, and only the owner of the file can read it', async () => {
  const file = join(makeScratchDirectory('audit-streams'), 'audit.jsonl');
  const stream = createFileStream(file);
  await stream(['{"seq":1,"operation":"reboot"}']);
  await stream(['{"seq":2,"target":"büro\\n"}']);
  expect(readFileSync(file, 'utf8')).toBe('{"seq":1,"operation":"reboot"}\n{"seq":2,"target":"büro\\n"}\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('what Rackhand itself changes in an entry after its end is no tampering', async () => {
  const folder = makeScratchDirectory('chain');
  const databaseUrl = `sqlite:${join(folder, 'rackhand.db')}`;
  const running = await startStack({ databaseUrl });
  const { slack } = running;
  await slack.slash('whoami');
  await slack.message(/./);
  await slack.slash('access grant @U0BOB operate');
  await slack.message('Granted');
  await slack.slash('reboot VPS-10001');
  await slack.click(await slack.message('Reboot web-01 (VPS-10001)?'), 'confirm');
  await slack.message('Reboot web-01 (VPS-10001): ');
  await slack.slash('snapshot create VPS-10003 nightly', { user: 'U0CAROL' });
  await slack.message("You don't have permission", 'C0OPS', 'U0CAROL');
  await running.close();

  const { db, close } = await openDatabase(databaseUrl);
  onTestFinished(close);
  const chain = createAuditChain('key');
  // The running app sealed the entries with another key.
  await db.deleteFrom('audit_chain').execute();
  await db.updateTable('run').set({ sealed_at: null }).execute();
  await chain.seal(db, Date.now());
  const retention = createDataRetention({
    db,
    installations: { findFresh: async () => undefined },
    log: { info: () => undefined },
    now: () => Date.now() + 2 * 60 * 60_000,
  });
  const { groups } = hostingOperations();
  await retention.deleteDue(createCatalogue(groups));
  const report = await verifyChain(db, chain);
  expect(report).toMatchObject({ problems: [], unsealed: 0 });
  expect(report.heads[0]?.seq).toBeGreaterThanOrEqual(4);
  const whoami = await db
    .selectFrom('run')
    .select('outcome')
    .where('operation', '=', 'whoami')
    .executeTakeFirstOrThrow();
  expect(whoami.outcome).toBeNull();
});
