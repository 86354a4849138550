import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getStatus } from '../../src/hosting/endpoints/system.ts';
import { listVps } from '../../src/hosting/endpoints/vps.ts';
import { allOperations } from '../../src/operations/all.ts';
import { tellConnection } from '../../src/workspaces/connection/tell-connection.ts';
import { startConnecting } from './connecting.ts';

const asker = { teamId: 'T1', userId: 'U1' };
const origin = { channel: 'C1' };
const full = { apiKey: 'sandbox-key-full', limit: 50 };

let stage: Awaited<ReturnType<typeof startConnecting>>;
beforeEach(async () => {
  stage = await startConnecting();
});
afterEach(() => stage.close());

describe('a key that is given', () => {
  test('is kept once it has proved good, and is on record without itself', async () => {
    expect(await stage.connection.connect(full, asker, origin)).toMatchObject({
      kind: 'kept',
      change: 'connected',
      status: { service: 'Hosting sandbox', version: 'v1' },
    });
    expect(await stage.keys.find('T1')).toMatchObject(full);
    const record = await stage.record();
    expect(record).toMatchObject([
      { operation: 'connect', status: 'done', user_id: 'U1', target: 'API key', origin: '{"channel":"C1"}' },
    ]);
    const { fingerprint = '' } = (await stage.keys.find('T1')) ?? {};
    expect(JSON.stringify(record)).not.toContain('sandbox-key-full');
    expect(JSON.stringify(record)).not.toContain(fingerprint);
  });

  test.each([
    ['is not known', 'never-made', undefined],
    ['is refused', 'sandbox-key-read', 'status:403'],
    ['meets a service that is down', 'sandbox-key-read', 'status:503'],
    ['meets a service that answers something else', 'sandbox-key-read', 'html'],
    ['meets what nobody has documented', 'sandbox-key-read', 'status:422'],
  ])('and %s leaves the one before where it is', async (_, apiKey, fault) => {
    await stage.connection.connect(full, asker, origin);
    if (fault) await stage.service.fault(fault, { times: 9 });
    const answer = await stage.connection.connect({ apiKey, limit: 50 }, asker, origin);
    expect(answer).toMatchObject({ kind: 'wrong', why: expect.stringMatching(/\.$/) });
    expect(JSON.stringify(answer)).not.toContain(apiKey);
    expect((await stage.keys.find('T1'))?.apiKey).toBe('sandbox-key-full');
    expect(await stage.record()).toHaveLength(1);
  });

  test('replaces the one before, or its quota, and says which', async () => {
    const changes = [];
    for (const given of [full, full, { ...full, limit: 60 }, { apiKey: 'sandbox-key-read', limit: 60 }]) {
      const answer = await stage.connection.connect(given, asker, origin);
      changes.push(answer.kind === 'kept' && answer.change);
    }
    expect(changes).toEqual(['connected', 'same', 'resized', 'replaced']);
    expect((await stage.record()).map(({ operation }) => operation)).toEqual(['connect', 'rotate', 'rotate']);
  });

  test('twice at once is on record once', async () => {
    await Promise.all([1, 2, 3].map(() => stage.connection.connect(full, asker, origin)));
    expect(await stage.record()).toHaveLength(1);
  });

  test('by somebody who may not is never tried, and the refusal is on record', async () => {
    await stage.close();
    stage = await startConnecting({
      access: async () => (need) => ({ what: `You may not ${need.right}.`, next: 'Ask U0ALICE.' }),
    });
    for (const answer of [
      await stage.connection.connect(full, asker, origin),
      await stage.connection.disconnect(asker, origin),
    ]) {
      expect(answer).toMatchObject({ kind: 'refused', problem: { what: 'You may not administer.' } });
    }
    expect(await stage.service.calls()).toEqual([]);
    expect(await stage.keys.find('T1')).toBeUndefined();
    expect(await stage.record()).toMatchObject([
      { operation: 'connect', status: 'refused', error_code: 'not_permitted' },
      { operation: 'disconnect', status: 'refused', error_code: 'not_permitted' },
    ]);
  });

  test('by somebody who loses the right while it is tried is not kept', async () => {
    await stage.close();
    stage = await startConnecting({
      async access() {
        const isTried = (await stage.service.calls()).length > 0;
        return () => (isTried ? { what: 'You may not.', next: 'Ask U0ALICE.' } : undefined);
      },
    });
    expect(await stage.connection.connect(full, asker, origin)).toMatchObject({
      kind: 'refused',
      problem: { code: 'not_permitted' },
    });
    expect(await stage.keys.find('T1')).toBeUndefined();
    expect(await stage.record()).toMatchObject([{ operation: 'connect', status: 'refused' }]);
  });

  test('for a workspace that the app leaves while it is tried is not kept', async () => {
    await stage.close();
    stage = await startConnecting({
      async access() {
        if ((await stage.service.calls()).length > 0) await stage.uninstall('T1');
        return () => undefined;
      },
    });
    expect(await stage.connection.connect(full, asker, origin)).toMatchObject({
      kind: 'refused',
      problem: { code: 'not_installed' },
    });
    expect(await stage.keys.find('T1')).toBeUndefined();
  });

  test('of one workspace is none of another', async () => {
    await stage.connection.connect(full, asker, origin);
    await expect(stage.hosting('T2').call(getStatus, {}, { lane: 'people' })).rejects.toMatchObject({
      code: 'key_missing',
    });
  });
});

