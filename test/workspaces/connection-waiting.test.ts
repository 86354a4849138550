import { afterEach, describe, expect, test } from 'vitest';
import { getStatus } from '../../src/hosting/endpoints/system.ts';
import { listVps, performVpsAction } from '../../src/hosting/endpoints/vps.ts';
import { startConnecting } from './connecting.ts';

const asker = { teamId: 'T1', userId: 'U1' };
const lane = 'people';

let stage: Awaited<ReturnType<typeof startConnecting>>;
afterEach(() => stage.close());

/** Connects a key whose quota is one call, and uses that up. */
async function startUsedUp() {
  stage = await startConnecting({ windowMs: 600 });
  await stage.keys.save('T1', { apiKey: 'sandbox-key-read', fingerprint: 'old', limit: 1 }, 1);
  await stage.hosting('T1').call(getStatus, {}, { lane });
}

async function keysThatCalled(path: string) {
  return (await stage.service.calls()).filter((call) => call.path === path).map(({ key }) => key);
}

describe('a call that waits for the quota while the key is replaced', () => {
  test('goes on with the new one, once', async () => {
    await startUsedUp();
    let marks = 0;
    const input = { params: { vps_name: 'VPS-10001' }, body: { action: 'reboot' } };
    const waiting = stage.hosting('T1').call(performVpsAction, input, {
      lane,
      async beforeLeaving() {
        marks += 1;
      },
    });
    await stage.connection.connect({ apiKey: 'sandbox-key-full', limit: 50 }, asker, {});
    await waiting;
    expect(await keysThatCalled('/v1/vps/VPS-10001/action')).toEqual(['sandbox-key-full']);
    expect(marks).toBe(1);
  });

  test('is not sent where the key was deleted', async () => {
    await startUsedUp();
    const waiting = stage.hosting('T1').call(listVps, {}, { lane });
    const ended = expect(waiting).rejects.toMatchObject({ code: 'key_missing' });
    await stage.connection.disconnect(asker, {});
    await ended;
    expect(await keysThatCalled('/v1/vps')).toEqual([]);
  });

  test('goes on with its own where it was shared with another workspace that lost it', async () => {
    await startUsedUp();
    await stage.keys.save('T2', { apiKey: 'sandbox-key-read', fingerprint: 'old', limit: 1 }, 1);
    const first = expect(stage.hosting('T1').call(listVps, {}, { lane })).rejects.toMatchObject({
      code: 'key_missing',
    });
    const second = stage.hosting('T2').call(listVps, {}, { lane });
    await stage.connection.disconnect(asker, {});
    await first;
    await second;
    expect(await keysThatCalled('/v1/vps')).toEqual(['sandbox-key-read']);
  });
});
