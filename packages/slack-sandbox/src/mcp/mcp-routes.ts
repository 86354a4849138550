import { Hono } from 'hono';
import { z } from 'zod';
import { InvalidActionError } from '../acts/invalid-action-error.ts';
import { personFields, readBody, readQuery, resolveActor } from '../control/requests.ts';
import type { Core } from '../core.ts';
import type { McpServer } from './mcp-servers.ts';
import { inMcpSession } from './mcp-session.ts';

const serverFields = { ...personFields, server: z.string().optional() };
const callBody = z.object({
  ...serverFields,
  tool: z.string().min(1),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

/** Serves what Slackbot does with the app's MCP servers: listing their tools and calling them for a person. */
export function mcpRoutes(core: Core): Hono {
  const hasServers = ({ manifest }: Core) => Object.keys(manifest.mcpServers).length > 0;
  return new Hono()
    .get('/tools', async (c) => {
      const query = readQuery(c, z.object(serverFields));
      const { app, workspace, person } = resolveActor(core, query, hasServers);
      const server = resolveServer(app, query.server);
      return c.json(await inMcpSession(app, workspace, person, server, ({ call }) => call('tools/list')));
    })
    .post('/call-tool', async (c) => {
      const body = await readBody(c, callBody);
      const { app, workspace, person } = resolveActor(core, body, hasServers);
      const params = { name: body.tool, arguments: body.arguments };
      const server = resolveServer(app, body.server);
      return c.json(
        await inMcpSession(app, workspace, person, server, ({ call }) => call('tools/call', params)),
      );
    });
}

function resolveServer({ manifest }: Core, key: string | undefined): McpServer {
  const servers = new Map(Object.entries(manifest.mcpServers));
  const server = key === undefined ? [...servers.values()][0] : servers.get(key);
  if (!server) {
    throw new InvalidActionError(
      key === undefined ? 'The manifest declares no mcp_servers' : `There is no MCP server ${key}`,
      404,
    );
  }
  if (server.auth_type === 'no_auth' || server.auth_type === 'slack_identity_auth') return server;
  throw new InvalidActionError(`The sandbox calls no MCP server with the auth_type ${server.auth_type}`);
}
