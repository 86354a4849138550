import { createSlackSandbox } from 'slack-sandbox';
import { expect } from 'vitest';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { sandboxLabel } from '../../sandbox-fleet.ts';
import { createHostingDriver, createSlackDriver, manifestPath, type SlackMessage } from '../../stack.ts';
import { createSandboxSettings } from '../crash-process.ts';

export type Sandboxes = Awaited<ReturnType<typeof startSandboxes>>;

/** Starts Slack and the hosting service, which outlive the app. */
export async function startSandboxes(databaseUrl: string) {
  const hosting = await createHostingSandbox({ port: 0 });
  const slackSandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
  const service = createHostingDriver(hosting.url);
  // A generous quota, because the app's clock runs ahead of the sandbox's.
  const apiKey = 'a-generous-key';
  await service.addKey(apiKey, { quota: 1000 });
  return {
    slack: createSlackDriver(slackSandbox.url),
    service,
    settings: createSandboxSettings({
      slackUrl: slackSandbox.url,
      hostingUrl: hosting.url,
      databaseUrl,
      apiKey,
    }),
    async close() {
      await slackSandbox.close();
      await hosting.close();
    },
  };
}

/**
 * Acts as a person does, and shows the calls and messages since `startAnew`, without those of earlier
 * tests and attempts.
 */
export function createCrashDriver(drivers: () => Pick<Sandboxes, 'slack' | 'service'>) {
  let earlierChanges = 0;
  let earlierMessages = new Set<string>();

  /** The messages that were posted, as a person sees them in the channel. */
  async function newMessages(): Promise<SlackMessage[]> {
    return (await drivers().slack.messages()).filter(({ ts }) => !earlierMessages.has(ts));
  }

  return {
    newMessages,

    async startAnew(): Promise<void> {
      const { slack, service } = drivers();
      earlierChanges = (await service.changes()).length;
      earlierMessages = new Set((await slack.messages()).map(({ ts }) => ts));
    },

    async openConfirmation(vps: string): Promise<SlackMessage> {
      const { slack } = drivers();
      await slack.slash(`reboot ${vps}`);
      return slack.message(`Reboot ${sandboxLabel(vps)}?`);
    },

    /** Number of changing calls for a VPS. */
    async countChanges(vps: string): Promise<number> {
      const changes = (await drivers().service.changes()).slice(earlierChanges);
      return changes.filter(({ path }) => path.includes(`/${vps}/`)).length;
    },

    async messagesAbout(vps: string): Promise<string[]> {
      return (await newMessages()).map(({ text }) => text).filter((text) => text.includes(vps));
    },

    /** Waits for the new message of a reboot that the service has accepted, and that can be done already. */
    acceptedReboot: (vps: string) =>
      drivers().slack.untilSeen(async () => {
        const accepted = new RegExp(`^Reboot \\S+ \\(${vps}\\): (🔄 In progress|✅ Done)`);
        expect((await newMessages()).map(({ text }) => text)).toContainEqual(expect.stringMatching(accepted));
      }),
  };
}
