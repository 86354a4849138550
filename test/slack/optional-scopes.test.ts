import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { grantAll, manifestPath, startStack } from '../stack.ts';

test('without the optional scopes, everything else works, and what is missing is said', async () => {
  const manifest = parse(readFileSync(manifestPath, 'utf8'));
  const { scopes } = manifest.oauth_config;
  scopes.bot = scopes.bot.filter((scope: string) => !scopes.bot_optional.includes(scope));
  const { event_subscriptions } = manifest.settings;
  event_subscriptions.bot_events = event_subscriptions.bot_events.filter(
    (event: string) => event !== 'message.im',
  );
  const stack = await startStack({
    manifest,
    grants: [...grantAll('view', 'U0BOB'), { grantee: 'S0OPERATORS', right: 'operate', pattern: '*' }],
  });
  onTestFinished(() => stack.close());
  const { slack } = stack;

  await slack.slash('graph VPS-10001 day', { user: 'U0ALICE' });
  const graph = await slack.message('web-01 (VPS-10001), last day');
  expect(JSON.stringify(graph.blocks)).toContain(
    "The graph can't be uploaded: the app lacks the Slack scope files:write. The graph is shown as text instead.",
  );

  await slack.slash('reboot VPS-10001', { user: 'U0BOB' });
  const denied = await slack.message(/user groups/, 'C0OPS', 'U0BOB');
  expect(JSON.stringify(denied.blocks)).toContain('the app may lack the Slack scope usergroups:read');

  await slack.slash('history --export csv');
  await slack.message("The file can't be sent: the app lacks the Slack scope files:write.");
});
