import { z } from 'zod';
import type { Call } from './call-log.ts';
import { statuses } from './fault-kinds.ts';

/** What is done to a call instead of answering it well. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'timeout' | 'reset' | 'malformed' | 'html' };

function parseFault(text: string): Fault | undefined {
  const [kind, argument, ...rest] = text.split(':');
  const number = argument !== undefined && /^\d{1,7}$/.test(argument) ? Number(argument) : undefined;
  if (rest.length > 0) return undefined;
  switch (kind) {
    case 'status':
      if (number === undefined || number < statuses.min || number > statuses.max) return undefined;
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

function writeFault(fault: Fault): string {
  if (fault.kind === 'status') return `status:${fault.status}`;
  return fault.kind === 'slow' ? `slow:${fault.delayMs}` : fault.kind;
}

/**
 * What arms a fault: it strikes the next `times` calls whose method and path match; in `path` a `*` stands for
 * anything. With `applied` the call takes effect first, so that only its answer is lost.
 */
export const faultOrder = z.strictObject({
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']).optional(),
  path: z.string().startsWith('/').optional(),
  fault: z.string().transform((text, context) => {
    const fault = parseFault(text);
    if (fault) return fault;
    context.addIssue({
      code: 'custom',
      message: `Expected status:NNN (${statuses.min}-${statuses.max}), timeout, reset, malformed, html or slow:MS, not ${JSON.stringify(text)}.`,
    });
    return z.NEVER;
  }),
  times: z.int().min(1).default(1),
  applied: z.boolean().default(false),
});

type FaultOrder = z.output<typeof faultOrder>;

/** A fault that struck, as it was asked for, and the call that it struck. */
interface Strike {
  readonly fault: string;
  readonly at: number;
  readonly method: string;
  readonly path: string;
}

/** Most strikes remembered. */
const strikesMax = 20;

/** Holds the faults that wait for a call. */
export interface Faults {
  arm(order: FaultOrder): void;
  /** Takes the oldest armed fault that strikes this call, counts it, and names it on the call. */
  take(call: Call): FaultOrder | undefined;
  /** Those that have still to strike, oldest first. */
  armed(): readonly FaultOrder[];
  /** The same, each fault as it is asked for. */
  waiting(): readonly (Omit<FaultOrder, 'fault'> & { readonly fault: string })[];
  /** The last that struck, newest first. */
  struck(): readonly Strike[];
  /** Lets those that wait not strike any more. */
  callOff(): void;
  clear(): void;
}

function strikes(order: FaultOrder, method: string, path: string): boolean {
  if (order.method && order.method !== method) return false;
  if (!order.path) return true;
  const pattern = order.path.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${pattern}$`).test(path);
}

/** Creates the faults of the service; `changed` hears when one is armed, strikes or is called off. */
export function createFaults(changed: () => void): Faults {
  let orders: FaultOrder[] = [];
  let struck: Strike[] = [];

  function take(call: Call): FaultOrder | undefined {
    const { at, method, path } = call;
    const order = orders.find((candidate) => strikes(candidate, method, path));
    if (!order) return undefined;
    order.times -= 1;
    orders = orders.filter(({ times }) => times > 0);
    call.fault = writeFault(order.fault);
    struck = [{ fault: call.fault, at, method, path }, ...struck].slice(0, strikesMax);
    changed();
    return order;
  }

  return {
    arm(order) {
      orders.push(order);
      changed();
    },
    take,
    armed: () => orders,
    waiting: () => orders.map(({ fault, ...order }) => ({ ...order, fault: writeFault(fault) })),
    struck: () => struck,
    callOff() {
      orders = [];
      changed();
    },
    clear() {
      orders = [];
      struck = [];
    },
  };
}
