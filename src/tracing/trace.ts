// Traces of requests. They are off until `useTracer` is called. While they are off, each span
// costs one comparison. No library of OpenTelemetry is imported here.

/** Never contains names, texts or secrets: attributes leave Rackhand. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** `server`: Slack waits for Rackhand. `client`: Rackhand waits for another service. */
export type SpanKind = 'server' | 'client' | 'internal';

export interface SpanOptions {
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
}

export interface Span {
  set(attributes: SpanAttributes): void;
  /** `error` marks the span as failed. */
  end(error?: unknown): void;
}

export interface Tracer {
  /** Starts a span below the current one, or a new trace. */
  start(name: string, options: SpanOptions): Span;
  /** Runs work. During the work, the span is the current one. */
  runWithin<Result>(span: Span, work: () => Result): Result;
  hasCurrentSpan(): boolean;
  /** Binds a function to the current trace: whenever it is called later, it runs in that trace. */
  bind<Work extends (...args: never[]) => unknown>(work: Work): Work;
}

const noSpan: Span = { set() {}, end() {} };

let tracer: Tracer | undefined;

/** Turns traces on for this process, or off. */
export function useTracer(newTracer: Tracer | undefined): void {
  tracer = newTracer;
}

/** Runs work in a span. Begins a trace if there is none. */
export function trace<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return tracer ? traceWith(tracer, name, options, work) : work(noSpan);
}

async function traceWith<Result>(
  used: Tracer,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = used.start(name, options);
  try {
    const result = await used.runWithin(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}

/** Runs work in a span of the current trace. Without a trace, runs the work without a span. */
export function traceStep<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return isTraced() ? trace(name, options, work) : work(noSpan);
}

/** Returns whether there is a trace to which spans can be added. */
export function isTraced(): boolean {
  return tracer?.hasCurrentSpan() ?? false;
}

/** Starts a span of the current trace, which the caller ends. */
export function startStep(name: string, options: SpanOptions): Span {
  return tracer && isTraced() ? tracer.start(name, options) : noSpan;
}

/** Lets a function that runs later, or from elsewhere, continue the current trace. */
export function keepTrace<Work extends (...args: never[]) => unknown>(work: Work): Work {
  return tracer ? tracer.bind(work) : work;
}
