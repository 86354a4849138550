import { permissions } from '../../hosting/endpoint.ts';
import type { Catalogue } from '../../operations/catalogue.ts';
import { connectStep } from '../../operations/key-steps.ts';
import { permissionsOf } from '../../operations/operation.ts';
import type { Outcome } from '../../operations/outcome.ts';
import type { KeyStatus } from './key-trial.ts';

/** What a key that was given did: came as the first, took the place of another, came with another quota, or was there already. */
export type KeyChange = 'connected' | 'replaced' | 'resized' | 'same';

interface Told {
  readonly status: KeyStatus;
  /** Requests in any 60 s. */
  readonly limit: number;
  readonly change?: KeyChange;
}

/** Says what a key is and may do; nothing by which it could be known. */
export function keyWords({ status, limit, change }: Told): Outcome {
  const { service, version, permissions: held } = status;
  return {
    title: titles[change ?? 'connected'](service),
    facts: [
      { label: 'API version', value: version },
      { label: 'Permissions of the key', value: held.join(', ') },
      { label: 'Quota', value: `${limit} requests in any 60 seconds` },
    ],
  };
}

const titles: Record<KeyChange, (service: string) => string> = {
  connected: (service) => `Connected to ${service}`,
  replaced: (service) => `The API key for ${service} was replaced`,
  resized: (service) => `The quota of the API key for ${service} was changed`,
  same: (service) => `Connected to ${service} by this key already`,
};

/** Says the same, and what will not work for want of a permission. */
export function tellConnection(told: Told, catalogue: Catalogue): Outcome {
  return {
    ...keyWords(told),
    notes: whatWillNotWork(told.status.permissions, catalogue),
    next: [
      { label: 'List VPS', operation: 'list', input: {} },
      { label: 'Quota', operation: 'quota', input: {} },
    ],
  };
}

/** Names, for each permission that a key lacks, the operations that need it. */
function whatWillNotWork(held: readonly string[], { groups }: Catalogue): readonly string[] {
  const operations = groups.flatMap((group) => group.operations);
  const lines = permissions
    .filter((permission) => !held.includes(permission))
    .flatMap((permission) => {
      const names = operations.flatMap((operation) =>
        permissionsOf(operation).includes(permission) ? [operation.name] : [],
      );
      return names.length === 0 ? [] : [`Without ${permission} these do not work: ${names.join(', ')}.`];
    });
  return lines.length === 0 ? ['Everything that Rackhand offers works with this key.'] : lines;
}

/** Says that there is no key any more. */
export function tellDisconnection(wasThere: boolean): Outcome {
  const title = wasThere ? 'The API key was deleted' : 'There was no API key any more';
  return { title, notes: ['Nothing works until somebody connects a key.'], next: [connectStep] };
}
