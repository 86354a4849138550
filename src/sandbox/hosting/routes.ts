import type { Hono } from 'hono';
import { z } from 'zod';
import { type Contract, contract, type EndpointName, resolvePath } from '../../hosting/endpoints/contract.ts';
import type { Endpoint } from '../../hosting/endpoints/endpoint.ts';
import { ApiError, toFieldErrors, unprocessable } from './api-error.ts';
import { handlers } from './handlers/all-handlers.ts';
import type { EndpointCall, Handler } from './handlers/handler.ts';
import type { ApiKey } from './keyring.ts';
import { createPager } from './paging.ts';
import { parseJson } from './request-body.ts';
import type { Service, ServiceEnv } from './service.ts';

interface RawCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

const noBody = z.object({});

function assertPermission({ permission }: Endpoint, key: ApiKey): void {
  if (permission === null || key.permissions.includes(permission)) return;
  throw new ApiError(403, 'permission_missing', `This key lacks the permission ${permission}.`);
}

/** Parses all parts of a call. Rejects it with all errors at once. */
function parseCall<Route extends Endpoint>(
  route: Route,
  raw: RawCall,
): Pick<EndpointCall<Route>, 'params' | 'query' | 'body'> {
  const bodySchema: Route['body'] = route.body;
  const params = z.safeParse<Route['params']>(route.params, raw.params);
  const query = z.safeParse<Route['query']>(route.query, raw.query);
  const body = z.safeParse<Route['body'] & z.ZodType>(bodySchema ?? noBody, raw.body);
  if (params.success && query.success && body.success) {
    return { params: params.data, query: query.data, body: body.data };
  }
  throw unprocessable([
    ...toFieldErrors('params', params),
    ...toFieldErrors('query', query),
    ...toFieldErrors('body', body),
  ]);
}

function toRouterPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function mountRoute<Name extends EndpointName>(app: Hono<ServiceEnv>, service: Service, name: Name): void {
  const route: Contract[Name] = contract[name];
  const handler: Handler<Contract[Name]> = handlers[name];
  app.on(route.method, toRouterPath(resolvePath(route, service.options.pathOverrides)), (context) => {
    const key = context.get('key');
    assertPermission(route, key);
    const call = parseCall<Contract[Name]>(route, {
      params: context.req.param(),
      query: context.req.query(),
      body: parseJson(context.get('bodyText')),
    });
    const nowMs = service.options.now();
    const { page, describe } = createPager(service.paging, context.req.path, context.req.query());
    const data = handler({ ...call, account: service.account, key, nowMs, page });
    const { beside, headers } = describe();
    return context.json({ success: true, data, ...beside }, 200, headers);
  });
}

/** Answers with 405 if the path is known but the method isn't. Names the allowed methods. */
function mountMethodNotAllowed(app: Hono<ServiceEnv>, path: string, methods: readonly string[]): void {
  const allow = methods.join(', ');
  app.all(toRouterPath(path), (context) => {
    const message = `${context.req.method} is not allowed here, only ${allow}.`;
    throw new ApiError(405, 'method_not_allowed', message, { headers: { allow } });
  });
}

function isEndpointName(name: string): name is EndpointName {
  return Object.hasOwn(contract, name);
}

/** Adds every route in the contract. Throws if path overrides give two routes the same path. */
export function mountRoutes(app: Hono<ServiceEnv>, service: Service): void {
  const methodsByPath = new Map<string, string[]>();
  for (const name of Object.keys(contract).filter(isEndpointName)) {
    const route = contract[name];
    const path = resolvePath(route, service.options.pathOverrides);
    const methods = methodsByPath.get(path) ?? [];
    if (methods.includes(route.method)) throw new Error(`Two routes share ${route.method} ${path}.`);
    methodsByPath.set(path, [...methods, route.method]);
    mountRoute(app, service, name);
  }
  for (const [path, methods] of methodsByPath) mountMethodNotAllowed(app, path, methods);
}
