import { expect, onTestFinished, test } from 'vitest';
import { fullManifest, startSandbox } from '../harness.ts';
import { startMcpServer } from './mcp-server.ts';

test("an app's MCP tools are listed, and called with the signed identity of a person", async () => {
  const { url, stop } = await startMcpServer();
  onTestFinished(stop);
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
