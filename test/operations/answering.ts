import type { CallData } from '../../src/hosting/client.ts';
import type { Endpoint, GetEndpoint } from '../../src/hosting/endpoint.ts';
import { HostingError } from '../../src/hosting/hosting-error.ts';
import { allOperations } from '../../src/operations/all.ts';
import { parseInput } from '../../src/operations/input.ts';
import type { ChangeOperation, OperationContext, Read } from '../../src/operations/operation.ts';
import type { Outcome, RawInput } from '../../src/operations/outcome.ts';

const catalogue = allOperations();

/** What a service answers to the GETs of a test: a payload by endpoint, or an error. */
export type Answers = ReadonlyMap<Endpoint, unknown>;

/** Makes what an operation reads by. A payload passes the endpoint's own schema, as every answer does. */
export function readFrom(answers: Answers): Read {
  return async <E extends GetEndpoint>(endpoint: E): Promise<CallData<E>> => {
    const answer = answers.get(endpoint);
    if (answer instanceof Error) throw answer;
    return endpoint.data.parse(answer) as CallData<E>;
  };
}

/** Runs an operation that only reads on what a service answers. */
export async function answerOf(
  name: string,
  raw: RawInput,
  answers: Answers,
  more: Partial<OperationContext> = {},
): Promise<Outcome> {
  const operation = catalogue.find(name);
  const parsed = operation && parseInput(operation, raw);
  if (operation?.kind !== 'read' || !parsed?.ok)
    throw new Error(`${name} does not read ${JSON.stringify(raw)}`);
  return operation.run({ ...contextOf(readFrom(answers)), ...more }, parsed.input);
}

/** Finds an operation that changes something. */
export function changeCalled(name: string): ChangeOperation {
  const operation = catalogue.find(name);
  if (operation?.kind !== 'change') throw new Error(`${name} changes nothing`);
  return operation;
}

/** Makes the context of an operation that reads by `read`. */
export function contextOf(read: Read): OperationContext {
  return {
    read,
    catalogue,
    progress() {},
    usage: () => Promise.reject(new Error('no quota here')),
    timeZone: async () => 'UTC',
    reach: async () => () => undefined,
    asker: { teamId: 'T0ACME', userId: 'U0ALICE' },
    origin: { channel: 'C0OPS' },
  };
}

/** What the service says where there is no such route. */
export function notFound(): HostingError {
  return new HostingError('not_found', 'There is no such thing.', { fate: 'answered', status: 404 });
}

/** What the service says where the key may not read it. */
export function notPermitted(): HostingError {
  return new HostingError('permission_missing', 'The key may not.', {
    fate: 'answered',
    status: 403,
    permission: 'ip.read',
  });
}

/** Everything that is told of an outcome: all but its secrets. */
export function toldOf({ secrets: _, ...told }: Outcome): string {
  return JSON.stringify(told);
}
