import { RackhandError } from '../../error.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import { connectStep, rotateStep } from '../../operations/key-steps.ts';
import { defineOwn, type Operation, type OperationContext } from '../../operations/operation.ts';
import type { Fact, NextStep, Outcome } from '../../operations/outcome.ts';
import type { KeptKey } from '../api-key-store.ts';
import type { Connection } from './connection.ts';
import { tellConnection } from './tell-connection.ts';

const disconnectStep = { label: 'Disconnect…', operation: 'disconnect', input: {} };

/**
 * Declares the operations on a workspace's API key. Each has a dialog of its own, in `slack/connect/`: a key must never be the input of a run. What they run
 * is for where no dialog can be opened, as after a mention: they say how things stand, with the button that opens it.
 */
export function createConnectionOperations(connection: Pick<Connection, 'describe'>): readonly Operation[] {
  async function howThingsStand(
    context: OperationContext,
    ifConnected: readonly NextStep[],
  ): Promise<Outcome> {
    const { asker, read, catalogue } = context;
    const key = await connection.describe(asker.teamId);
    if (!key) return { title: 'This workspace is not connected to the hosting service', next: [connectStep] };
    try {
      const told = tellConnection({ status: await read(getStatus, {}), limit: key.limit }, catalogue);
      return { ...told, facts: [...(told.facts ?? []), ...since(key)], next: ifConnected };
    } catch (error) {
      if (!(error instanceof RackhandError)) throw error;
      const title = 'This workspace has an API key, and it does not work just now';
      return { title, facts: since(key), notes: [error.message], next: ifConnected };
    }
  }

  return [
    defineOwn({
      name: 'connect',
      heading: 'Connect',
      summary: 'Connect this workspace to the hosting service by an API key',
      arguments: {},
      button: 'Connect',
      right: 'administer',
      run: (context) => howThingsStand(context, [rotateStep, disconnectStep]),
    }),
    defineOwn({
      name: 'rotate',
      heading: 'Replace the API key',
      summary: 'Replace the API key; what waits goes on with the new one',
      arguments: {},
      button: 'Replace Key',
      right: 'administer',
      run: (context) => howThingsStand(context, [rotateStep]),
    }),
    defineOwn({
      name: 'disconnect',
      heading: 'Disconnect',
      summary: 'Delete the API key of this workspace',
      arguments: {},
      button: 'Disconnect',
      right: 'administer',
      run: (context) => howThingsStand(context, [disconnectStep]),
    }),
  ];
}

function since({ connectedBy, connectedMs }: KeptKey): readonly Fact[] {
  return [
    { label: 'Key connected', value: { timeMs: connectedMs } },
    { label: 'By', value: connectedBy === null ? 'the settings' : { person: connectedBy } },
  ];
}
