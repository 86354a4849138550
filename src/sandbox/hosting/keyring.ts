import { type Permission, permissions } from '../../hosting/endpoints/endpoint.ts';

/** An API key of the account, with the recent calls that count toward its quota. */
export interface ApiKey {
  readonly key: string;
  readonly permissions: readonly Permission[];
  /** Maximum number of calls in any sliding window. */
  readonly quota: number;
  arrivalsMs: number[];
}

interface NewKey {
  readonly key: string;
  readonly permissions?: readonly Permission[] | undefined;
  readonly quota?: number | undefined;
}

export interface Keyring {
  readonly windowMs: number;
  all(): readonly ApiKey[];
  find(key: string): ApiKey | undefined;
  /** Adds or replaces a key. By default, the key has every permission and the service's usual quota. */
  add(key: NewKey): ApiKey;
  /** Counts a call and returns 0. If the call exceeds the quota, doesn't count it, and returns how many ms to wait. */
  admit(key: ApiKey, atMs: number): number;
  reset(): void;
}

const readPermissions = permissions.filter((name) => name.endsWith('.read') || name === 'vps.monitoring');

/** Creates the keyring. By default, a key allows `quota` calls in any `windowMs`. Rejected calls don't count. */
export function createKeyring({ quota, windowMs }: { quota: number; windowMs: number }): Keyring {
  const keys = new Map<string, ApiKey>();

  function add(key: NewKey): ApiKey {
    const added: ApiKey = {
      key: key.key,
      permissions: key.permissions ?? permissions,
      quota: key.quota ?? quota,
      arrivalsMs: [],
    };
    keys.set(added.key, added);
    return added;
  }

  function admit(key: ApiKey, atMs: number): number {
    key.arrivalsMs = key.arrivalsMs.filter((arrivalMs) => arrivalMs > atMs - windowMs);
    const blocking = key.arrivalsMs.at(-key.quota);
    if (blocking !== undefined) return blocking + windowMs - atMs;
    key.arrivalsMs.push(atMs);
    return 0;
  }

  function reset(): void {
    keys.clear();
    add({ key: 'sandbox-key-full' });
    add({ key: 'sandbox-key-read', permissions: readPermissions });
  }

  reset();
  return { windowMs, all: () => [...keys.values()], find: (key) => keys.get(key), add, admit, reset };
}
