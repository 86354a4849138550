import { tracingChannel } from 'node:diagnostics_channel';

/**
 * The attributes of a span. They must not contain names, texts or secrets, because they are sent to
 * another service.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Span {
  readonly name: string;
  /**
   * `server` if Slack waits for Rackhand, `client` if Rackhand waits for another service, and unset for
   * internal work.
   */
  readonly kind?: 'server' | 'client';
  readonly attributes?: SpanAttributes;
  /** Set if the span begins a trace when none is running. Spans outside a trace are dropped. */
  readonly beginsTrace?: true;
  /** Returns further attributes after the traced work has succeeded. */
  describeResult?(result: unknown): SpanAttributes;
}

/**
 * The channel for all spans: `spans.tracePromise(work, span)` runs the work in a span. While tracing is
 * off, the channel has no subscriber and simply calls the work.
 */
export const spans = tracingChannel<unknown, Span>('rackhand:span');
