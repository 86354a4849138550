import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { listWorkspaces } from '../../../src/workspaces/list-workspaces.ts';
import { createSuspensions, type Suspensions } from '../../../src/workspaces/suspensions.ts';
import { makeScratchDirectory } from '../../scratch-directory.ts';
import { startStack } from '../../stack.ts';
import { installAs } from './install-driver.ts';

const erin = { user: 'U0ERIN', channel: 'C0INITECH', team: 'T0INITECH' };

function makeDatabase() {
  const folder = makeScratchDirectory('operator');
  const databaseUrl = `sqlite:${join(folder, 'rackhand.db')}`;
  /** Does what `npm run workspaces` does while Rackhand is stopped. */
  async function asOperator<T>(act: (suspensions: Suspensions) => Promise<T>) {
    const { db, close } = await openDatabase(databaseUrl);
    const result = await act(createSuspensions(db));
    const workspaces = await listWorkspaces(db);
    await close();
    return { result, workspaces };
  }
  return { databaseUrl, asOperator };
}

test('a suspended workspace gets no answer and makes no call, until it is resumed', async () => {
  const { databaseUrl, asOperator } = makeDatabase();
  await asOperator((suspensions) => suspensions.suspend('T0ACME', 'unpaid'));
  const suspended = await startStack({ databaseUrl });
  await suspended.slack.slash('list');
  await suspended.slack.message('Rackhand is suspended in this workspace. Nothing was changed.');
  const gwen = { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' };
  await suspended.slack.slash('help', gwen);
  await suspended.slack.message('What you can do', gwen.channel, gwen.user, gwen.team);
  expect(await suspended.service.calls()).toEqual([]);
  await suspended.close();

  const { result, workspaces } = await asOperator((suspensions) => suspensions.resume('T0ACME'));
  expect(result).toBe(true);
  expect(workspaces).toMatchObject([
    { teamId: 'T0ACME', hasApiKey: true, suspendedReason: null },
    { teamId: 'T0GLOBEX', hasApiKey: false, suspendedReason: null },
  ]);
});

test('calls of a suspended workspace are refused within five seconds, and others are not', async () => {
  const { db, close } = await openDatabase('sqlite::memory:');
  onTestFinished(close);
  let nowMs = 0;
  const running = createSuspensions(db, () => nowMs);
  await running.assertActive('T1');
  await createSuspensions(db).suspend('T1', 'abuse');
  nowMs += 5_000;
  await expect(running.assertActive('T1', undefined)).rejects.toMatchObject({ code: 'suspended' });
  await expect(running.assertActive('T2', 'T1')).rejects.toMatchObject({ code: 'suspended' });
  await running.assertActive('T2');
  expect(await running.resume('T1')).toBe(true);
  await running.assertActive('T1');
});

test('a workspace that is not on the list cannot install the app, and Slack drops the token', async () => {
  const running = await startStack({ allowedWorkspaces: ['T0OTHER'] });
  onTestFinished(running.close);
  const page = await installAs(running.serverUrl, 'T0INITECH/U0ERIN');
  expect(page).toContain('can&#39;t be installed here');
  expect(page.replaceAll('&#39;', "'")).toContain("isn't allowed to install");
  await running.slack.slash('help', erin);
  await running.slack.message('Rackhand is no longer installed', erin.channel, erin.user, erin.team);
  const { traffic } = (await (await fetch(`${running.slack.url}/sandbox/traffic`)).json()) as {
    traffic: { kind: string }[];
  };
  expect(traffic.some(({ kind }) => kind === 'auth.revoke')).toBe(true);
});
