import { createServer } from 'node:http';
import { verifySlackRequest } from '@slack/bolt';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { fullManifest, startSandbox } from '../harness.ts';

const rpc = z.looseObject({
  id: z.number().optional(),
  method: z.string(),
  params: z.looseObject({ name: z.string().optional(), _meta: z.unknown().optional() }).optional(),
});

/** Starts an MCP server that verifies Slack's signature, and answers like Streamable HTTP does. */
async function startMcpServer(): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    verifySlackRequest({
      signingSecret: 'sandbox-signing-secret',
      body,
      headers: {
        'x-slack-signature': String(request.headers['x-slack-signature']),
        'x-slack-request-timestamp': Number(request.headers['x-slack-request-timestamp']),
      },
    });
    const { id, method, params } = rpc.parse(JSON.parse(body));
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    if (method !== 'initialize' && request.headers['mcp-session-id'] !== 's1') {
      response.writeHead(400).end();
      return;
    }
    const results: Record<string, unknown> = {
      initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'n' } },
      'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: JSON.stringify(params?._meta) }] },
    };
    const known = method !== 'tools/call' || params?.name === 'whoami';
    const answer = known ? { result: results[method] } : { error: { code: -32602, message: 'Unknown tool' } };
    const text = JSON.stringify({ jsonrpc: '2.0', id, ...answer });
    const isStream = method === 'tools/call';
    response.writeHead(200, {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
      'mcp-session-id': 's1',
    });
    response.end(isStream ? `event: message\ndata: ${text}\n\n` : text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return `http://127.0.0.1:${address.port}/mcp`;
}

test("an app's MCP tools are listed, and called with the signed identity of a person", async () => {
  const url = await startMcpServer();
  const sandbox = await startSandbox({
    manifest: {
      ...fullManifest,
      mcp_servers: {
        notes: { url, auth_type: 'slack_identity_auth' },
        open: { url, auth_type: 'no_auth' },
        other: { url, auth_type: 'manual_auth' },
      },
    },
  });
  expect(await sandbox.get('tools', { user: 'alice' })).toMatchObject({ tools: [{ name: 'whoami' }] });
  const call = (body: object) => sandbox.post('call-tool', { user: 'alice', tool: 'whoami', ...body });
  const slack = { user_id: 'U0ALICE', team_id: 'T0ACME', enterprise_id: null };
  expect(await call({})).toEqual({ content: [{ type: 'text', text: JSON.stringify({ slack }) }] });
  expect(await call({ server: 'open' })).toEqual({ content: [{ type: 'text' }] });
  await expect(call({ tool: 'nothing' })).rejects.toThrow('tools/call: Unknown tool');
  await expect(call({ server: 'other' })).rejects.toThrow('auth_type manual_auth');
  await expect(call({ server: 'missing' })).rejects.toThrow('404: There is no MCP server missing');
  const kinds = (await sandbox.traffic()).filter(({ kind }) => kind === 'mcp');
  expect(kinds.slice(0, 3).map(({ payload }) => payload.method)).toEqual([
    ...['initialize', 'notifications/initialized', 'tools/list'],
  ]);
});

test('an MCP server that is not there, and a manifest without one, are named', async () => {
  const unreachable = { notes: { url: 'http://127.0.0.1:9/mcp' } };
  const sandbox = await startSandbox({ manifest: { ...fullManifest, mcp_servers: unreachable } });
  await expect(sandbox.get('tools', { user: 'alice' })).rejects.toThrow(
    "The MCP server at http://127.0.0.1:9/mcp can't be reached",
  );
  const without = await startSandbox();
  await expect(without.get('tools', { user: 'alice' })).rejects.toThrow('declares no mcp_servers');
});
