import type { Clock } from '../clock.ts';
import type { PendingExchange, TrafficLog } from '../traffic/traffic-log.ts';
import type { FaultQueue } from './fault-queue.ts';
import type { AppResponse, Delivery, Transport } from './transport.ts';

/** How long the app has to acknowledge a payload. */
const ackDeadlineMs = 3000;

/** The app's response, and how many ms it took. */
export type DeliveryResult = AppResponse & {
  readonly ackMs: number;
  /** The entry in the traffic log. A rejected acknowledgement can be added to it. */
  readonly exchange: PendingExchange;
};

/** Delivers a payload. Waits up to 3 seconds for the acknowledgement. */
export type Deliver = (delivery: Delivery) => Promise<DeliveryResult>;

interface DeliverDependencies {
  readonly clock: Clock;
  readonly faults: FaultQueue;
  readonly traffic: TrafficLog;
  readonly transport: Transport;
}

export function createDeliver({ clock, faults, traffic, transport }: DeliverDependencies): Deliver {
  /** Delays an acknowledgement for as long as an injected fault requires. */
  async function held(sent: Promise<AppResponse>, delay: string | undefined): Promise<AppResponse> {
    const answer = await sent;
    if (delay === undefined) return answer;
    return new Promise((resolve) => clock.schedule(Number(delay), () => resolve(answer)));
  }

  async function once(delivery: Delivery, isSecond = false): Promise<DeliveryResult> {
    const startedMs = clock.now();
    const delay = faults.consume(delivery.team, 'ack_delay');
    const struck = [
      ...(isSecond ? ['duplicate'] : []),
      ...(delay === undefined ? [] : [`ack_delay:${delay}`]),
    ];
    const exchange = traffic.startExchange({
      direction: 'to_app',
      team: delivery.team,
      kind: delivery.kind,
      payload: delivery.payload,
      ...(delivery.retry && { retry: delivery.retry.attempt }),
      ...(struck.length > 0 && { faults: struck }),
    });
    const expiry = new AbortController();
    const cancel = clock.schedule(ackDeadlineMs, () => expiry.abort());
    const late = new Promise<AppResponse>((resolve) => {
      expiry.signal.addEventListener('abort', () => resolve({ ok: false, failure: 'timeout' }));
    });
    const sent = transport.send(delivery, exchange, expiry.signal);
    const answer = await Promise.race([late, held(sent, delay)]);
    cancel();
    const outcome = { ...answer, ackMs: clock.now() - startedMs, exchange };
    logDeliveryResult(outcome);
    if (expiry.signal.aborted) void noteLate(sent, exchange, startedMs);
    return outcome;
  }

  async function noteLate(sent: Promise<AppResponse>, exchange: PendingExchange, startedMs: number) {
    const { ok } = await sent;
    const lateMs = clock.now() - startedMs;
    if (ok && lateMs > ackDeadlineMs) exchange.update({ late_ms: lateMs });
  }

  return async (delivery) => {
    const twice = faults.consume(delivery.team, 'duplicate') !== undefined;
    const first = once(delivery);
    if (twice) void once(delivery, true);
    return first;
  };
}

function logDeliveryResult(outcome: DeliveryResult) {
  outcome.exchange.update({
    acknowledged: outcome.ok,
    ack_ms: outcome.ackMs,
    ...(outcome.ok ? { answer: outcome.payload } : { refused: outcome.failure }),
  });
}
