import type { Hono } from 'hono';
import { z } from 'zod';
import { type Contract, contract, type EndpointName, pathOf } from '../../hosting/contract.ts';
import type { Endpoint } from '../../hosting/endpoint.ts';
import { parseJson } from './body.ts';
import type { Call, Handler } from './handler.ts';
import { handlers } from './handlers.ts';
import type { ApiKey } from './keyring.ts';
import { complaintsOf, Refusal, unprocessable } from './refusal.ts';
import type { Service, ServiceEnv } from './service.ts';

interface RawCall {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

const noBody = z.object({});

function requirePermission({ permission }: Endpoint, key: ApiKey): void {
  if (permission === null || key.permissions.includes(permission)) return;
  throw new Refusal(403, 'permission_missing', `This key lacks the permission ${permission}.`);
}

/** Parses every part of a call, and refuses it with all complaints at once. */
function parseCall<Route extends Endpoint>(
  route: Route,
  raw: RawCall,
): Pick<Call<Route>, 'params' | 'query' | 'body'> {
  const bodySchema: Route['body'] = route.body;
  const params = z.safeParse<Route['params']>(route.params, raw.params);
  const query = z.safeParse<Route['query']>(route.query, raw.query);
  const body = z.safeParse<Route['body'] & z.ZodType>(bodySchema ?? noBody, raw.body);
  if (params.success && query.success && body.success) {
    return { params: params.data, query: query.data, body: body.data };
  }
  throw unprocessable([
    ...complaintsOf('params', params),
    ...complaintsOf('query', query),
    ...complaintsOf('body', body),
  ]);
}

function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function mountRoute<Name extends EndpointName>(app: Hono<ServiceEnv>, service: Service, name: Name): void {
  const route: Contract[Name] = contract[name];
  const handler: Handler<Contract[Name]> = handlers[name];
  app.on(route.method, routerPath(pathOf(route, service.options.openPaths)), (context) => {
    const key = context.get('key');
    requirePermission(route, key);
    const call = parseCall<Contract[Name]>(route, {
      params: context.req.param(),
      query: context.req.query(),
      body: parseJson(context.get('bodyText')),
    });
    const nowMs = service.options.now();
    return context.json({ success: true, data: handler({ ...call, account: service.account, key, nowMs }) });
  });
}

/** Answers every other method of a known path with 405 and the methods that it has. */
function refuseOtherMethods(app: Hono<ServiceEnv>, path: string, methods: readonly string[]): void {
  const allow = methods.join(', ');
  app.all(routerPath(path), (context) => {
    const message = `${context.req.method} is not allowed here, only ${allow}.`;
    throw new Refusal(405, 'method_not_allowed', message, { headers: { allow } });
  });
}

function isEndpointName(name: string): name is EndpointName {
  return Object.hasOwn(contract, name);
}

/** Serves every route of the contract. Throws when the open paths put two routes in one place. */
export function mountRoutes(app: Hono<ServiceEnv>, service: Service): void {
  const methodsByPath = new Map<string, string[]>();
  for (const name of Object.keys(contract).filter(isEndpointName)) {
    const route = contract[name];
    const path = pathOf(route, service.options.openPaths);
    const methods = methodsByPath.get(path) ?? [];
    if (methods.includes(route.method)) throw new Error(`Two routes share ${route.method} ${path}.`);
    methodsByPath.set(path, [...methods, route.method]);
    mountRoute(app, service, name);
  }
  for (const [path, methods] of methodsByPath) refuseOtherMethods(app, path, methods);
}
