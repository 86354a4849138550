import { expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from '../../../src/hosting/endpoints/contract.ts';
import { startHostingSandbox } from './hosting-sandbox-fixture.ts';

const schema = z.record(z.string(), z.unknown());
const content = z.object({ 'application/json': z.object({ schema }) });
const operation = z.object({
  operationId: z.string(),
  'x-permission': z.string().optional(),
  parameters: z.array(
    z.object({ name: z.string(), in: z.enum(['path', 'query']), required: z.boolean(), schema }),
  ),
  requestBody: z.object({ content }).optional(),
  responses: z.object({ 200: z.object({ content }), default: z.object({ $ref: z.string() }) }),
});
const description = z.looseObject({
  openapi: z.string(),
  security: z.array(schema),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ securitySchemes: z.record(z.string(), schema) }),
});

async function describeSandbox() {
  const sandbox = await startHostingSandbox({
    pathOverrides: { HOSTING_IP_IPV6_LIST_PATH: '/v1/elsewhere' },
  });
  const { status, body } = await sandbox.call('GET', '/openapi.json', { key: null });
  expect(status).toBe(200);
  return description.parse(body);
}

function valuesOf(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null
    ? [value, ...Object.values(value).flatMap(valuesOf)]
    : [];
}

test('the description has every route of the contract, at its configured path, with its permission', async () => {
  const { paths } = await describeSandbox();
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => ({
      name: found.operationId,
      route: `${method.toUpperCase()} ${path}`,
      permission: found['x-permission'] ?? null,
    })),
  );
  const declared = Object.entries(contract).map(([name, { method, path, permission }]) => ({
    name,
    route: `${method} ${name === 'listIpv6Addresses' ? '/v1/elsewhere' : path}`,
    permission,
  }));
  expect(new Set(described)).toEqual(new Set(declared));
});

test('the description has exactly the parameters in the braces of each path, all required', async () => {
  const { paths } = await describeSandbox();
  for (const [path, methods] of Object.entries(paths)) {
    const inBraces = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    for (const { parameters } of Object.values(methods)) {
      const inPath = parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath.map(({ name }) => name)).toEqual(inBraces);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  }
  const rrd = paths['/v1/vps/{vps_name}/monitoring/rrd']?.get;
  expect(rrd?.parameters).toContainEqual({
    name: 'range',
    in: 'query',
    required: false,
    schema: { type: 'string', enum: ['hour', 'day', 'week', 'month'] },
  });
});

test('every schema of the description can be parsed, and every reference resolves', async () => {
  const document = await describeSandbox();
  const schemas = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters, requestBody, responses }) => [
      ...parameters.map((parameter) => parameter.schema),
      ...(requestBody ? [requestBody.content['application/json'].schema] : []),
      responses[200].content['application/json'].schema,
    ]);
  for (const described of schemas) expect(() => z.fromJSONSchema(described)).not.toThrow();

  const pointers = valuesOf(document).flatMap((value) =>
    typeof value === 'object' && value && '$ref' in value ? [String(value.$ref)] : [],
  );
  expect(pointers.length).toBeGreaterThan(0);
  for (const pointer of pointers) {
    const [root, ...names] = pointer.split('/');
    expect(root).toBe('#');
    let target: unknown = document;
    for (const name of names) target = schema.parse(target)[name];
    expect(target).toBeDefined();
  }
});
