import type { CallData, CallInput, HostingClient } from '../hosting/client.ts';
import type { Effect, Endpoint, GetEndpoint, Permission } from '../hosting/endpoint.ts';
import type { Arguments, InputOf } from './argument.ts';
import type { Catalogue } from './catalogue.ts';
import type { Fact, Outcome } from './outcome.ts';

/** Reads from the hosting service in the run's lane; `maxAgeMs` accepts an answer that old. */
export type Read = <E extends GetEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options?: { readonly maxAgeMs?: number },
) => Promise<CallData<E>>;

/** What an operation may use while it runs. */
export interface OperationContext {
  readonly read: Read;
  readonly catalogue: Catalogue;
}

/** What a run works with: the client of its workspace's key, and the reads that an operation may make by it. */
export interface Bench {
  readonly hosting: HostingClient;
  readonly context: OperationContext;
}

interface Declared<A extends Arguments> {
  /** What is typed after `/vps`: one or two words. */
  readonly name: string;
  /** Heads its form: sentence case, at most 24 characters, Slack's limit for a title. */
  readonly heading: string;
  /** One line, sentence case, without a full stop. */
  readonly summary: string;
  readonly arguments: A;
}

export interface ReadOperation<A extends Arguments = Arguments> extends Declared<A> {
  readonly kind: 'read';
  /** The endpoints that it needs to be of use. */
  readonly uses: readonly GetEndpoint[];
  run(context: OperationContext, input: InputOf<A>): Promise<Outcome>;
}

/** What a confirmation shows of the target as it is now. */
export interface Present {
  readonly facts: readonly Fact[];
  /** What the confirmation is bound to: if it differs at the click, it is asked again. */
  readonly state: string;
}

/**
 * An operation that changes something, by exactly one call of one endpoint. The call is described, not made: only the runner makes it,
 * at most once.
 */
export interface ChangeOperation<A extends Arguments = Arguments, E extends Endpoint = Endpoint>
  extends Declared<A> {
  readonly kind: 'change';
  readonly change: E;
  /** Title Case label of the button that does it. */
  readonly button: string;
  /** What a confirmation warns of. */
  readonly warning?: string;
  /** Names the act with its target: "Reboot VPS-10001". */
  title(input: InputOf<A>): string;
  /** What is acted upon, as the record names it. */
  target(input: InputOf<A>): string;
  /** Reads what the confirmation shows. Needed where the endpoint disturbs or destroys. */
  present?(context: OperationContext, input: InputOf<A>): Promise<Present>;
  request(input: InputOf<A>): CallInput<E>;
  outcome(data: CallData<E>, input: InputOf<A>): Outcome;
}

export type Operation = ReadOperation | ChangeOperation;

/** Declares an operation that only reads. */
export function defineRead<A extends Arguments>(declaration: Omit<ReadOperation<A>, 'kind'>): Operation {
  return { ...declaration, kind: 'read' } as ReadOperation<A> as unknown as ReadOperation;
}

/** Declares an operation that changes something by one call. */
export function defineChange<A extends Arguments, E extends Endpoint>(
  declaration: Omit<ChangeOperation<A, E>, 'kind'>,
): Operation {
  return { ...declaration, kind: 'change' } as ChangeOperation<A, E> as unknown as ChangeOperation;
}

/** Tells what running an operation does to the fleet. */
export function effectOf(operation: Operation): Effect {
  return operation.kind === 'read' ? 'read' : operation.change.effect;
}

/** Tells whether an operation must be confirmed before it runs. */
export function needsConfirmation(operation: Operation): operation is ChangeOperation {
  return (
    operation.kind === 'change' &&
    (operation.change.effect === 'disturb' || operation.change.effect === 'destroy')
  );
}

/** Lists the permissions that the key needs for an operation. */
export function permissionsOf(operation: Operation): readonly Permission[] {
  const endpoints = operation.kind === 'read' ? operation.uses : [operation.change];
  return [...new Set(endpoints.flatMap(({ permission }) => permission ?? []))];
}
