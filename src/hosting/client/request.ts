import manifest from '../../../package.json' with { type: 'json' };
import { RackhandError } from '../../errors.ts';
import { formatList } from '../../format-list.ts';
import { type PathOverrides, resolvePath } from '../endpoints/contract.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { HttpRequest } from './transport.ts';

export type KeyHeader = 'authorization' | 'x-api-key';

export interface RequestSettings {
  /** Base URL without the trailing `/v1`. */
  readonly baseUrl: string;
  readonly keyHeader: KeyHeader;
  readonly pathOverrides: PathOverrides;
}

/** The parts of a call, not yet validated by the endpoint's schemas. */
export interface RawCallInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Builds a call's request. Encodes path parameters and puts the key in the configured header. */
export function buildRequest(
  endpoint: Endpoint,
  parts: RawCallInput,
  { baseUrl, keyHeader, pathOverrides }: RequestSettings,
  apiKey: string,
): HttpRequest {
  const params: Record<string, unknown> = endpoint.params.parse(parts.params ?? {});
  const query: Record<string, unknown> = endpoint.query.parse(parts.query ?? {});
  const path = fillPathParams(resolvePath(endpoint, pathOverrides), params, endpoint.pathSetting);
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
      'accept-encoding': 'identity',
      'user-agent': `Rackhand/${manifest.version}`,
      ...(keyHeader === 'x-api-key' ? { 'x-api-key': apiKey } : { authorization: `Bearer ${apiKey}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
  };
}

/** Fills the placeholders of a path. Throws `setting_invalid` if a path from the settings lacks a placeholder. */
function fillPathParams(
  path: string,
  params: Readonly<Record<string, unknown>>,
  pathSetting = 'The path',
): string {
  const placeholders = path.match(/\{[^}]*\}/g) ?? [];
  const expected = Object.keys(params).map((name) => `{${name}}`);
  if (placeholders.toSorted().join() !== expected.toSorted().join()) {
    const needed = formatList(expected, 'and') || 'no placeholder';
    throw new RackhandError('setting_invalid', `${pathSetting} must contain ${needed}, but is ${path}.`);
  }
  return path.replace(/\{(\w+)\}/g, (_, name) => encodePathParam(String(params[name])));
}

function encodePathParam(value: string): string {
  // URLs drop `.` and `..` even if encoded, so the call would go to another route.
  if (value === '.' || value === '..' || !value.isWellFormed()) {
    throw new RackhandError(
      'input_invalid',
      `The name "${value.toWellFormed()}" can't be sent to the hosting service.`,
    );
  }
  return encodeURIComponent(value);
}
