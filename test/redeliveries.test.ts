import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from './eventually.ts';
import { type RunningStack, startStack } from './stack.ts';

/** How often Slack delivers everything here, at once. */
const times = 50;

let running: RunningStack;
beforeEach(async () => {
  running = await startStack({ delivery: 'http', hosting: { windowMs: 500 } });
});
afterEach(() => running.close());

const delivery = z.looseObject({
  id: z.number(),
  direction: z.string(),
  kind: z.string(),
  payload: z.record(z.string(), z.unknown()).catch({}),
});

type Delivery = z.infer<typeof delivery>;

async function delivered(): Promise<readonly Delivery[]> {
  const answer = await (await fetch(`${running.slack.url}/sandbox/traffic`)).json();
  const { traffic } = z.object({ traffic: z.array(delivery) }).parse(answer);
  return traffic.filter(({ direction }) => direction === 'to_app');
}

/** Delivers a payload once more, signed for a second that no other attempt is signed for, as Slack signs what it delivers again. */
async function redeliver({ kind, payload }: Delivery, attempt: number, nowS: number): Promise<number> {
  const isEvent = kind === 'events_api';
  const body = isEvent ? JSON.stringify(payload) : new URLSearchParams(fieldsOf(kind, payload)).toString();
  const timestamp = nowS - 60 - attempt;
  const digest = createHmac('sha256', 'sandbox-signing-secret')
    .update(`v0:${timestamp}:${body}`)
    .digest('hex');
  const response = await fetch(running.appUrl, {
    method: 'POST',
    body,
    headers: {
      'content-type': isEvent ? 'application/json' : 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': `${timestamp}`,
      'x-slack-signature': `v0=${digest}`,
      'x-slack-retry-num': `${attempt}`,
    },
  });
  return response.status;
}

function fieldsOf(kind: string, payload: Delivery['payload']): Record<string, string> {
  if (kind === 'interactive') return { payload: JSON.stringify(payload) };
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, String(value)]));
}

/** What tells one delivery from another; as it is, it comes again. */
type Again = (payload: Delivery['payload'], attempt: number) => Delivery['payload'];

/** Lets somebody act, and delivers what Slack delivers of it, as soon as it does, so often that there are as many deliveries as `times`. */
async function flood(
  kind: string,
  act: () => Promise<unknown>,
  again: Again = (same) => same,
): Promise<void> {
  const lastId = (await delivered()).at(-1)?.id ?? 0;
  const acted = act();
  const first = await eventually(
    async () => {
      const found = (await delivered()).find((one) => one.id > lastId && one.kind === kind);
      if (!found) throw new Error(`Slack delivered no ${kind}`);
      return found;
    },
    { everyMs: 1 },
  );
  const attempts = Array.from({ length: times - 1 }, (_, index) => index + 1);
  // Read once: by a clock that ticks meanwhile, two attempts would be signed alike, and the second refused as a replay.
  const nowS = Math.floor(Date.now() / 1_000);
  const statuses = await Promise.all(
    attempts.map((attempt) => redeliver({ ...first, payload: again(first.payload, attempt) }, attempt, nowS)),
  );
  expect(statuses).toEqual(attempts.map(() => 200));
  await acted;
}

/** Expects these calls of the service to have been made, each once, after the app has answered everything before. */
async function expectChanges(count: number): Promise<void> {
  const { service, slack } = running;
  await expect.poll(async () => (await service.changes()).length).toBe(count);
  await slack.slash('help', { channel: 'C0GENERAL' });
  await slack.message('What you can do', 'C0GENERAL');
  const bodies = (await service.changes()).map(({ path, body }) => `${path} ${JSON.stringify(body)}`);
  expect(new Set(bodies).size).toBe(count);
  expect(bodies).toHaveLength(count);
}

const vps = (count: number) => Array.from({ length: count }, (_, index) => `VPS-${10_001 + index}`);

describe(`what Slack delivers ${times} times`, () => {
  test('runs once: commands', async () => {
    for (const name of vps(8)) {
      await flood('slash_commands', () => running.slack.slash(`snapshot create ${name} night`));
    }
    await expectChanges(8);
  });

  test('runs once: mentions', async () => {
    for (const name of vps(4)) {
      await flood('events_api', () => running.slack.mention(`@Rackhand snapshot create ${name} day`));
    }
    await expectChanges(4);
  });

  test.each([
    ['a click', (same) => same],
    // A further click of the same button: all but what tells one click from another.
    ['clicks of one button', (payload, attempt) => ({ ...payload, trigger_id: `${attempt}.again` })],
  ] satisfies [string, Again][])('runs once: %s', async (_, again) => {
    const { slack } = running;
    for (const name of vps(4)) {
      await slack.slash(`reboot ${name}`);
      const card = await slack.message(`Reboot ${name}?`);
      await flood('interactive', () => slack.click(card, 'confirm'), again);
    }
    await expectChanges(4);
  });
});
