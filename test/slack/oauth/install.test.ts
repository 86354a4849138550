import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../../stack.ts';
import {
  createBrowserSession,
  installAs,
  openInstallPage,
  readMetric,
  submitConsent,
} from './install-driver.ts';

let running: RunningStack;
afterEach(() => running.close());

const erin = { user: 'U0ERIN', channel: 'C0INITECH', team: 'T0INITECH' };
const fred = { user: 'U0FRED', channel: 'C0INITRODE', team: 'T0INITRODE' };

function waitForReply(words: string | RegExp, { channel, user, team }: typeof erin) {
  return running.slack.message(words, channel, user, team);
}

test.each(['socket', 'http'] as const)(
  'a workspace installs the app over %s, and can use it at once',
  async (delivery) => {
    running = await startStack({ delivery });
    expect(await running.slack.slash('help', erin)).toMatchObject({ acknowledged: false });
    const page = await installAs(running.serverUrl, 'T0INITECH/U0ERIN');
    expect(page).toContain('Rackhand is installed in Initech<');
    await waitForReply('Connect an API key', { ...erin, channel: erin.user });
    await running.slack.slash('help', erin);
    await waitForReply('What you can do', erin);
    expect(await running.slack.slash('help', fred)).toMatchObject({ acknowledged: false });
  },
);

describe('over Socket Mode', () => {
  beforeEach(async () => {
    running = await startStack();
  });

  test('an organization installs the app for all of its workspaces, which its token does not name', async () => {
    const page = await installAs(running.serverUrl, 'E0INITECH/U0ERIN');
    expect(page).toContain('Rackhand is installed in Initech Group<');
    expect(page).toContain('to the whole organization');
    for (const person of [erin, fred]) {
      await running.slack.slash('help', person);
      await waitForReply('What you can do', person);
      await running.slack.act('mention', { ...person, text: 'help' });
      await running.slack.act('home', person);
    }
    const { home } = await readViews(fred);
    expect(JSON.stringify(home)).toContain("isn't connected to the hosting service yet");
  });
});

async function readViews({ user, team }: typeof erin): Promise<{ home: unknown }> {
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

describe('the last page of an installation', () => {
  beforeEach(async () => {
    running = await startStack();
  });

  test('accepts a state once, and only from the browser that began, and counts what it rejects', async () => {
    const visitor = createBrowserSession();
    const consent = await openInstallPage(visitor, running.serverUrl);
    const back = await submitConsent(visitor, consent, 'allow', 'T0INITECH/U0ERIN');
    const cookies = new Map(visitor.cookies);
    const expectRefused = async (response: Response) => {
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('This page works only once');
    };
    await expectRefused(await createBrowserSession().visit(back));
    expect(await running.slack.slash('help', erin)).toMatchObject({ acknowledged: false });
    expect(await (await visitor.visit(back)).text()).toContain('Rackhand is installed');
    for (const [name, value] of cookies) visitor.cookies.set(name, value);
    await expectRefused(await visitor.visit(back));
    expect(await readMetric(running, 'rackhand_slack_refused_total{reason="install_state"}')).toBe(2);
  });

  test('loads nothing else, cannot be framed, is not cached, and its cookie stays with this site', async () => {
    const { headers } = await fetch(`${running.serverUrl}/slack/install`);
    expect(headers.get('set-cookie')).toMatch(/; Secure; HttpOnly; .*; SameSite=Lax$/);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    const last = await createBrowserSession().visit(`${running.serverUrl}/slack/oauth_redirect?code=x`);
    expect(last.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(last.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(last.headers.get('referrer-policy')).toBe('no-referrer');
    expect(last.headers.get('cache-control')).toBe('no-store');
  });
});
