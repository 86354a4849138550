import { z } from 'zod';

/** Permissions that a key can have, from the "Authentication" section of the API document. */
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
 * The worst effect that a call can have on the fleet, mildest first.
 * - `read` changes nothing.
 * - `change` adds something.
 * - `disrupt` interrupts a service or has an undocumented effect.
 * - `destroy` causes a loss, such as of data or access.
 */
export type Effect = 'read' | 'change' | 'disrupt' | 'destroy';

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never;

/** One schema per placeholder in the path. */
type ParamSchemas<Path extends string> = { readonly [Name in ParamNames<Path>]: z.ZodType<string | number> };

type FieldSchemas = z.ZodRawShape;

/**
 * One route of the hosting service's REST API v1, with the API document's own names. Typed calls, the
 * retry rule, the sandbox's routes, the OpenAPI document and the permissions of operations are derived
 * from it.
 */
export interface Endpoint<
  Path extends string = string,
  Params extends FieldSchemas = FieldSchemas,
  Query extends FieldSchemas = FieldSchemas,
  Body extends FieldSchemas = FieldSchemas,
  Data extends z.ZodType = z.ZodType,
  M extends Method = Method,
> {
  /** One line about the action or result of the route. */
  readonly summary: string;
  readonly method: M;
  /**
   * Begins with `/v1`, with placeholders in braces. With `pathSetting`, this is Rackhand's default, because the
   * API document has no path.
   */
  readonly path: Path;
  /** The setting that replaces the path. Only for paths that the API document doesn't specify. */
  readonly pathSetting?: string;
  /** `null` if the API document names no permission. */
  readonly permission: Permission | null;
  readonly effect: Effect;
  /** Whether anything in the response can be a secret, such as a new password. */
  readonly hasCredentials: boolean;
  readonly params: z.ZodObject<Params>;
  readonly query: z.ZodObject<Query>;
  /** `null` if the API document says "none". */
  readonly body: z.ZodObject<Body> | null;
  /** Checks the documented part of `data` and accepts anything else in it. */
  readonly data: Data;
}

interface EndpointDeclaration<
  Path extends string,
  Params extends FieldSchemas,
  Query extends FieldSchemas,
  Body extends FieldSchemas,
  Data extends z.ZodType,
  M extends Method,
> extends Pick<
    Endpoint<Path, Params, Query, Body, Data, M>,
    'summary' | 'method' | 'path' | 'pathSetting' | 'permission'
  > {
  readonly effect?: Effect;
  readonly params: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Set if the service can require more fields in the body. */
  readonly takesOtherFields?: true;
  readonly hasCredentials?: true;
  readonly data?: Data;
}

export type GetEndpoint = Endpoint & { readonly method: 'GET' };

type NoFields = Record<never, never>;

/**
 * An object or list whose fields aren't documented, left unchanged. A result without `data` becomes an empty
 * object.
 */
export const undocumentedData = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .nullish()
  .transform((data) => data ?? {});

/** The result of a change. It can also be a single string, number or flag, such as a task ID. */
const undocumentedResult = z.preprocess((data) => {
  if (data === true) return {};
  const isLone = (typeof data === 'string' && data !== '') || typeof data === 'number';
  return isLone ? { result: data } : data === '' ? null : data;
}, undocumentedData);

/** Declares a route. `effect` defaults to `read`. */
export function defineEndpoint<
  const Path extends string,
  Params extends ParamSchemas<Path>,
  Query extends FieldSchemas = NoFields,
  Body extends FieldSchemas = NoFields,
  Data extends z.ZodType = typeof undocumentedData,
  const M extends Method = Method,
>(
  declaration: EndpointDeclaration<Path, Params, Query, Body, Data, M>,
): Endpoint<Path, Params, Query, Body, Data, M> {
  const {
    effect = 'read',
    params,
    query,
    body,
    takesOtherFields,
    hasCredentials,
    data,
    ...rest
  } = declaration;
  return {
    ...rest,
    effect,
    hasCredentials: hasCredentials === true,
    params: z.object(params),
    query: z.object(query ?? ({} as Query)),
    body: body
      ? takesOtherFields
        ? (z.looseObject(body) as unknown as z.ZodObject<Body>)
        : z.object(body)
      : null,
    data: data ?? ((rest.method === 'GET' ? undocumentedData : undocumentedResult) as unknown as Data),
  };
}
