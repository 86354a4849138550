import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import manifest from '../../package.json' with { type: 'json' };
import { RackhandError } from '../errors.ts';
import { type Span, type SpanAttributes, type Tracer, useTracer } from './trace.ts';

type TracingLogger = Pick<Logger, 'warn' | 'info'>;

/** How long spans wait to be sent together. */
const batchDelayMs = 1_000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/**
 * Sends the traces of this process to an OTLP receiver over HTTP. If the receiver is unreachable,
 * spans are dropped, and no other work waits. Returns a function that sends the last spans and
 * ends the traces.
 */
export function startTracing(endpoint: string, log: TracingLogger): () => Promise<void> {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': manifest.name, 'service.version': manifest.version }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: reportFailures(exporter, log), scheduledDelayMillis: batchDelayMs }),
    ],
  });
  const tracer = createTracer(provider.getTracer(manifest.name));
  useTracer(tracer);
  return async () => {
    useTracer(undefined);
    await provider.shutdown();
  };
}

function createTracer(tracer: ReturnType<TracerProvider['getTracer']>): Tracer {
  const current = new AsyncLocalStorage<Context>();
  const contexts = new WeakMap<Span, Context>();
  return {
    start(name, { kind = 'internal', attributes = {} }) {
      const parent = current.getStore() ?? ROOT_CONTEXT;
      const started = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes: withoutUndefined(attributes) },
        parent,
      );
      const span: Span = {
        set: (more) => void started.setAttributes(withoutUndefined(more)),
        end(error) {
          if (!started.isRecording()) return;
          if (error !== undefined) {
            started.setStatus({ code: SpanStatusCode.ERROR });
            started.setAttributes({ 'error.type': nameError(error) });
          }
          started.end();
        },
      };
      contexts.set(span, trace.setSpan(parent, started));
      return span;
    },
    runWithin: (span, work) => current.run(contexts.get(span) ?? ROOT_CONTEXT, work),
    hasCurrentSpan: () => current.getStore() !== undefined,
    bind(work) {
      const context = current.getStore();
      const bound = (...args: Parameters<typeof work>) =>
        context ? current.run(context, () => work(...args)) : current.exit(() => work(...args));
      return bound as typeof work;
    },
  };
}

function withoutUndefined(attributes: SpanAttributes): Record<string, string | number | boolean> {
  const known: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) known[name] = value;
  return known;
}

/** An error's message can contain names and parts of payloads, so only its code or name is sent. */
function nameError(error: unknown): string {
  if (error instanceof RackhandError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** Logs when spans can't be sent, once per outage, and when they can be sent again. */
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
