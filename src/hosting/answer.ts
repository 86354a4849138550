import { z } from 'zod';
import type { ErrorCode } from '../error.ts';
import type { Endpoint } from './endpoint.ts';
import { HostingError, type HostingFailure } from './hosting-error.ts';
import type { WireAnswer } from './transport.ts';

const maxServiceMessageChars = 300;

const envelope = z.looseObject({ success: z.literal(true), data: z.unknown().optional() });
const saysNo = z.looseObject({ success: z.literal(false) });

interface Reading {
  /** Taken out of the service's own words, should it repeat the key there. */
  readonly apiKey: string;
  readonly nowMs: number;
}

/** Turns an answer into the payload that the endpoint declares, or throws the one error that it stands for. */
export function readAnswer<Data extends z.ZodType>(
  endpoint: Endpoint & { readonly data: Data },
  answer: WireAnswer,
  reading: Reading,
): z.output<Data> {
  if (answer.status < 200 || answer.status > 299) {
    throw statusError(endpoint, answer, reading);
  }
  const failure: HostingFailure = { fate: 'unknown', status: answer.status };
  const json = parseJson(answer.body);
  if (json === undefined) {
    throw new HostingError(
      'answer_not_json',
      'The hosting service answered with something that is not JSON.',
      failure,
    );
  }
  const wrapped = envelope.safeParse(json);
  if (!wrapped.success) {
    throw new HostingError(
      'answer_unsuccessful',
      'The answer of the hosting service does not say that it succeeded.',
      { ...failure, ...said(json, reading), ...(saysNo.safeParse(json).success && { fate: 'answered' }) },
    );
  }
  const data = endpoint.data.safeParse(wrapped.data.data);
  if (!data.success) {
    const fields = data.error.issues.map((issue) => ['data', ...issue.path].join('.')).join(', ');
    throw new HostingError(
      'answer_unexpected',
      `The answer of the hosting service lacks what its document promises: ${fields}.`,
      failure,
    );
  }
  return data.data;
}

function statusError(endpoint: Endpoint, answer: WireAnswer, reading: Reading): HostingError {
  const { status } = answer;
  const words = said(parseJson(answer.body), reading);
  const failure: HostingFailure = { fate: 'answered', status, ...words };
  const error = (code: ErrorCode, message: string, more: Partial<HostingFailure> = {}) =>
    new HostingError(code, message, { ...failure, ...more });

  if (status === 401) {
    return error('key_rejected', 'The hosting service does not accept the API key of this workspace (401).');
  }
  if (status === 403) {
    const { permission } = endpoint;
    return permission
      ? error('permission_missing', `The API key lacks the permission ${permission} (403).`, { permission })
      : error('permission_missing', 'The API key is not allowed to do this (403).');
  }
  if (status === 404) {
    return error('not_found', 'The hosting service does not know this resource (404).');
  }
  if (status === 429) {
    const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], reading);
    return error(
      'quota_exceeded',
      'The request quota of the API key is used up (429).',
      retryAfterMs === undefined ? {} : { retryAfterMs },
    );
  }
  if (status >= 500) {
    return error('service_failed', `The hosting service failed (${status}).`);
  }
  if (status >= 400) {
    return error('refused', `The hosting service refused this (${status}).`);
  }
  return error(
    'answer_unexpected',
    `The hosting service answered with status ${status}, which its document does not show.`,
  );
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Longest pause that is believed: nobody could end one that a broken header asks for. */
const longestRetryAfterMs = 3_600_000;

/** Reads `Retry-After`: seconds or an HTTP date. */
function parseRetryAfter(header: string | string[] | undefined, { nowMs }: Reading): number | undefined {
  const value = Array.isArray(header) ? header[0] : header;
  if (!value) return undefined;
  const ms = /^[\d.]+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), longestRetryAfterMs) : undefined;
}

/** Finds the service's own words in an error body, whose shape the API document does not show. */
function said(body: unknown, { apiKey }: Reading): Pick<HostingFailure, 'serviceMessage'> {
  const text = findWords(body, mostWordDepth);
  if (!text) return {};
  const line = text
    .replaceAll(apiKey, '…')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line ? { serviceMessage: line.slice(0, maxServiceMessageChars) } : {};
}

const mostWordDepth = 4;

const wordFields = ['message', 'msg', 'detail', 'description', 'title', 'error', 'errors', 'reason'];

/** Looks under the fields that usually hold words; within one of them, at whatever comes first. */
function findWords(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value;
  if (depth === 0 || typeof value !== 'object' || value === null) return undefined;
  const fields = new Map(Object.entries(value));
  const likely = wordFields.map((field) => fields.get(field));
  const isBody = depth === mostWordDepth && !Array.isArray(value);
  for (const entry of isBody ? likely : [...likely, ...fields.values()]) {
    const words = findWords(entry, depth - 1);
    if (words) return words;
  }
  return undefined;
}
