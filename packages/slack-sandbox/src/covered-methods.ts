import { webApiMethods } from './web-api/web-api-methods.ts';

/** A Web API method that the sandbox implements. */
export interface CoveredMethod {
  readonly name: string;
  /** One of these scopes is enough. If there are none, the method needs no scope. */
  readonly scopes: readonly string[];
}

/** All Web API methods that the sandbox implements, by name. */
export const coveredMethods: ReadonlyMap<string, CoveredMethod> = new Map(
  [...webApiMethods.values()].map((method) => [
    method.name,
    { name: method.name, scopes: method.token === 'bot' ? method.scopes : [] },
  ]),
);
