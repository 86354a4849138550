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
  const path = pathOf(endpoint, openPaths).replace(/\{(\w+)\}/g, (_, name) =>
    encodeParam(String(params[name])),
  );
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

function encodeParam(value: string): string {
  // A URL resolves `.` and `..` away, also when they are encoded, and the call would go to another route.
  if (value === '.' || value === '..') {
    throw new RackhandError('input_invalid', `The name "${value}" cannot be sent to the hosting service.`);
  }
  return encodeURIComponent(value);
}
