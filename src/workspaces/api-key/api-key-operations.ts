import { RackhandError } from '../../errors.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import { buttonSwitch } from '../../operations/define/arguments/argument.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import { connectKeyStep, replaceKeyStep } from '../../operations/define/key-steps.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import type { Fact, NextStep, Outcome } from '../../operations/define/outcome.ts';
import { type ApiKeyManager, auditTarget } from './api-key-manager.ts';
import type { StoredKey } from './api-key-store.ts';
import { formatApiKey, formatKeyDeletion } from './format-api-key.ts';

const disconnectStep = { label: 'Disconnect…', operation: 'disconnect', input: {} };

/**
 * Declares `connect`, `rotate` and `disconnect`. The first two only show the key's details and a button
 * that opens a modal, because a key must never be part of a run's input.
 */
export function createApiKeyOperations(
  apiKeys: Pick<ApiKeyManager, 'describe' | 'disconnect'>,
): readonly Operation[] {
  async function showApiKey(context: OperationContext, ifConnected: readonly NextStep[]): Promise<Outcome> {
    const { actor, read, catalogue } = context;
    const key = await apiKeys.describe(actor.teamId);
    if (!key)
      return { title: "This workspace isn't connected to the hosting service", next: [connectKeyStep] };
    try {
      const outcome = formatApiKey({ status: await read(getStatus, {}), limit: key.limit }, catalogue);
      return { ...outcome, facts: [...(outcome.facts ?? []), ...toKeyFacts(key)], next: ifConnected };
    } catch (error) {
      if (!(error instanceof RackhandError)) throw error;
      const title = "This workspace's API key doesn't work right now";
      return { title, facts: toKeyFacts(key), notes: [error.message], next: ifConnected };
    }
  }

  return [
    defineLocal({
      name: 'connect',
      heading: 'Connect',
      summary: 'Connect this workspace to the hosting service with an API key',
      arguments: {},
      button: 'Connect',
      right: 'admin',
      run: (context) => showApiKey(context, [replaceKeyStep, disconnectStep]),
    }),
    defineLocal({
      name: 'rotate',
      heading: 'Replace the API key',
      summary: 'Replace the API key; queued calls use the new one',
      arguments: {},
      button: 'Replace Key',
      right: 'admin',
      run: (context) => showApiKey(context, [replaceKeyStep]),
    }),
    defineLocal({
      name: 'disconnect',
      heading: 'Disconnect',
      summary: "Delete this workspace's API key",
      arguments: { confirmed: buttonSwitch('Confirmed') },
      button: 'Disconnect',
      right: 'admin',
      target: () => auditTarget,
      async run({ actor: { teamId } }, { confirmed }) {
        const key = confirmed ? undefined : await apiKeys.describe(teamId);
        if (!key) return formatKeyDeletion(confirmed && (await apiKeys.disconnect(teamId)));
        return {
          title: "Delete this workspace's API key?",
          isQuestion: true,
          facts: toKeyFacts(key),
          notes: [
            'Nothing works until a key is connected again. Queued calls are not sent.',
            "The key itself stays valid. To invalidate it, revoke it in the hosting service's dashboard.",
            ...(key.connectedBy === null ? [settingsNote] : []),
          ],
          next: [{ label: 'Delete Key', operation: 'disconnect', input: { confirmed: true } }],
        };
      },
    }),
  ];
}

const settingsNote =
  'The key was set by HOSTING_API_KEY. Remove that setting too, or the next start connects the key again.';

function toKeyFacts({ connectedBy, connectedMs }: StoredKey): readonly Fact[] {
  return [
    { label: 'Key connected', value: { kind: 'time', timeMs: connectedMs } },
    { label: 'By', value: connectedBy === null ? 'the settings' : { kind: 'person', person: connectedBy } },
  ];
}
