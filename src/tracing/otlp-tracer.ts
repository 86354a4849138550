import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { RackhandError } from '../errors.ts';
import { type Span, type SpanAttributes, spans } from './spans.ts';

type TracingLogger = Pick<Logger, 'warn' | 'info'>;

/** How long (ms) spans are collected before they are sent as a batch. */
const batchDelayMs = 1_000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

/**
 * Sends this process's traces to an OTLP receiver over HTTP. If the receiver can't be reached, spans are
 * dropped and other work isn't delayed. Returns a function that sends the remaining spans and stops
 * tracing.
 */
export function startTracing(endpoint: string, log: TracingLogger): () => Promise<void> {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': manifest.name, 'service.version': manifest.version }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: reportFailures(exporter, log), scheduledDelayMillis: batchDelayMs }),
    ],
  });
  const unsubscribe = traceSpans(provider.getTracer(manifest.name));
  return async () => {
    unsubscribe();
    await provider.shutdown();
  };
}

/** What the channel publishes when the work in a span has ended. */
type EndedSpan = Span & { readonly error?: unknown; readonly result?: unknown };

/** Turns each span into an OpenTelemetry span. Returns a function that stops the conversion. */
function traceSpans(tracer: Tracer): () => void {
  /** The innermost span around the running code. */
  const current = new AsyncLocalStorage<Context>();
  const started = new WeakMap<Span, OtelSpan>();
  spans.start.bindStore(current, (span) => {
    const parent = current.getStore();
    if (!parent && !span.beginsTrace) return undefined;
    const { name, kind, attributes = {} } = span;
    const options = {
      kind: kind ? kinds[kind] : SpanKind.INTERNAL,
      attributes: withoutUndefined(attributes),
    };
    const otelSpan = tracer.startSpan(name, options, parent ?? ROOT_CONTEXT);
    started.set(span, otelSpan);
    return trace.setSpan(parent ?? ROOT_CONTEXT, otelSpan);
  });
  const onEnd = (message: unknown) => {
    const span = message as EndedSpan;
    const otelSpan = started.get(span);
    if (!otelSpan) return;
    if (span.error === undefined) {
      otelSpan.setAttributes(withoutUndefined(span.describeResult?.(span.result) ?? {}));
    } else {
      otelSpan.setStatus({ code: SpanStatusCode.ERROR });
      otelSpan.setAttributes({ 'error.type': nameError(span.error) });
    }
    otelSpan.end();
  };
  spans.asyncEnd.subscribe(onEnd);
  return () => {
    spans.start.unbindStore(current);
    spans.asyncEnd.unsubscribe(onEnd);
  };
}

function withoutUndefined(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const known: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) known[name] = value;
  return known;
}

/** Returns only the code or name of an error, because the message can contain names and parts of payloads. */
function nameError(error: unknown): string {
  if (error instanceof RackhandError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** Wraps an exporter to log once per outage that spans can't be sent, and later that they can be sent again. */
function reportFailures(exporter: SpanExporter, log: TracingLogger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, onResult) {
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        if (hasFailed && !isFailing) {
          log.warn({ reason: result.error?.message }, "traces can't be sent to OTEL_EXPORTER_OTLP_ENDPOINT");
        }
        if (!hasFailed && isFailing) log.info('traces are sent to OTEL_EXPORTER_OTLP_ENDPOINT again');
        isFailing = hasFailed;
        onResult(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
