import { z } from 'zod';

const statusMin = 200;
const statusMax = 599;

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
      if (number === undefined || number < statusMin || number > statusMax) return undefined;
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
      message: `Expected status:NNN (${statusMin}-${statusMax}), timeout, reset, malformed, html or slow:MS, not ${JSON.stringify(text)}.`,
    });
    return z.NEVER;
  }),
  times: z.int().min(1).default(1),
  applied: z.boolean().default(false),
});

type FaultOrder = z.output<typeof faultOrder>;

/** Holds the faults that wait for a call. */
export interface Faults {
  arm(order: FaultOrder): void;
  /** Takes the oldest armed fault that strikes this call, and counts it. */
  take(method: string, path: string): FaultOrder | undefined;
  /** Those that have still to strike, oldest first. */
  armed(): readonly FaultOrder[];
  clear(): void;
}

function strikes(order: FaultOrder, method: string, path: string): boolean {
  if (order.method && order.method !== method) return false;
  if (!order.path) return true;
  const pattern = order.path.replaceAll(/[\\^$.+?()[\]{}|]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${pattern}$`).test(path);
}

export function createFaults(): Faults {
  let orders: FaultOrder[] = [];

  function take(method: string, path: string): FaultOrder | undefined {
    const order = orders.find((candidate) => strikes(candidate, method, path));
    if (!order) return undefined;
    order.times -= 1;
    orders = orders.filter(({ times }) => times > 0);
    return order;
  }

  return {
    arm: (order) => orders.push(order),
    take,
    armed: () => orders,
    clear() {
      orders = [];
    },
  };
}
