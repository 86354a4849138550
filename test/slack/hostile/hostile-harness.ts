import { expect } from 'vitest';
import { unexpectedErrorMessage } from '../../../src/runs/problem.ts';
import type { StackOptions } from '../../../src/sandbox/stack.ts';
import { startSandboxes } from '../../sandboxes.ts';
import { noWorkingNoticeMs, type SlackMessage } from '../../stack.ts';
import { listExchanges } from '../modals/form/form-driver.ts';
import type { Distort } from './distortions.ts';
import { startHostileService } from './hostile-service.ts';

/** So short that no call waits for the quota. */
const windowMs = 50;

/** Channels in which requests are made. Slack accepts one message a second in each. */
export const channels = ['C0OPS', 'C0GENERAL'] as const;

/**
 * Slack's errors that depend on timing rather than content. The app retries, or offers a button
 * instead of a form.
 */
const expectedRejections: ReadonlySet<string | undefined> = new Set(['ratelimited', 'expired_trigger_id']);

export type ChannelMessage = SlackMessage & { readonly channel: string };

interface HostileHarnessOptions {
  /** How responses are changed. By default, they aren't. */
  readonly distort?: Distort;
  readonly vpsCount?: number;
  readonly clock?: StackOptions['clock'];
}

/**
 * Starts the app between an untrusted service and a Slack workspace that rejects whatever Slack
 * would reject.
 */
export async function startHostileHarness({ distort, vpsCount = 12, clock }: HostileHarnessOptions) {
  const sandboxes = await startSandboxes({ vpsCount, quota: 100_000, windowMs });
  const { slack, service } = sandboxes;
  const hostile = distort && (await startHostileService(service.url, distort));
  const app = await sandboxes.startApp(
    { workingNoticeMs: noWorkingNoticeMs, ignoreClicksMs: 0, ...(clock && { clock }) },
    hostile?.url,
  );

  const traffic = () => listExchanges(slack.url);
  let said = { count: 0, lastId: 0 };

  /** Returns the app's messages as a person sees them. */
  async function answers(user = 'U0ALICE'): Promise<ChannelMessage[]> {
    const seen = await Promise.all(
      channels.map(async (channel) =>
        (await slack.messages(channel, user)).map((message) => ({ ...message, channel })),
      ),
    );
    return seen.flat();
  }

  return {
    slack,
    service,
    traffic,

    answers,

    /**
     * Advances Slack's clock. Needed because Slack accepts one message a second in each channel,
     * and a limited number of edits a minute.
     */
    async passTime(advance_ms: number): Promise<void> {
      await slack.act('clock', { advance_ms });
    },

    /** Returns how many messages and forms the app has sent. */
    async saidCount(): Promise<number> {
      const added = await listExchanges(slack.url, said.lastId);
      const replies = added.filter(({ kind }) => /^(response_url|views\.open|chat\.post\w+)$/.test(kind));
      said = { count: said.count + replies.length, lastId: added.at(-1)?.id ?? said.lastId };
      return said.count;
    },

    /**
     * Expects that Slack has rejected nothing, that only the actor was mentioned, that no error
     * was unexpected, and that no secret was posted.
     */
    async expectHarmless(secrets: readonly string[] = []): Promise<void> {
      const refused = (await traffic()).filter((one) => one.refused !== undefined);
      expect(refused.filter((one) => !expectedRejections.has(one.refused))).toEqual([]);
      const people = ['U0ALICE', 'U0BOB', 'U0CAROL'];
      const inChannels = people.map((user) => answers(user));
      const inDms = people.map((user) => slack.messages(user, user));
      const seen = (await Promise.all([...inChannels, ...inDms])).flat();
      // A mention that only the person who asked can see notifies nobody.
      const pings = seen.flatMap((message) => (message.ephemeral ? [] : message.pings));
      expect(pings.filter((id) => id !== 'U0ALICE')).toEqual([]);
      expect(seen.filter(({ text }) => text.includes(unexpectedErrorMessage))).toEqual([]);
      const said = [...seen, ...(await traffic())].map((one) => JSON.stringify(one));
      for (const secret of secrets) expect(said.filter((one) => one.includes(secret))).toEqual([]);
    },

    async close(): Promise<void> {
      await app.stop();
      await hostile?.close();
      await sandboxes.close();
    },
  };
}

export type HostileHarness = Awaited<ReturnType<typeof startHostileHarness>>;

/** Waits until the app has posted this many messages, and none of them is still in progress. */
export async function waitForMessages(
  stage: HostileHarness,
  count: number,
): Promise<readonly ChannelMessage[]> {
  return stage.slack.untilSeen(async () => {
    const answers = await stage.answers();
    const texts = answers.map(({ text }) => text);
    if (answers.length < count)
      throw new Error(`${answers.length} of ${count} answers: ${texts.join(' | ').slice(0, 2_000)}`);
    const underWay = texts.filter((text) => /: (⏳ Queued|🔄 Running)/.test(text));
    if (underWay.length > 0) throw new Error(`still under way: ${underWay.join(' | ').slice(0, 2_000)}`);
    return answers;
  });
}
