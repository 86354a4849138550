import { afterAll, expect, test } from 'vitest';
import { startMcpServer } from '../../mcp/mcp-server.ts';
import { findSeriousViolations } from '../fixture/axe-findings.ts';
import { fixtureManifest } from '../fixture/fixture-app.ts';
import { setUpPage } from '../fixture/page-fixture.ts';

const server = await startMcpServer();
afterAll(() => server.stop());

const manifest = {
  ...fixtureManifest,
  mcp_servers: { notes: { url: server.url, auth_type: 'slack_identity_auth' } },
};
const { page, expectRefusal } = setUpPage({ sandbox: { manifest } });

test("the tools panel lists an MCP server's tools, calls one, and shows the answer", async () => {
  await page().getByRole('button', { name: 'Tools' }).click();
  const tools = page().getByRole('region', { name: 'MCP tools of notes' });
  const form = tools.getByRole('form', { name: 'whoami' });
  await form.getByLabel('Arguments').fill('[]');
  await form.getByRole('button', { name: 'Call Tool' }).click();
  await form.getByText('Arguments must be a JSON object').waitFor();

  await form.getByLabel('Arguments').fill('{"at": "home"}');
  await form.getByRole('button', { name: 'Call Tool' }).click();
  const answer = form.getByRole('region', { name: 'Answer of whoami' });
  await answer.getByText('"user_id":"U0ALICE"').waitFor();
  expect(await findSeriousViolations(page())).toEqual([]);

  server.stop();
  await form.getByRole('button', { name: 'Call Tool' }).click();
  await form.getByText("can't be reached").waitFor();
  expectRefusal(400);
});
