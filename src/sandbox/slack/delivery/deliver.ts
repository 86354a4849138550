import type { Clock } from '../clock.ts';
import type { Faults } from './faults.ts';
import type { OpenExchange, Traffic } from './traffic.ts';
import type { Answer, Delivery, Transport } from './transport.ts';

/** How long the app has to acknowledge. */
const ackDeadlineMs = 3000;

/** The app's answer and how long it took, in milliseconds. */
export type Outcome = Answer & {
  readonly ackMs: number;
  /** What the traffic knows of it, to which a refusal of what the app acknowledged with is added. */
  readonly exchange: OpenExchange;
};

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
  async function held(sent: Promise<Answer>, delay: string | undefined): Promise<Answer> {
    const answer = await sent;
    if (delay === undefined) return answer;
    return new Promise((resolve) => clock.after(Number(delay), () => resolve(answer)));
  }

  async function once(delivery: Delivery, isSecond = false): Promise<Outcome> {
    const startedMs = clock.now();
    const delay = faults.take(delivery.team, 'ack_delay');
    const struck = [
      ...(isSecond ? ['duplicate'] : []),
      ...(delay === undefined ? [] : [`ack_delay:${delay}`]),
    ];
    const exchange = traffic.note({
      direction: 'to_app',
      team: delivery.team,
      kind: delivery.kind,
      payload: delivery.payload,
      ...(delivery.retry && { retry: delivery.retry.attempt }),
      ...(struck.length > 0 && { faults: struck }),
    });
    const expiry = new AbortController();
    const late = Promise.withResolvers<Answer>();
    const cancel = clock.after(ackDeadlineMs, () => {
      late.resolve({ ok: false, failure: 'timeout' });
      expiry.abort();
    });
    const sent = transport.send(delivery, exchange, expiry.signal);
    const answer = await Promise.race([late.promise, held(sent, delay)]);
    cancel();
    const outcome = { ...answer, ackMs: clock.now() - startedMs, exchange };
    settle(outcome);
    if (expiry.signal.aborted) void noteLate(sent, exchange, startedMs);
    return outcome;
  }

  async function noteLate(sent: Promise<Answer>, exchange: OpenExchange, startedMs: number) {
    const { ok } = await sent;
    const lateMs = clock.now() - startedMs;
    if (ok && lateMs > ackDeadlineMs) exchange.learn({ late_ms: lateMs });
  }

  return async (delivery) => {
    const twice = faults.take(delivery.team, 'duplicate') !== undefined;
    const first = once(delivery);
    if (twice) void once(delivery, true);
    return first;
  };
}

function settle(outcome: Outcome) {
  outcome.exchange.learn({
    acknowledged: outcome.ok,
    ack_ms: outcome.ackMs,
    ...(outcome.ok ? { answer: outcome.payload } : { refused: outcome.failure }),
  });
}
