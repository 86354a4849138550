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
