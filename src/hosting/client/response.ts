import { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { HostingError, type HostingFailure } from '../hosting-error.ts';
import { isRecord } from '../payloads/record.ts';
import { readServiceMessage } from '../service-message.ts';
import { hasTooManyValues } from './payload-size.ts';
import type { HttpResponse } from './transport.ts';

const successEnvelope = z.looseObject({ success: z.literal(true), data: z.unknown().optional() });
/** Matches an envelope or payload that reports a failure. */
const failed = z.looseObject({ success: z.literal(false) });

interface ParseContext {
  /** Removed from the service's message, in case the service repeats the key. */
  readonly apiKey: string;
  readonly sent: readonly string[];
  readonly nowMs: number;
}

export interface ParsedResponse<Data> {
  readonly data: Data;
  /** The whole response body: the payload and the fields around it. */
  readonly reply: unknown;
}

/**
 * Returns the endpoint's payload from a response. For a change, an empty body, such as in a 204, means
 * success. Throws a HostingError if the response means failure.
 */
export function parseResponse<Data extends z.ZodType>(
  endpoint: Endpoint & { readonly data: Data },
  response: HttpResponse,
  context: ParseContext,
): ParsedResponse<z.output<Data>> {
  if (response.status < 200 || response.status > 299) {
    throw toStatusError(endpoint, response, context);
  }
  const failure: HostingFailure = { sendState: 'unknown', status: response.status };
  if (hasTooManyValues(response.body, endpoint)) {
    throw new HostingError(
      'response_unexpected',
      "The hosting service's response has too many values or levels, so Rackhand didn't read it.",
      failure,
    );
  }
  const isEmptyResult = endpoint.method !== 'GET' && response.body.trim() === '';
  const json = isEmptyResult ? { success: true } : parseJson(response.body);
  if (json === undefined) {
    throw new HostingError('response_not_json', "The hosting service's response isn't JSON.", failure);
  }
  const parsedEnvelope = successEnvelope.safeParse(json);
  if (!parsedEnvelope.success) {
    throw new HostingError(
      'response_unsuccessful',
      "The hosting service's response doesn't confirm success.",
      {
        ...failure,
        ...readServiceMessage(json, endpoint, context),
        ...(failed.safeParse(json).success && { sendState: 'answered' }),
      },
    );
  }
  if (failed.safeParse(parsedEnvelope.data.data).success) {
    throw new HostingError(
      'response_unsuccessful',
      "The hosting service's response reports both success and failure.",
      { ...failure, ...readServiceMessage(parsedEnvelope.data.data, endpoint, context) },
    );
  }
  const data = endpoint.data.safeParse(parsedEnvelope.data.data);
  if (!data.success) {
    const fields = data.error.issues.map((issue) => ['data', ...issue.path].join('.')).join(', ');
    throw new HostingError(
      'response_unexpected',
      `The hosting service's response lacks documented fields: ${fields}.`,
      failure,
    );
  }
  return { data: data.data, reply: json };
}

function toStatusError(endpoint: Endpoint, response: HttpResponse, context: ParseContext): HostingError {
  const { status } = response;
  const isTooLong = hasTooManyValues(response.body, endpoint);
  const json = isTooLong ? undefined : parseJson(response.body);
  const body = isTooLong ? undefined : (json ?? toPlainText(response.body));
  const serviceMessage = readServiceMessage(body, endpoint, context);
  const failure: HostingFailure = { sendState: 'answered', status, ...serviceMessage };
  const error = (code: ErrorCode, message: string, extra: Partial<HostingFailure> = {}) =>
    new HostingError(code, message, { ...failure, ...extra });

  if (status === 401) {
    return error('key_rejected', 'The hosting service rejected the API key (HTTP 401).');
  }
  if (status === 403) {
    const { permission } = endpoint;
    // A body of another type may come from a firewall in front of the service.
    if (!isRecord(json) || !saysPermissionMissing(serviceMessage))
      return error('access_denied', 'The hosting service denied access (HTTP 403).');
    return permission
      ? error('permission_missing', `The API key lacks the permission ${permission} (HTTP 403).`, {
          permission,
        })
      : error('permission_missing', 'The API key lacks the permission for this (HTTP 403).');
  }
  if (status === 404) {
    return error('not_found', "The hosting service couldn't find this (HTTP 404).");
  }
  if (status === 429) {
    const retryAfterMs = parseRetryAfter(response.headers, context);
    return error(
      'quota_exceeded',
      "This minute's request quota is used up (HTTP 429).",
      retryAfterMs === undefined ? {} : { retryAfterMs },
    );
  }
  if (status >= 500) {
    return error('service_failed', `The hosting service answered with an error (HTTP ${status}).`);
  }
  if (status >= 400) {
    return error('refused', `The hosting service refused this (HTTP ${status}).`);
  }
  return error(
    'response_unexpected',
    `The hosting service answered with an unexpected status (HTTP ${status}).`,
    isRedirectAfterWork(status) ? { sendState: 'unknown' } : {},
  );
}

/**
 * Returns whether the service's message says that a permission is missing. A 403 can also mean something
 * else, such as an address that isn't allowed.
 */
function saysPermissionMissing({ serviceMessage = '' }: Pick<HostingFailure, 'serviceMessage'>): boolean {
  return /permission|scope|privilege|\b(key|token)\b.*\b(not|n't|lacks?|insufficient)\b/i.test(
    serviceMessage,
  );
}

/**
 * Returns whether a status is a 302 or 303, which often follows a submitted form once the service has done
 * the work.
 */
function isRedirectAfterWork(status: number): boolean {
  return status === 302 || status === 303;
}

/** Returns the body if it's plain text rather than a page or truncated JSON. */
function toPlainText(body: string): string | undefined {
  return /^\s*[<{[]/.test(body) ? undefined : body.slice(0, maxTextChars);
}

/** Matches an integer that may be too large for a number. */
const longInteger = /(?<![\w".-])-?\d{16,}(?![\w".])/;

function parseJson(body: string): unknown {
  try {
    const json: unknown = longInteger.test(body) ? JSON.parse(body, keepDigits) : JSON.parse(body);
    return body.length > maxTextChars ? withoutLongTexts(json) : json;
  } catch {
    return undefined;
  }
}

/** Maximum length of a text or name. Longer ones are left out, because searching 5 MB for secrets takes seconds. */
const maxTextChars = 100_000;

function withoutLongTexts(value: unknown): unknown {
  if (typeof value === 'string') return value.length > maxTextChars ? null : value;
  if (Array.isArray(value)) return value.map(withoutLongTexts);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).filter(([field]) => field.length <= maxTextChars);
  return Object.fromEntries(fields.map(([field, inner]) => [field, withoutLongTexts(inner)]));
}

/**
 * Keeps an integer as text if a number would change its digits. Otherwise, the ID 90071992547409931 would
 * become another ID.
 */
function keepDigits(_field: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  const isChanged = typeof value === 'number' && source !== undefined && String(value) !== source;
  return isChanged && /^-?\d{16,}$/.test(source) ? source : value;
}

/** Maximum pause after a 429. Protects against a broken header, since no one can end a pause early. */
const maxRetryAfterMs = 3_600_000;

/**
 * Parses `Retry-After`, which contains seconds or an HTTP date. Compares a date with the response's
 * `Date`, because the service's clock can differ from this machine's.
 */
function parseRetryAfter(headers: HttpResponse['headers'], { nowMs }: ParseContext): number | undefined {
  const [value] = [headers['retry-after']].flat();
  if (!value) return undefined;
  const serviceNowMs = Date.parse(String(headers.date)) || nowMs;
  const ms = /^[\d.]+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - serviceNowMs;
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), maxRetryAfterMs) : undefined;
}
