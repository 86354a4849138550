import type { z } from 'zod';
import type { Contract, EndpointName } from '../../../hosting/endpoints/contract.ts';
import type { Endpoint } from '../../../hosting/endpoints/endpoint.ts';
import type { ApiKey } from '../keyring.ts';
import type { Account } from '../state/account.ts';

/** A call that has passed every check of its endpoint: it is parsed, typed and authorized. */
export interface EndpointCall<Route extends Endpoint> {
  readonly account: Account;
  readonly key: ApiKey;
  readonly nowMs: number;
  /** Returns the requested page of a list, or the whole list if the service has no pages. */
  readonly page: <Row>(rows: readonly Row[]) => readonly Row[];
  readonly params: z.output<Route['params']>;
  readonly query: z.output<Route['query']>;
  readonly body: z.output<Route['body'] & z.ZodType>;
}

/** Handles a route. Returns the payload that the envelope contains, or throws an `ApiError`. */
export type Handler<Route extends Endpoint> = (call: EndpointCall<Route>) => z.input<Route['data']>;

/** One handler for each endpoint in one part of the API document. */
export type PartHandlers<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends Endpoint ? Handler<Part[Name]> : never;
};

/** One handler for each route in the contract. A missing handler is a type error. */
export type Handlers = { readonly [Name in EndpointName]: Handler<Contract[Name]> };
