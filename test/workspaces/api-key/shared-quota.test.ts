import { afterEach, describe, expect, test } from 'vitest';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { listVps, performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { startApiKeyFixture } from './api-key-fixture.ts';

const lane = 'people';

let fixture: Awaited<ReturnType<typeof startApiKeyFixture>>;
afterEach(() => fixture.close());

const apiKey = 'sandbox-key-read';

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

describe('replacement', () => {
  const actor = { teamId: 'T1', userId: 'U1' };

  /** Connects a key with a quota of one call, and uses it up. */
  async function startWithQuotaUsedUp({ windowMs = 600 } = {}) {
    fixture = await startApiKeyFixture({ windowMs });
    await fixture.keys.save('T1', { apiKey: 'sandbox-key-read', fingerprint: 'old', limit: 1 }, 1);
    await fixture.hosting('T1').call(getStatus, {}, { lane });
  }

  async function listCallingKeys(path: string) {
    return (await fixture.service.calls()).filter((call) => call.path === path).map(({ key }) => key);
  }

  describe('a call that waits for the quota while the key is replaced', () => {
    test('is sent once, with the new key', async () => {
      await startWithQuotaUsedUp();
      let sendCount = 0;
      const input = { params: { vps_name: 'VPS-10001' }, body: { action: 'reboot' } };
      const waiting = fixture.hosting('T1').call(performVpsAction, input, {
        lane,
        async beforeSend() {
          sendCount += 1;
        },
      });
      await fixture.apiKeys.connect({ apiKey: 'sandbox-key-full', limit: 50 }, actor, {});
      await waiting;
      expect(await listCallingKeys('/v1/vps/VPS-10001/action')).toEqual(['sandbox-key-full']);
      expect(sendCount).toBe(1);
    });

    test('is not sent if the key was deleted', async () => {
      await startWithQuotaUsedUp();
      const waiting = fixture.hosting('T1').call(listVps, {}, { lane });
      const ended = expect(waiting).rejects.toMatchObject({ code: 'key_missing' });
      await fixture.apiKeys.disconnect(actor.teamId);
      await ended;
      expect(await listCallingKeys('/v1/vps')).toEqual([]);
    });
  });
});
