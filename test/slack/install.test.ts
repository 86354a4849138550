import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../stack.ts';
import { createVisitor, decide, installAs, openInstallPage } from './install-acts.ts';

let running: RunningStack;
afterEach(() => running.close());

const erin = { user: 'U0ERIN', channel: 'C0INITECH', team: 'T0INITECH' };
const fred = { user: 'U0FRED', channel: 'C0INITRODE', team: 'T0INITRODE' };

function answered(words: string | RegExp, { channel, user, team }: typeof erin) {
  return running.slack.message(words, channel, user, team);
}

describe.each(['socket', 'http'] as const)('over %s', (delivery) => {
  beforeEach(async () => {
    running = await startStack({ delivery });
  });

  test('a workspace installs the app, and can use it at once', async () => {
    expect(await running.slack.slash('help', erin)).toMatchObject({ acknowledged: false });
    const page = await installAs(running.serverUrl, 'T0INITECH/U0ERIN');
    expect(page).toContain('Rackhand is installed in Initech<');
    await running.slack.slash('help', erin);
    await answered('What you can do', erin);
    expect(await running.slack.slash('help', fred)).toMatchObject({ acknowledged: false });
  });

  test('an organisation installs it for all of its workspaces, which Slack names in none of its tokens', async () => {
    const page = await installAs(running.serverUrl, 'E0INITECH/U0ERIN');
    expect(page).toContain('Rackhand is installed in Initech Group<');
    expect(page).toContain('for the whole organisation');
    for (const person of [erin, fred]) {
      await running.slack.slash('help', person);
      await answered('What you can do', person);
      await running.slack.act('mention', { ...person, text: 'help' });
      await running.slack.act('home', person);
    }
    const { home } = await viewsOf(fred);
    expect(JSON.stringify(home)).toContain('not connected to the hosting service yet');
  });

  test('a workspace that has it removed is forgotten, and can install it again', async () => {
    const bob = { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' };
    await running.slack.act('uninstall', { team: 'T0GLOBEX' });
    await expect.poll(() => metric('rackhand_slack_ack_seconds_count{kind="event"}')).toBe(2);
    expect(await running.slack.slash('help', bob)).toMatchObject({ acknowledged: false });
    await installAs(running.serverUrl, 'T0GLOBEX/U0GWEN');
    await running.slack.slash('help', bob);
    await answered('What you can do', bob);
  });
});

async function viewsOf({ user, team }: typeof erin): Promise<{ home: unknown }> {
  let home: unknown = null;
  await expect
    .poll(async () => {
      const response = await fetch(`${running.slack.url}/sandbox/views?team=${team}&user=${user}`);
      ({ home } = (await response.json()) as { home: unknown });
      return home;
    })
    .not.toBeNull();
  return { home };
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${running.serverUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.split(' ')[1] ?? 0);
}

describe('the page at the end', () => {
  beforeEach(async () => {
    running = await startStack();
  });

  test('says that somebody cancelled', async () => {
    const visitor = createVisitor();
    const consent = await openInstallPage(visitor, running.serverUrl);
    const response = await visitor.visit(await decide(visitor, consent, 'cancel', 'T0INITECH/U0ERIN'));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('You cancelled');
  });

  test.each([
    ['of another browser', async (back: string) => createVisitor().visit(back)],
    [
      'with another state',
      async (back: string, { visit }: ReturnType<typeof createVisitor>) =>
        visit(back.replace(/state=[^&]+/, 'state=guessed')),
    ],
  ])('refuses what comes %s, and counts it', async (_, come) => {
    const visitor = createVisitor();
    const consent = await openInstallPage(visitor, running.serverUrl);
    const response = await come(await decide(visitor, consent, 'allow', 'T0INITECH/U0ERIN'), visitor);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('This page works once');
    expect(await metric('rackhand_slack_refused_total{reason="install_state"}')).toBe(1);
    expect(await running.slack.slash('help', erin)).toMatchObject({ acknowledged: false });
  });

  test('says that a code was used before', async () => {
    const visitor = createVisitor();
    const consent = await openInstallPage(visitor, running.serverUrl);
    const back = await decide(visitor, consent, 'allow', 'T0INITECH/U0ERIN');
    const cookies = new Map(visitor.cookies);
    expect((await visitor.visit(back)).status).toBe(200);
    for (const [name, value] of cookies) visitor.cookies.set(name, value);
    const again = await visitor.visit(back);
    expect(again.status).toBe(400);
    expect(await again.text()).toContain('was used before');
  });

  test('goes nowhere else, is framed by nobody, and is kept by nobody', async () => {
    const { headers } = await createVisitor().visit(`${running.serverUrl}/slack/oauth_redirect?code=x`);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
