import { ClearStateStore, InvalidStateError, type StateStore } from '@slack/oauth';

/** How long a person can take to install the app. */
export const stateTtlMs = 10 * 60_000;

/** Records that a state was used. Returns false if it was used before, on any replica. */
export type UseState = (state: string, expiresMs: number) => Promise<boolean>;

/** Creates the store of OAuth states. They are signed, expire after 10 minutes, and can be used once. */
export function createStateStore(secret: string, useState: UseState): StateStore {
  const signed = new ClearStateStore(secret, stateTtlMs / 1_000);
  return {
    generateStateParam: (options, now) => signed.generateStateParam(options, now),
    async verifyStateParam(now, state) {
      const options = await signed.verifyStateParam(now, state);
      // Without the signature, because base64url has several spellings of the same bytes.
      const content = state.slice(0, state.lastIndexOf('.'));
      if (await useState(content, now.getTime() + stateTtlMs)) return options;
      throw new InvalidStateError('The state was used before');
    },
  };
}
