import { createServer } from 'node:http';
import { verifySlackRequest } from '@slack/bolt';
import { z } from 'zod';

const rpc = z.looseObject({
  id: z.number().optional(),
  method: z.string(),
  params: z.looseObject({ name: z.string().optional(), _meta: z.unknown().optional() }).optional(),
});

/** Starts an MCP server that verifies Slack's signature, and answers like Streamable HTTP does. */
export async function startMcpServer(): Promise<{ readonly url: string; stop(): void }> {
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
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return { url: `http://127.0.0.1:${address.port}/mcp`, stop: () => void server.close() };
}
