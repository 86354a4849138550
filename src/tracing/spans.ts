import { tracingChannel } from 'node:diagnostics_channel';

/** Must not contain names, texts or secrets, because attributes are sent to another service. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  readonly name: string;
  /** `server`: Slack waits for Rackhand. `client`: Rackhand waits for another service. */
  readonly kind?: 'server' | 'client';
  readonly attributes?: SpanAttributes;
  /** Begins a trace if there is none. Without a trace, other spans are dropped. */
  readonly beginsTrace?: true;
  /** Returns more attributes once the traced work has succeeded. */
  describeResult?(result: unknown): SpanAttributes;
}

/**
 * The channel for all spans: `spans.tracePromise(work, span)` runs the work in a span. While tracing is off,
 * the channel has no subscriber, and calls the work directly.
 */
export const spans = tracingChannel<unknown, Span>('rackhand:span');
