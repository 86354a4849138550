import type { z } from 'zod';
import type { Contract, EndpointName } from '../../hosting/contract.ts';
import type { Endpoint } from '../../hosting/endpoint.ts';
import type { ApiKey } from './keyring.ts';
import type { Account } from './state/account.ts';

/** A call that passed every check which its endpoint's declaration allows for: parsed, typed and permitted. */
export interface Call<Route extends Endpoint> {
  readonly account: Account;
  readonly key: ApiKey;
  readonly nowMs: number;
  readonly params: z.output<Route['params']>;
  readonly query: z.output<Route['query']>;
  readonly body: z.output<Route['body'] & z.ZodType>;
}

/** Answers a route with the payload of its envelope, or throws a `Refusal`. */
export type Handler<Route extends Endpoint> = (call: Call<Route>) => z.input<Route['data']>;

/** The handlers of one part of the API document: exactly one for each endpoint that the part's file declares. */
export type HandlersOf<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends Endpoint ? Handler<Part[Name]> : never;
};

/** One handler for each route of the contract: a missing one does not compile. */
export type Handlers = { readonly [Name in EndpointName]: Handler<Contract[Name]> };
