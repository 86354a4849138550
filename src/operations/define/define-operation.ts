import type { Endpoint } from '../../hosting/endpoints/endpoint.ts';
import type { Arguments } from './arguments/argument.ts';
import type { ChangeOperation, LocalOperation, Operation, ReadOperation } from './operation.ts';

/** Declares an operation that only reads from the hosting service. */
export function defineRead<A extends Arguments>(declaration: Omit<ReadOperation<A>, 'kind'>): Operation {
  return { ...declaration, kind: 'read' } as ReadOperation<A> as unknown as ReadOperation;
}

/** Declares an operation on Rackhand's own data. */
export function defineLocal<A extends Arguments>(declaration: Omit<LocalOperation<A>, 'kind'>): Operation {
  return { ...declaration, kind: 'local' } as LocalOperation<A> as unknown as LocalOperation;
}

/** Declares an operation that changes something with exactly one call. */
export function defineChange<A extends Arguments, E extends Endpoint>(
  declaration: Omit<ChangeOperation<A, E>, 'kind'>,
): Operation {
  return { ...declaration, kind: 'change' } as ChangeOperation<A, E> as unknown as ChangeOperation;
}
