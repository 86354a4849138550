import { RackhandError } from '../error.ts';
import { type OpenPaths, pathOf } from './contract.ts';
import type { Endpoint } from './endpoint.ts';
import type { WireRequest } from './transport.ts';

export type KeyHeader = 'authorization' | 'x-api-key';

export interface RequestSettings {
  /** Base URL without `/v1`. */
  readonly baseUrl: string;
  readonly keyHeader: KeyHeader;
  readonly openPaths: OpenPaths;
}

/** Parts of a call as they come, before the endpoint's schemas have seen them. */
export interface RequestParts {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Writes the request of a call: path parameters encoded, the key in the header that the settings ask for. */
export function buildRequest(
  endpoint: Endpoint,
  parts: RequestParts,
  { baseUrl, keyHeader, openPaths }: RequestSettings,
  apiKey: string,
): WireRequest {
  const params: Record<string, unknown> = endpoint.params.parse(parts.params ?? {});
  const query: Record<string, unknown> = endpoint.query.parse(parts.query ?? {});
  const path = fillIn(pathOf(endpoint, openPaths), params, endpoint.openPath);
  const url = new URL(baseUrl.replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  const body = endpoint.body && JSON.stringify(endpoint.body.parse(parts.body ?? {}));
  return {
    method: endpoint.method,
    url,
    headers: {
      accept: 'application/json',
      ...(keyHeader === 'x-api-key' ? { 'x-api-key': apiKey } : { authorization: `Bearer ${apiKey}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
  };
}

/** Puts the parameters into a path, which has to have one place for each: a setting may have brought it. */
function fillIn(path: string, params: Readonly<Record<string, unknown>>, openPath = 'The path'): string {
  const places = path.match(/\{[^}]*\}/g) ?? [];
  const wanted = Object.keys(params).map((name) => `{${name}}`);
  if (places.toSorted().join() !== wanted.toSorted().join()) {
    const needed = wanted.join(' and ') || 'no placeholder';
    throw new RackhandError('setting_invalid', `${openPath} must contain ${needed}, but is ${path}.`);
  }
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeParam(String(params[name])));
}

function encodeParam(value: string): string {
  // A URL resolves `.` and `..` away, also when they are encoded, and the call would go to another route.
  if (value === '.' || value === '..' || !value.isWellFormed()) {
    throw new RackhandError(
      'input_invalid',
      `The name "${value.toWellFormed()}" cannot be sent to the hosting service.`,
    );
  }
  return encodeURIComponent(value);
}
