import { z } from 'zod';
import type { CallLogEntry } from '../call-log.ts';
import { statusRange } from './fault-kinds.ts';

/** The effect that replaces a normal response. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly body?: unknown }
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'timeout' | 'reset' | 'malformed' | 'html' };

/** Parses a fault. `data:JSON` and `status:NNN:JSON` replace the data or the body. */
function parseFault(text: string): Fault | undefined {
  const { head, json } = /^(?<head>data|status:\d{3}):(?<json>.+)$/s.exec(text)?.groups ?? {};
  if (head === undefined || json === undefined) return parseSimpleFault(text);
  const value = parseJson(json);
  if (value === undefined) return undefined;
  if (head === 'data') return { kind: 'data', data: value };
  const fault = parseSimpleFault(head);
  return fault?.kind === 'status' ? { ...fault, body: value } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseSimpleFault(text: string): Fault | undefined {
  const [kind, argument, ...rest] = text.split(':');
  const number = argument !== undefined && /^\d{1,7}$/.test(argument) ? Number(argument) : undefined;
  if (rest.length > 0) return undefined;
  switch (kind) {
    case 'status':
      if (number === undefined || number < statusRange.min || number > statusRange.max) return undefined;
      return { kind, status: number };
    case 'slow':
      return number === undefined ? undefined : { kind, delayMs: number };
    case 'timeout':
    case 'reset':
    case 'malformed':
    case 'html':
      return argument === undefined ? { kind } : undefined;
    default:
      return undefined;
  }
}

function formatFault(fault: Fault): string {
  if (fault.kind === 'data') return `data:${JSON.stringify(fault.data)}`;
  if (fault.kind === 'status') {
    return `status:${fault.status}${fault.body === undefined ? '' : `:${JSON.stringify(fault.body)}`}`;
  }
  return fault.kind === 'slow' ? `slow:${fault.delayMs}` : fault.kind;
}

/**
 * A request to inject a fault. The fault affects the next `times` calls whose method and path
 * match. `*` in `path` matches anything. With `applied`, the call takes effect first and only its
 * response is replaced.
 */
export const faultRequestSchema = z.strictObject({
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']).optional(),
  path: z.string().startsWith('/').optional(),
  fault: z.string().transform((text, context) => {
    const fault = parseFault(text);
    if (fault) return fault;
    context.addIssue({
      code: 'custom',
      message: `Expected status:NNN (${statusRange.min}-${statusRange.max}), status:NNN:JSON, timeout, reset, malformed, html, slow:MS or data:JSON, not ${JSON.stringify(text)}.`,
    });
    return z.NEVER;
  }),
  times: z.int().min(1).default(1),
  applied: z.boolean().default(false),
});

type FaultRequest = z.output<typeof faultRequestSchema>;

/** A triggered fault as it was requested, and the call that it affected. */
interface TriggeredFault {
  readonly fault: string;
  readonly at: number;
  readonly method: string;
  readonly path: string;
}

/** Maximum number of triggered faults to keep. */
const maxTriggered = 20;

/** Holds the faults that wait for a matching call. */
export interface FaultQueue {
  arm(order: FaultRequest): void;
  /** Returns the oldest matching fault, which counts as one of its `times`. Records the fault in the call. */
  consume(call: CallLogEntry): FaultRequest | undefined;
  /** Returns the pending faults, oldest first. */
  armed(): readonly FaultRequest[];
  /** Returns the pending faults in text form. */
  pending(): readonly (Omit<FaultRequest, 'fault'> & { readonly fault: string })[];
  /** Returns the latest triggered faults, newest first. */
  triggered(): readonly TriggeredFault[];
  cancelPending(): void;
  clear(): void;
}

function matchesCall(order: FaultRequest, method: string, path: string): boolean {
  if (order.method && order.method !== method) return false;
  if (!order.path) return true;
  const pattern = order.path.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${pattern}$`).test(path);
}

/** Creates the service's fault queue. Calls `onChange` when a fault is added, triggered or cancelled. */
export function createFaultQueue(onChange: () => void): FaultQueue {
  let orders: FaultRequest[] = [];
  let struck: TriggeredFault[] = [];

  function consume(call: CallLogEntry): FaultRequest | undefined {
    const { at, method, path } = call;
    const order = orders.find((candidate) => matchesCall(candidate, method, path));
    if (!order) return undefined;
    order.times -= 1;
    orders = orders.filter(({ times }) => times > 0);
    call.fault = formatFault(order.fault);
    struck = [{ fault: call.fault, at, method, path }, ...struck].slice(0, maxTriggered);
    onChange();
    return order;
  }

  return {
    arm(order) {
      orders.push(order);
      onChange();
    },
    consume,
    armed: () => orders,
    pending: () => orders.map(({ fault, ...order }) => ({ ...order, fault: formatFault(fault) })),
    triggered: () => struck,
    cancelPending() {
      orders = [];
      onChange();
    },
    clear() {
      orders = [];
      struck = [];
    },
  };
}
