import { afterEach, describe, expect, test } from 'vitest';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { startApiKeyFixture } from './api-key-fixture.ts';

const lane = 'people';
const apiKey = 'sandbox-key-read';

let fixture: Awaited<ReturnType<typeof startApiKeyFixture>>;
afterEach(() => fixture.close());

const connect = (teamId: string, limit: number) =>
  fixture.apiKeys.connect({ apiKey, limit }, { teamId, userId: 'U1' }, {});

/** Makes a call of a workspace that isn't worth waiting for. */
const call = (teamId: string, onQueued = () => {}) =>
  fixture.hosting(teamId).call(getStatus, {}, { lane, notAfterMs: Date.now() + 500, onQueued });

describe('if two workspaces have connected the same key with different quotas', () => {
  test('the lowest one holds for both', async () => {
    fixture = await startApiKeyFixture();
    await connect('T1', 3);
    await connect('T2', 50);
    await call('T2');
    await expect(call('T2')).rejects.toMatchObject({ code: 'deadline_passed' });
    expect((await fixture.hosting('T2').usage()).limit).toBe(3);
  });

  test('the lowest one holds while the other is checked', async () => {
    fixture = await startApiKeyFixture();
    await connect('T1', 1);
    const queued = Promise.withResolvers<void>();
    const waiting = call('T1', queued.resolve);
    await queued.promise;
    void connect('T2', 50);
    await expect(waiting).rejects.toMatchObject({ code: 'deadline_passed' });
  });

  test('the other one holds once the lowest one is raised', async () => {
    fixture = await startApiKeyFixture({ windowMs: 600 });
    await connect('T1', 3);
    await connect('T2', 50);
    await connect('T1', 60);
    expect((await fixture.hosting('T1').usage()).limit).toBe(50);
  });
});
