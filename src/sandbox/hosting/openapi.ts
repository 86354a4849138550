import { z } from 'zod';
import { contract, type PathOverrides, resolvePath } from '../../hosting/endpoints/contract.ts';
import type { Endpoint } from '../../hosting/endpoints/endpoint.ts';

type Json = Readonly<Record<string, unknown>>;

function describeSchema(schema: z.ZodType): Json {
  const { $schema, ...described } = z.toJSONSchema(schema, { io: 'input' });
  return described;
}

function describeParameters(place: 'path' | 'query', fields: z.ZodObject): Json[] {
  return Object.entries(fields.shape).map(([name, field]) => {
    const schema = z.toJSONSchema(z.object({ [name]: field }), { io: 'input' });
    const required = schema.required?.includes(name) ?? false;
    return { name, in: place, required, schema: schema.properties?.[name] ?? {} };
  });
}

function describeOperation(
  operationId: string,
  { summary, permission, params, query, body, data }: Endpoint,
): Json {
  const envelope = {
    type: 'object',
    properties: { success: { const: true }, data: describeSchema(data) },
    required: ['success', 'data'],
  };
  return {
    operationId,
    summary,
    description: permission ? `Needs the permission \`${permission}\`.` : 'Any key can call it.',
    ...(permission && { 'x-permission': permission }),
    parameters: [...describeParameters('path', params), ...describeParameters('query', query)],
    ...(body && {
      requestBody: {
        required: !body.safeParse({}).success,
        content: { 'application/json': { schema: describeSchema(body) } },
      },
    }),
    responses: {
      200: { description: 'Success', content: { 'application/json': { schema: envelope } } },
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

const errorResponse = {
  description: 'Anything else: 400, 401, 403, 404, 405, 409, 413, 422, 429 or 500',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          success: { const: false },
          error: {
            type: 'object',
            properties: { code: { type: 'string' }, message: { type: 'string' }, details: { type: 'array' } },
            required: ['code', 'message'],
          },
        },
        required: ['success', 'error'],
      },
    },
  },
};

/** Describes all routes in the contract as an OpenAPI 3.1 document. */
export function createOpenApiDocument(pathOverrides: PathOverrides): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, endpoint] of Object.entries(contract)) {
    const path = resolvePath(endpoint, pathOverrides);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(name, endpoint) };
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Hosting service REST API', version: 'v1', description: 'As the sandbox serves it.' },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      },
      responses: { Error: errorResponse },
    },
  };
}
