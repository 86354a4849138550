import { z } from 'zod';
import { contract } from '../hosting/endpoints/contract.ts';
import type { Endpoint } from '../hosting/endpoints/endpoint.ts';

/**
 * The settings for endpoints whose path the API document doesn't specify. A configured path must contain
 * the same placeholders as the endpoint's default path.
 */
export const pathOverridesSchema = z.object(
  Object.fromEntries(
    Object.values<Endpoint>(contract).flatMap(({ pathSetting, path }) =>
      pathSetting === undefined ? [] : [[pathSetting, pathOverride(path)]],
    ),
  ),
);

function pathOverride(original: string) {
  const expected = findPlaceholders(original);
  const requirement = expected.length > 0 ? ` and contain ${expected.join(', ')}` : ' and contain no braces';
  const hasSamePlaceholders = (path: string) =>
    path.startsWith('/v1/') && findPlaceholders(path).join() === expected.join();
  return z
    .string()
    .refine(hasSamePlaceholders, { error: `must start with /v1/${requirement}` })
    .refine((path) => !/(^|\/)\.{1,2}(\/|$)|\/\/|[?#\\%\s]/.test(path), {
      error: 'must be a plain path, without . or .. as a segment',
    })
    .optional();
}

function findPlaceholders(path: string): readonly string[] {
  return path.match(/\{\w+\}/g) ?? [];
}