describe('a key that is deleted', () => {
  test('serves nobody any more, and is on record once', async () => {
    await stage.connection.connect(full, asker, origin);
    await stage.hosting('T1').call(listVps, {}, { lane: 'people' });
    const removals = await Promise.all([1, 2].map(() => stage.connection.disconnect(asker, origin)));
    expect(removals.filter((answer) => answer.kind === 'removed' && answer.wasThere)).toHaveLength(1);
    const options = { lane: 'people', maxAgeMs: 60_000 } as const;
    await expect(stage.hosting('T1').call(listVps, {}, options)).rejects.toMatchObject({
      code: 'key_missing',
    });
    expect((await stage.record()).map(({ operation }) => operation)).toEqual(['connect', 'disconnect']);
  });
});

describe('the key of the settings', () => {
  test('connects a workspace, and gives way to what somebody connects', async () => {
    const ofSettings = { apiKey: 'sandbox-key-read', limit: 50 };
    expect(await stage.connection.provide('T1', ofSettings)).toBe(true);
    expect(await stage.connection.provide('T1', { apiKey: 'sandbox-key-other', limit: 50 })).toBe(true);
    expect((await stage.keys.find('T1'))?.apiKey).toBe('sandbox-key-other');
    await stage.connection.connect(full, asker, origin);
    expect(await stage.connection.provide('T1', ofSettings)).toBe(false);
    expect((await stage.keys.find('T1'))?.apiKey).toBe('sandbox-key-full');
    expect(await stage.connection.provide('T1', full)).toBe(true);
    expect(await stage.connection.describe('T1')).toMatchObject({ connectedBy: 'U1' });
  });

  test('is as old as it was, and has its quota, at the next start', async () => {
    await stage.connection.provide('T1', full);
    await stage.connection.connect({ ...full, limit: 70 }, asker, origin);
    const before = await stage.connection.describe('T1');
    await stage.connection.provide('T1', full);
    expect(await stage.connection.describe('T1')).toEqual(before);
    expect(before).toMatchObject({ limit: 70, connectedBy: null });
  });
});

describe('what will not work', () => {
  const catalogue = allOperations();
  const notesFor = (permissions: readonly string[]) =>
    tellConnection({ status: { service: 's', version: 'v1', permissions }, limit: 50 }, catalogue).notes;

  test('names under each missing permission the operations that need it', () => {
    expect(notesFor(['vps.read'])).toContain('Without proxy_ssh.manage these do not work: ssh set.');
    expect(notesFor(['vps.read'])?.join()).not.toContain('Without vps.read');
  });

  test('is nothing where the key has them all, and others that nobody has heard of', async () => {
    const { permissions } = await stage
      .hosting('T1')
      .call(getStatus, {}, { lane: 'people' })
      .catch(async () => {
        await stage.connection.connect(full, asker, origin);
        return stage.hosting('T1').call(getStatus, {}, { lane: 'people' });
      });
    expect(notesFor([...permissions, 'dns.manage'])).toEqual([
      'Everything that Rackhand offers works with this key.',
    ]);
  });
});
