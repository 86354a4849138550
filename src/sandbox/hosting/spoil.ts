import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { Fault } from './faults.ts';
import { Refusal } from './refusal.ts';
import type { Service, ServiceEnv, Step } from './service.ts';

/** Statuses with which HTTP allows no body. */
const bodilessStatuses = new Set([204, 205, 304]);

function answerWithStatus(status: number): Response {
  if (bodilessStatuses.has(status)) return new Response(null, { status });
  const headers: Record<string, string> = status === 429 ? { 'retry-after': '1' } : {};
  return new Refusal(status, 'injected', `The sandbox was told to answer ${status}.`, {
    headers,
  }).toResponse();
}

function answerWithPage(): Response {
  const page = '<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>';
  return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

async function cutInHalf(answer: Response): Promise<Response> {
  const text = await answer.text();
  return new Response(text.slice(0, text.length / 2), answer);
}

async function neverAnswer({ env: { outgoing } }: Context<ServiceEnv>): Promise<Response> {
  await once(outgoing, 'close');
  return RESPONSE_ALREADY_SENT;
}

function breakConnection({ env: { incoming } }: Context<ServiceEnv>): Response {
  incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** Returns what a call is answered with instead; `answer` is the answer it would have had. */
async function spoiledAnswer(fault: Fault, context: Context<ServiceEnv>): Promise<Response> {
  switch (fault.kind) {
    case 'status':
      return answerWithStatus(fault.status);
    case 'html':
      return answerWithPage();
    case 'malformed':
      return cutInHalf(context.res);
    case 'timeout':
      return neverAnswer(context);
    case 'reset':
      return breakConnection(context);
    case 'slow':
      await delay(fault.delayMs, undefined, { ref: false });
      return context.res;
  }
}

/** Lets the armed faults strike. `slow` and `malformed` spoil the true answer, so their calls always take effect. */
export function strikeFaults({ faults }: Service): Step {
  return async (context, next) => {
    const order = faults.take(context.get('call'));
    if (!order) return next();
    const { fault, applied } = order;
    if (applied || fault.kind === 'slow' || fault.kind === 'malformed') await next();
    const answer = await spoiledAnswer(fault, context);
    // Hono merges the headers of an answer that is replaced unless it is taken away first.
    context.res = undefined;
    context.res = answer;
  };
}
