import { expect, test } from 'vitest';
import { z } from 'zod';
import { type HostingSandboxFixture, startHostingSandbox } from '../hosting-sandbox-fixture.ts';

const list = z.object({ snapshots: z.array(z.object({ name: z.string(), state: z.string() })) });
/** A VPS without snapshots at the beginning. */
const path = '/v1/vps/VPS-10003/snapshots';

async function names(sandbox: HostingSandboxFixture) {
  return (await sandbox.read(path, list)).snapshots.map(({ name }) => name);
}

const create = (sandbox: HostingSandboxFixture, name: string) =>
  sandbox.call('POST', path, { body: { name } });

async function createReady(sandbox: HostingSandboxFixture, name: string) {
  expect((await create(sandbox, name)).status).toBe(200);
  sandbox.advance(3_000);
}

test('a snapshot is being created for three seconds and then available', async () => {
  const sandbox = await startHostingSandbox();
  expect((await create(sandbox, 'before')).body).toMatchObject({
    data: { name: 'before', state: 'creating' },
  });
  sandbox.advance(2_999);
  expect((await sandbox.read(path, list)).snapshots).toMatchObject([{ name: 'before', state: 'creating' }]);
  sandbox.advance(1);
  expect((await sandbox.read(path, list)).snapshots).toMatchObject([{ name: 'before', state: 'available' }]);
});

test('a name is unique, and available again after its snapshot is deleted', async () => {
  const sandbox = await startHostingSandbox();
  await createReady(sandbox, 'one');
  expect((await create(sandbox, 'one')).status).toBe(409);
  expect((await sandbox.call('DELETE', `${path}/one`)).status).toBe(200);
  expect(await names(sandbox)).toEqual([]);
  expect((await create(sandbox, 'one')).status).toBe(200);
});

test.each(['', '.', '../up', 'two\nlines', 'a'.repeat(65)])(
  'the name "%s" is rejected with 422',
  async (name) => {
    const sandbox = await startHostingSandbox();
    expect((await create(sandbox, name)).status).toBe(422);
    expect(await names(sandbox)).toEqual([]);
  },
);

test('a VPS has five snapshots at most', async () => {
  const sandbox = await startHostingSandbox();
  for (const name of ['1', '2', '3', '4', '5']) await createReady(sandbox, name);
  expect(await create(sandbox, '6')).toMatchObject({
    status: 409,
    body: { error: { message: expect.stringContaining('5 snapshots') } },
  });
});

test('a restore keeps the VPS busy for six seconds', async () => {
  const sandbox = await startHostingSandbox();
  await createReady(sandbox, 'good');
  expect((await sandbox.call('POST', `${path}/good/restore`)).body).toMatchObject({
    data: { state: 'restoring' },
  });
  sandbox.advance(5_999);
  expect((await sandbox.call('POST', `${path}/good/restore`)).status).toBe(409);
  expect((await sandbox.call('DELETE', `${path}/good`)).status).toBe(409);
  sandbox.advance(1);
  expect((await sandbox.call('GET', '/v1/vps/VPS-10003')).body).toMatchObject({ data: { state: 'running' } });
});
