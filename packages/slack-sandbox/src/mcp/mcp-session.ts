import { InvalidActionError } from '../acts/invalid-action-error.ts';
import { signBody } from '../apps/sign-body.ts';
import type { Core } from '../core.ts';
import { filterObjects, isObject, type JsonObject, parseJson } from '../json.ts';
import type { Person } from '../workspace/seed.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { McpServer } from './mcp-servers.ts';

const protocolVersion = '2025-06-18';
const timeoutMs = 30_000;

/** A session with one of the app's MCP servers, in the name of a person. */
interface McpSession {
  /** Calls a method of the protocol. Throws if the server can't be reached or answers with an error. */
  call(method: string, params?: JsonObject): Promise<JsonObject>;
}

/**
 * Runs calls in one session over MCP's Streamable HTTP. Requests are signed like all of Slack's. With
 * `slack_identity_auth`, `_meta.slack` says who asks.
 */
export async function inMcpSession<Result>(
  core: Core,
  workspace: Workspace,
  person: Person,
  server: McpServer,
  run: (session: McpSession) => Promise<Result>,
): Promise<Result> {
  let sessionId: string | null = null;
  let lastId = 0;
  const identity = {
    slack: {
      user_id: person.id,
      team_id: workspace.team.id,
      enterprise_id: workspace.enterprise?.id ?? null,
    },
  };
  const meta = server.auth_type === 'slack_identity_auth' ? { _meta: identity } : {};

  function toHeaders(body: string): Record<string, string> {
    // Receivers compare the timestamp with real time.
    const timestamp = Math.floor(Date.now() / 1000);
    return {
      ...server.headers,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': protocolVersion,
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': signBody(core.app.signingSecret, body, timestamp),
      ...(sessionId !== null && { 'mcp-session-id': sessionId }),
    };
  }

  async function send(message: JsonObject): Promise<JsonObject | undefined> {
    const payload = { jsonrpc: '2.0', ...message };
    const body = JSON.stringify(payload);
    const exchange = core.traffic.startExchange({
      direction: 'to_app',
      team: workspace.team.id,
      kind: 'mcp',
      payload,
    });
    try {
      const request = {
        method: 'POST',
        body,
        headers: toHeaders(body),
        signal: AbortSignal.timeout(timeoutMs),
      };
      const response = await fetch(server.url, request);
      const answer = parseAnswer(await response.text(), message.id);
      sessionId = response.headers.get('mcp-session-id') ?? sessionId;
      const isRefused = !response.ok || answer?.error !== undefined;
      exchange.update({
        acknowledged: response.ok,
        answer,
        status: response.status,
        ...(isRefused && { refused: 'mcp_error' }),
      });
      if (!response.ok)
        throw new InvalidActionError(`The MCP server at ${server.url} answered ${response.status}`);
      return answer;
    } catch (error) {
      if (error instanceof InvalidActionError) throw error;
      exchange.update({ acknowledged: false, refused: 'unreachable' });
      throw new InvalidActionError(`The MCP server at ${server.url} can't be reached`);
    }
  }

  async function call(method: string, params: JsonObject = {}): Promise<JsonObject> {
    lastId += 1;
    const answer = await send({ id: lastId, method, params: { ...params, ...meta } });
    if (isObject(answer?.error)) throw new InvalidActionError(`${method}: ${String(answer.error.message)}`);
    if (!isObject(answer?.result))
      throw new InvalidActionError(`${method}: the server answered without a result`);
    return answer.result;
  }

  await call('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'slack-sandbox', version: '1' },
  });
  await send({ method: 'notifications/initialized' });
  return run({ call });
}

/** Returns the JSON-RPC answer with this ID, from a JSON body or from server-sent events. */
function parseAnswer(text: string, id: unknown): JsonObject | undefined {
  const events = text
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [parseJson(line.slice(5))] : []));
  return filterObjects([parseJson(text), ...events]).find((message) => message.id === id);
}
