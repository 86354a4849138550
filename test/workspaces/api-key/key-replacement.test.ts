import { afterEach, describe, expect, test } from 'vitest';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { listVps, performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { startApiKeyFixture } from './api-key-fixture.ts';

const actor = { teamId: 'T1', userId: 'U1' };
const lane = 'people';

let fixture: Awaited<ReturnType<typeof startApiKeyFixture>>;
afterEach(() => fixture.close());

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

  test('does not wait for the quota of the old key, once another call uses the new one', async () => {
    await startWithQuotaUsedUp({ windowMs: 3_600_000 });
    const input = { params: { vps_name: 'VPS-10001' }, body: { action: 'reboot' } };
    const waits: number[] = [];
    const waiting = fixture.hosting('T1').call(performVpsAction, input, {
      lane,
      notAfterMs: Date.now() + 10_000,
      onQueued: (waitMs) => waits.push(waitMs),
    });
    await expect.poll(() => waits).toHaveLength(1);
    await fixture.apiKeys.connect({ apiKey: 'sandbox-key-full', limit: 50 }, actor, {});
    await fixture.hosting('T1').call(getStatus, {}, { lane });
    await waiting;
    expect(await listCallingKeys('/v1/vps/VPS-10001/action')).toEqual(['sandbox-key-full']);
  });

  test('is not sent if the key was deleted', async () => {
    await startWithQuotaUsedUp();
    const waiting = fixture.hosting('T1').call(listVps, {}, { lane });
    const ended = expect(waiting).rejects.toMatchObject({ code: 'key_missing' });
    await fixture.apiKeys.disconnect(actor, {});
    await ended;
    expect(await listCallingKeys('/v1/vps')).toEqual([]);
  });

  test('is sent if only another workspace with the same key was disconnected', async () => {
    await startWithQuotaUsedUp();
    await fixture.keys.save('T2', { apiKey: 'sandbox-key-read', fingerprint: 'old', limit: 1 }, 1);
    const first = expect(fixture.hosting('T1').call(listVps, {}, { lane })).rejects.toMatchObject({
      code: 'key_missing',
    });
    const second = fixture.hosting('T2').call(listVps, {}, { lane });
    await fixture.apiKeys.disconnect(actor, {});
    await first;
    await second;
    expect(await listCallingKeys('/v1/vps')).toEqual(['sandbox-key-read']);
  });
});
