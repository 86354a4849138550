import { z } from 'zod';

/** Permissions that a key can hold, from the API document's part "Authentication". */
export const permissions = [
  'vps.read',
  'vps.manage',
  'vps.monitoring',
  'ip.read',
  'ip.manage',
  'webgate.read',
  'webgate.manage',
  'proxy_ssh.read',
  'proxy_ssh.manage',
] as const;

export type Permission = (typeof permissions)[number];

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * Says what a call does to the fleet, mildest first: `read` changes nothing; `change` adds something;
 * `disturb` interrupts a service, or does what the API document leaves open; `destroy` loses something.
 */
export type Effect = 'read' | 'change' | 'disturb' | 'destroy';

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** Schemas of the placeholders of a path, by name: exactly those that the path writes in braces. */
type ParamShape<Path extends string> = { readonly [Name in ParamNames<Path>]: z.ZodType<string | number> };

type Shape = z.ZodRawShape;

/**
 * One route of the hosting service's REST API v1, with the API document's own names. Everything else that knows
 * a route derives from it: the typed call, the retry rule, the sandbox's route, the OpenAPI document, the
 * permission that an operation needs.
 */
export interface Endpoint<
  Path extends string = string,
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Data extends z.ZodType = z.ZodType,
  M extends Method = Method,
> {
  /** One line: what the route does or answers. */
  readonly summary: string;
  readonly method: M;
  /** Begins with `/v1`; placeholders in braces. Where `openPath` is set this is the default, not the document's word. */
  readonly path: Path;
  /** Set where the API document leaves the path open: the setting that replaces it. */
  readonly openPath?: string;
  /** `null` where the API document names none. */
  readonly permission: Permission | null;
  readonly effect: Effect;
  readonly params: z.ZodObject<Params>;
  readonly query: z.ZodObject<Query>;
  /** `null` where the API document says "none". */
  readonly body: z.ZodObject<Body> | null;
  /** What the API document promises of `data`: strict on that, open to anything beside it. */
  readonly data: Data;
}

interface Declaration<
  Path extends string,
  Params extends Shape,
  Query extends Shape,
  Body extends Shape,
  Data extends z.ZodType,
  M extends Method,
> extends Pick<
    Endpoint<Path, Params, Query, Body, Data, M>,
    'summary' | 'method' | 'path' | 'openPath' | 'permission'
  > {
  readonly effect?: Effect;
  readonly params: Params;
  readonly query?: Query;
  readonly body?: Body;
  readonly data?: Data;
}

/** An endpoint that changes nothing. */
export type GetEndpoint = Endpoint & { readonly method: 'GET' };

type NoFields = Record<never, never>;

/**
 * Payload whose fields the API document does not show: an object or a list, kept as it came. A result without
 * `data` reads as an empty object.
 */
export const openData = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .nullish()
  .transform((data) => data ?? {});

/** Declares a route. `effect` may be left out of a GET, which is a `read`. */
export function defineEndpoint<
  const Path extends string,
  Params extends ParamShape<Path>,
  Query extends Shape = NoFields,
  Body extends Shape = NoFields,
  Data extends z.ZodType = typeof openData,
  const M extends Method = Method,
>(
  declaration: Declaration<Path, Params, Query, Body, Data, M>,
): Endpoint<Path, Params, Query, Body, Data, M> {
  const { effect = 'read', params, query, body, data, ...rest } = declaration;
  return {
    ...rest,
    effect,
    params: z.object(params),
    query: z.object(query ?? ({} as Query)),
    body: body ? z.object(body) : null,
    data: data ?? (openData as unknown as Data),
  };
}
