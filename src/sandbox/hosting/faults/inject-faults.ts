import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { ApiError } from '../api-error.ts';
import type { Middleware, Service, ServiceEnv } from '../service.ts';
import type { Fault } from './fault-queue.ts';

/** Statuses for which HTTP doesn't allow a body. */
const bodilessStatuses = new Set([204, 205, 304]);

function createStatusResponse(status: number, body: unknown): Response {
  if (bodilessStatuses.has(status)) return new Response(null, { status });
  if (body !== undefined) return Response.json(body, { status });
  const headers: Record<string, string> = status === 429 ? { 'retry-after': '1' } : {};
  return new ApiError(status, 'injected', `The sandbox was asked to respond with ${status}.`, {
    headers,
  }).toResponse();
}

function createHtmlResponse(): Response {
  const page = '<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>';
  return new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

/** Replaces the data of a successful response. Errors pass through. */
function replaceData(answer: Response, data: unknown): Response {
  return answer.ok ? Response.json({ success: true, data }) : answer;
}

async function truncateBody(answer: Response): Promise<Response> {
  const text = await answer.text();
  return new Response(text.slice(0, text.length / 2), answer);
}

async function hangUntilClosed({ env: { outgoing } }: Context<ServiceEnv>): Promise<Response> {
  await once(outgoing, 'close');
  return RESPONSE_ALREADY_SENT;
}

function resetConnection({ env: { incoming } }: Context<ServiceEnv>): Response {
  incoming.socket.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

/** Returns the faulty response. `answer` is the normal response. */
async function createFaultyResponse(fault: Fault, context: Context<ServiceEnv>): Promise<Response> {
  switch (fault.kind) {
    case 'status':
      return createStatusResponse(fault.status, fault.body);
    case 'html':
      return createHtmlResponse();
    case 'data':
      return replaceData(context.res, fault.data);
    case 'malformed':
      return truncateBody(context.res);
    case 'timeout':
      return hangUntilClosed(context);
    case 'reset':
      return resetConnection(context);
    case 'slow':
      await delay(fault.delayMs, undefined, { ref: false });
      return context.res;
  }
}

/** Faults that change the normal response. Their calls always take effect. */
const kindsAfterwards: readonly Fault['kind'][] = ['slow', 'malformed', 'data'];

export function injectFaults({ faults }: Service): Middleware {
  return async (context, next) => {
    const order = faults.consume(context.get('call'));
    if (!order) return next();
    const { fault, applied } = order;
    if (applied || kindsAfterwards.includes(fault.kind)) await next();
    const answer = await createFaultyResponse(fault, context);
    // Hono merges the headers of a replaced response unless the old response is removed first.
    context.res = undefined;
    context.res = answer;
  };
}
