import { randomUUID } from 'node:crypto';
import { type InstallURLOptions, InvalidStateError, type StateStore } from '@slack/oauth';
import { errors, jwtVerify, SignJWT } from 'jose';

/** How long a person can take to install the app. */
export const stateTtlMs = 10 * 60_000;

/** Records that a state was used. Returns false if any replica has already recorded the state. */
export type UseState = (state: string, expiresMs: number) => Promise<boolean>;

/** Signs and verifies OAuth states. Each expires after 10 minutes and can be used only once. */
export function createStateStore(secret: string, useState: UseState): StateStore {
  const key = new TextEncoder().encode(secret);

  /** Returns a state's options. Throws an InvalidStateError if the state is forged or has expired. */
  async function verify(state: string, now: Date): Promise<InstallURLOptions> {
    try {
      const { payload } = await jwtVerify(state, key, {
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
        currentDate: now,
      });
      // The signature shows that this process or a replica created the state.
      return payload.installOptions as InstallURLOptions;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw new InvalidStateError(error.message);
      throw error;
    }
  }

  return {
    generateStateParam: (installOptions, now) =>
      new SignJWT({ installOptions })
        .setProtectedHeader({ alg: 'HS256' })
        .setJti(randomUUID())
        .setExpirationTime(new Date(now.getTime() + stateTtlMs))
        .sign(key),
    async verifyStateParam(now, state) {
      const options = await verify(state, now);
      // The signature is left out, because base64url can encode the same bytes in several ways.
      const content = state.slice(0, state.lastIndexOf('.'));
      if (await useState(content, now.getTime() + stateTtlMs)) return options;
      throw new InvalidStateError('The state was used before');
    },
  };
}
