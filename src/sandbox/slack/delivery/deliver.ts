import type { Clock } from '../clock.ts';
import type { Faults } from './faults.ts';
import type { Exchange, Traffic } from './traffic.ts';
import type { Answer, Delivery, Transport } from './transport.ts';

/** How long the app has to acknowledge. */
const ackDeadlineMs = 3000;

/** The app's answer and how long it took, in milliseconds. */
export type Outcome = Answer & { readonly ackMs: number };

/** Delivers a payload and waits until it is acknowledged, or 3 seconds. */
export type Deliver = (delivery: Delivery) => Promise<Outcome>;

interface Needs {
  readonly clock: Clock;
  readonly faults: Faults;
  readonly traffic: Traffic;
  readonly transport: Transport;
}

export function createDeliver({ clock, faults, traffic, transport }: Needs): Deliver {
  /** Holds an acknowledgement back for as long as a fault says. */
  async function held(team: string, sent: Promise<Answer>): Promise<Answer> {
    const delay = faults.take(team, 'ack_delay');
    const answer = await sent;
    if (delay === undefined) return answer;
    return new Promise((resolve) => clock.after(Number(delay), () => resolve(answer)));
  }

  async function once(delivery: Delivery): Promise<Outcome> {
    const startedMs = clock.now();
    const exchange = traffic.note({
      direction: 'to_app',
      team: delivery.team,
      kind: delivery.kind,
      payload: delivery.payload,
      ...(delivery.retry && { retry: delivery.retry.attempt }),
    });
    const expiry = new AbortController();
    const late = Promise.withResolvers<Answer>();
    const cancel = clock.after(ackDeadlineMs, () => {
      late.resolve({ ok: false, failure: 'timeout' });
      expiry.abort();
    });
    const sent = transport.send(delivery, exchange, expiry.signal);
    const answer = await Promise.race([late.promise, held(delivery.team, sent)]);
    cancel();
    const outcome = { ...answer, ackMs: clock.now() - startedMs };
    settle(exchange, outcome);
    return outcome;
  }

  return async (delivery) => {
    const twice = faults.take(delivery.team, 'duplicate') !== undefined;
    const first = once(delivery);
    if (twice) void once(delivery);
    return first;
  };
}

function settle(exchange: Exchange, outcome: Outcome) {
  exchange.acknowledged = outcome.ok;
  exchange.ack_ms = outcome.ackMs;
  if (outcome.ok) exchange.answer = outcome.payload;
  else exchange.refused = outcome.failure;
}
