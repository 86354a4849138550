import type { CallData } from '../../src/hosting/client/hosting-client.ts';
import type { Endpoint, GetEndpoint } from '../../src/hosting/endpoints/endpoint.ts';
import { parseInput } from '../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../src/operations/define/arguments/raw-input.ts';
import type { ChangeOperation, OperationContext } from '../../src/operations/define/operation.ts';
import type { Outcome } from '../../src/operations/define/outcome.ts';
import type { Read } from '../../src/operations/define/read.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';

const catalogue = hostingOperations();

/** A service's responses to the GETs of a test. Each endpoint has a payload or an error. */
export type StubResponses = ReadonlyMap<Endpoint, unknown>;

/**
 * Creates the function with which an operation reads. Payloads are parsed by the endpoint's own
 * schema, like real ones.
 */
export function createStubRead(answers: StubResponses): Read {
  return async <E extends GetEndpoint>(endpoint: E): Promise<CallData<E>> => {
    const answer = answers.get(endpoint);
    if (answer instanceof Error) throw answer;
    return endpoint.data.parse(answer) as CallData<E>;
  };
}

/** Runs an operation that only reads, with the given responses of the service. */
export async function runRead(
  name: string,
  raw: RawInput,
  answers: StubResponses,
  more: Partial<OperationContext> = {},
): Promise<Outcome> {
  const operation = catalogue.find(name);
  const parsed = operation && parseInput(operation, raw);
  if (operation?.kind !== 'read' || parsed?.kind !== 'valid')
    throw new Error(`${name} does not read ${JSON.stringify(raw)}`);
  return operation.run({ ...createContext(createStubRead(answers)), ...more }, parsed.input);
}

/** Finds an operation that changes something at the service. */
export function findChange(name: string): ChangeOperation {
  const operation = catalogue.find(name);
  if (operation?.kind !== 'change') throw new Error(`${name} changes nothing`);
  return operation;
}

/** Creates the context of an operation that reads with `read`. */
export function createContext(read: Read): OperationContext {
  return {
    read,
    catalogue,
    reportProgress() {},
    quotaUsage: () => Promise.reject(new Error('no quota here')),
    timeZone: async () => 'UTC',
    loadAccess: async () => () => undefined,
    workspace: { teamId: 'T0ACME', listVpsAliases: async () => new Map() },
    actor: { teamId: 'T0ACME', userId: 'U0ALICE' },
    origin: { channel: 'C0OPS' },
  };
}

/** Returns an outcome without its secrets. */
export function serializePublicPart({ secrets: _, ...told }: Outcome): string {
  return JSON.stringify(told);
}
