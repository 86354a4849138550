import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from '../eventually.ts';
import { sandboxLabel } from '../sandbox-fleet.ts';
import { useStack } from '../use-stack.ts';

/** How often each payload is delivered at once. */
const deliveryCount = 20;

const running = useStack({ delivery: 'http', hosting: { windowMs: 500 } });

const deliverySchema = z.looseObject({
  id: z.number(),
  direction: z.string(),
  kind: z.string(),
  payload: z.record(z.string(), z.unknown()).catch({}),
});

type Delivery = z.infer<typeof deliverySchema>;

async function listDeliveries(): Promise<readonly Delivery[]> {
  const answer = await (await fetch(`${running.slack.url}/sandbox/traffic`)).json();
  const { traffic } = z.object({ traffic: z.array(deliverySchema) }).parse(answer);
  return traffic.filter(({ direction }) => direction === 'to_app');
}

/** Delivers a payload again, signed with a timestamp of its own, as Slack does. */
async function redeliver({ kind, payload }: Delivery, attempt: number, nowS: number): Promise<number> {
  const isEvent = kind === 'events_api';
  const body = isEvent
    ? JSON.stringify(payload)
    : new URLSearchParams(toFormFields(kind, payload)).toString();
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

function toFormFields(kind: string, payload: Delivery['payload']): Record<string, string> {
  if (kind === 'interactive') return { payload: JSON.stringify(payload) };
  return Object.fromEntries(Object.entries(payload).map(([name, value]) => [name, String(value)]));
}

/** The part of a payload that identifies a delivery; it is repeated unchanged. */
type Redelivery = (payload: Delivery['payload'], attempt: number) => Delivery['payload'];

/** Performs an action and redelivers it at once, for `times` deliveries in total. */
async function deliverRepeatedly(
  kind: string,
  act: () => Promise<unknown>,
  again: Redelivery = (same) => same,
): Promise<void> {
  const lastId = (await listDeliveries()).at(-1)?.id ?? 0;
  const acted = act();
  const first = await eventually(
    async () => {
      const found = (await listDeliveries()).find((one) => one.id > lastId && one.kind === kind);
      if (!found) throw new Error(`Slack delivered no ${kind}`);
      return found;
    },
    { intervalMs: 1 },
  );
  const attempts = Array.from({ length: deliveryCount - 1 }, (_, index) => index + 1);
  // Read once, because two attempts could otherwise get the same timestamp, and Rackhand would
  // reject the second one as a replay.
  const nowS = Math.floor(Date.now() / 1_000);
  const statuses = await Promise.all(
    attempts.map((attempt) => redeliver({ ...first, payload: again(first.payload, attempt) }, attempt, nowS)),
  );
  expect(statuses).toEqual(attempts.map(() => 200));
  await acted;
}

/** Expects each of these calls once, after the app has handled everything before. */
async function expectChanges(count: number): Promise<void> {
  const { service, slack } = running;
  await expect.poll(async () => (await service.changes()).length).toBe(count);
  await slack.slash('help', { channel: 'C0GENERAL' });
  await slack.message('What you can do', 'C0GENERAL');
  const bodies = (await service.changes()).map(({ path, body }) => `${path} ${JSON.stringify(body)}`);
  expect(new Set(bodies).size).toBe(count);
  expect(bodies).toHaveLength(count);
}

const vpsNames = (count: number) => Array.from({ length: count }, (_, index) => `VPS-${10_001 + index}`);

describe(`what Slack delivers ${deliveryCount} times`, () => {
  test('runs once: commands', async () => {
    for (const name of vpsNames(2)) {
      await deliverRepeatedly('slash_commands', () => running.slack.slash(`snapshot create ${name} night`));
    }
    await expectChanges(2);
  });

  test('runs once: mentions', async () => {
    for (const name of vpsNames(2)) {
      await deliverRepeatedly('events_api', () =>
        running.slack.mention(`@Rackhand snapshot create ${name} day`),
      );
    }
    await expectChanges(2);
    const metrics = await (await fetch(`${running.serverUrl}/metrics`)).text();
    expect(metrics).toContain(`rackhand_slack_redelivered_total{kind="event"} ${2 * (deliveryCount - 1)}`);
  });

  test.each([
    ['a click', (same) => same],
    // Another click on the same button: the same payload with a new identity.
    ['clicks of one button', (payload, attempt) => ({ ...payload, trigger_id: `${attempt}.again` })],
  ] satisfies [string, Redelivery][])('runs once: %s', async (_, again) => {
    const { slack } = running;
    for (const name of vpsNames(2)) {
      await slack.slash(`reboot ${name}`);
      const card = await slack.message(`Reboot ${sandboxLabel(name)}?`);
      await deliverRepeatedly('interactive', () => slack.click(card, 'confirm'), again);
    }
    await expectChanges(2);
  });
});
