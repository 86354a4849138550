import { InvalidStateError } from '@slack/oauth';
import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { createStateStore, stateTtlMs } from '../../../src/slack/oauth/state-store.ts';

const secret = 'sixteen-characters';
const options = { scopes: ['commands'], redirectUri: 'https://rackhand.example.com/slack/oauth_redirect' };
const nowMs = Date.UTC(2030, 0, 15, 12);
const after = (ms: number) => new Date(nowMs + ms);

function createStore(storeSecret = secret) {
  const used = new Set<string>();
  return createStateStore(storeSecret, async (state) => !used.has(state) && Boolean(used.add(state)));
}

test('a state returns the options of its installation, once', async () => {
  const store = createStore();
  const state = await store.generateStateParam(options, after(0));

  expect(await store.verifyStateParam(after(stateTtlMs - 1_000), state)).toEqual(options);

  await expect(store.verifyStateParam(after(1_000), state)).rejects.toThrow('The state was used before');
});

test('a state expires after ten minutes', async () => {
  const store = createStore();
  const state = await store.generateStateParam(options, after(0));

  await expect(store.verifyStateParam(after(stateTtlMs + 1_000), state)).rejects.toThrow(InvalidStateError);
});

const expiresAt = after(stateTtlMs);

test.each([
  ['with another secret', () => createStore('another-secret-16').generateStateParam(options, after(0))],
  [
    'without a signature',
    () => new UnsecuredJWT({ installOptions: options }).setExpirationTime(expiresAt).encode(),
  ],
  [
    'with another algorithm',
    () =>
      new SignJWT({ installOptions: options })
        .setProtectedHeader({ alg: 'HS512' })
        .setExpirationTime(expiresAt)
        .sign(new TextEncoder().encode(secret)),
  ],
  ['as a text that is no token', () => 'nonsense'],
  ['as an empty text', () => ''],
])('a state %s is rejected', async (_, forge) => {
  await expect(createStore().verifyStateParam(after(1_000), await forge())).rejects.toThrow(
    InvalidStateError,
  );
});

test('a state without an expiry is rejected', async () => {
  const state = await new SignJWT({ installOptions: options })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));

  await expect(createStore().verifyStateParam(after(0), state)).rejects.toThrow(InvalidStateError);
});
