import { permissions } from '../../hosting/endpoints/endpoint.ts';
import { requiredPermissions } from '../../operations/define/inspect-operation.ts';
import { connectKeyStep } from '../../operations/define/key-steps.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { KeyStatus } from './key-verifier.ts';

/** What submitting a key changed. `resized` means that the key stayed the same but got another quota. */
export type KeyChange = 'connected' | 'replaced' | 'resized' | 'unchanged';

interface ConnectedKey {
  readonly status: KeyStatus;
  /** Requests allowed in any 60 s. */
  readonly limit: number;
  readonly change?: KeyChange;
}

/** Formats the service, the key's permissions and its quota, but nothing that identifies the key. */
export function formatKeySummary({ status, limit, change }: ConnectedKey): Outcome {
  const { service = 'the hosting service', version = 'not shown', permissions: held } = status;
  return {
    title: titles[change ?? 'connected'](service),
    facts: [
      { label: 'API version', value: version },
      { label: 'Key permissions', value: held.join(', ') },
      { label: 'Quota', value: `${limit} requests in any 60 seconds` },
    ],
  };
}

const titles: Record<KeyChange, (service: string) => string> = {
  connected: (service) => `Connected to ${service}`,
  replaced: (service) => `The API key for ${service} was replaced`,
  resized: (service) => `The quota of the API key for ${service} was changed`,
  unchanged: (service) => `Already connected to ${service} with this key`,
};

/** Formats the key's summary, and lists the operations that are unavailable because the key lacks permissions. */
export function formatApiKey(key: ConnectedKey, catalogue: Catalogue): Outcome {
  return {
    ...formatKeySummary(key),
    notes: listUnavailableOperations(key.status.permissions, catalogue),
    next: [
      { label: 'List VPS', operation: 'list', input: {} },
      { label: 'Quota', operation: 'quota', input: {} },
    ],
  };
}

/** Lists the operations that the key can't be used for, by missing permission. */
function listUnavailableOperations(held: readonly string[], { groups }: Catalogue): readonly string[] {
  const operations = groups.flatMap((group) => group.operations);
  const lines = permissions
    .filter((permission) => !held.includes(permission))
    .flatMap((permission) => {
      const names = operations.flatMap((operation) =>
        requiredPermissions(operation).includes(permission) ? [operation.name] : [],
      );
      return names.length === 0 ? [] : [`Not available without ${permission}: ${names.join(', ')}.`];
    });
  return lines.length === 0 ? ['The key has every permission that Rackhand uses.'] : lines;
}

export function formatKeyDeletion(existed: boolean): Outcome {
  const title = existed ? 'The API key was deleted' : 'There was no API key';
  return { title, notes: ['Connect a key to use Rackhand again.'], next: [connectKeyStep] };
}
