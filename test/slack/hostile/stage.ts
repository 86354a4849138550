import pino from 'pino';
import { expect } from 'vitest';
import { z } from 'zod';
import { createHostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { createSlackSandbox } from '../../../src/sandbox/slack/sandbox.ts';
import { startApp } from '../../../src/sandbox/stack.ts';
import { eventually } from '../../eventually.ts';
import { manifestPath, type SlackMessage, serviceControl, slackControl } from '../../stack.ts';
import type { Distort } from './distortions.ts';
import { startHostileService } from './service.ts';

const exchange = z.looseObject({ kind: z.string(), refused: z.string().optional() });

/** So short that nobody waits for the quota. */
const windowMs = 50;

/** Where it is asked: Slack takes one message a second for each. */
export const channels = ['C0OPS', 'C0GENERAL'] as const;

/** What Slack refuses because of the hour and not of what is said: the app comes again, or offers a button in the place of a form. */
const tooBusy: ReadonlySet<string | undefined> = new Set(['ratelimited', 'expired_trigger_id']);

export type Answer = SlackMessage & { readonly channel: string };

export interface HostileStageOptions {
  /** Answers as they are unless given. */
  readonly distort?: Distort;
  readonly vpsCount?: number;
}

/** Starts the app between a service that cannot be trusted and a Slack workspace that refuses what Slack does. */
export async function startHostileStage({ distort, vpsCount = 12 }: HostileStageOptions) {
  const hosting = { port: 0, vpsCount, quota: 100_000, windowMs };
  const honest = await createHostingSandbox(hosting);
  const hostile = distort && (await startHostileService(honest.url, distort));
  const slackOptions = { port: 0, manifest: manifestPath };
  const workspace = await createSlackSandbox(slackOptions);
  const app = await startApp(
    {
      hosting,
      slack: slackOptions,
      databaseUrl: 'sqlite::memory:',
      log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    },
    { hostingUrl: hostile?.url ?? honest.url, slackUrl: workspace.url },
  );
  const slack = slackControl(workspace.url);

  async function traffic() {
    const answer: unknown = await (await fetch(`${workspace.url}/sandbox/traffic`)).json();
    return z.object({ traffic: z.array(exchange) }).parse(answer).traffic;
  }

  /** What the app has said, as somebody sees it. */
  async function answers(user = 'U0ALICE'): Promise<Answer[]> {
    const seen = await Promise.all(
      channels.map(async (channel) =>
        (await slack.messages(channel, user)).map((message) => ({ ...message, channel })),
      ),
    );
    return seen.flat();
  }

  return {
    slack,
    service: serviceControl(honest.url),
    traffic,

    answers,

    /** Lets a time go by in Slack: it takes one message a second for each channel, and so many edits a minute. */
    async passTime(advance_ms: number): Promise<void> {
      await slack.act('clock', { advance_ms });
    },

    /** How often the app has said something, or opened a form. */
    async saidCount(): Promise<number> {
      return (await traffic()).filter(({ kind }) => /^(response_url|views\.open|chat\.post\w+)$/.test(kind))
        .length;
    },

    /** Expects nothing that Slack did not take, nobody called but the asker, and no secret said. */
    async expectHarmless(
      secrets: readonly string[] = [],
      askers: readonly string[] = ['U0ALICE'],
    ): Promise<void> {
      const refused = (await traffic()).filter((one) => one.refused !== undefined);
      expect(refused.filter((one) => !tooBusy.has(one.refused))).toEqual([]);
      const seen = (await Promise.all(['U0ALICE', 'U0BOB', 'U0CAROL'].map(answers))).flat();
      expect(seen.flatMap(({ pings }) => pings).filter((id) => !askers.includes(id))).toEqual([]);
      const said = [...seen, ...(await traffic())].map((one) => JSON.stringify(one));
      for (const secret of secrets) expect(said.filter((one) => one.includes(secret))).toEqual([]);
    },

    async close(): Promise<void> {
      await app.stop();
      await workspace.close();
      await hostile?.close();
      await honest.close();
    },
  };
}

export type HostileStage = Awaited<ReturnType<typeof startHostileStage>>;

/** Waits until the app has said so much, and nothing of it is still under way. */
export async function settledAnswers(stage: HostileStage, count: number): Promise<readonly Answer[]> {
  return eventually(async () => {
    const answers = await stage.answers();
    const texts = answers.map(({ text }) => text);
    if (answers.length < count)
      throw new Error(`${answers.length} of ${count} answers: ${texts.join(' | ').slice(0, 2_000)}`);
    const underWay = texts.filter((text) => /: (⏳ Queued|🔄 Running)/.test(text));
    if (underWay.length > 0) throw new Error(`still under way: ${underWay.join(' | ').slice(0, 2_000)}`);
    return answers;
  });
}
