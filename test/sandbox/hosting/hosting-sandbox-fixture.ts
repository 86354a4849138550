import { onTestFinished } from 'vitest';
import type { z } from 'zod';
import {
  createHostingSandbox,
  type HostingSandbox,
  type HostingSandboxOptions,
} from '../../../src/sandbox/hosting/sandbox.ts';

/** Wednesday, 11 March 2026, 13:00 UTC, which is within office hours. */
const startMs = Date.UTC(2026, 2, 11, 13);

interface CallOptions {
  readonly key?: string | null;
  /** Sent as JSON. A string is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface CallResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed response; `undefined` if it isn't JSON. */
  readonly body: unknown;
}

export interface HostingSandboxFixture extends HostingSandbox {
  readonly nowMs: () => number;
  advance(ms: number): void;
  /** Calls a path. Uses the full key unless another is given; `null` sends no key. */
  call(method: string, path: string, options?: CallOptions): Promise<CallResponse>;
  /** Reads the payload of a GET. Throws if the GET fails. */
  read<Schema extends z.ZodType>(path: string, data: Schema): Promise<z.output<Schema>>;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Starts a sandbox whose clock moves only when the test advances it. Closes the sandbox after the test. */
export async function startHostingSandbox(
  options: Partial<HostingSandboxOptions> = {},
): Promise<HostingSandboxFixture> {
  let nowMs = startMs;
  const sandbox = await createHostingSandbox({ port: 0, now: () => nowMs, quota: 10_000, ...options });
  onTestFinished(() => sandbox.close());

  async function call(method: string, path: string, callOptions: CallOptions = {}): Promise<CallResponse> {
    const { key = 'sandbox-key-full', body, headers } = callOptions;
    const response = await fetch(sandbox.url + path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(path.startsWith('/sandbox/') && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parseJson(text) };
  }

  async function read<Schema extends z.ZodType>(path: string, data: Schema): Promise<z.output<Schema>> {
    const { body, status } = await call('GET', path);
    if (status !== 200 || typeof body !== 'object' || body === null || !('data' in body)) {
      throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`);
    }
    return data.parse(body.data);
  }

  return {
    ...sandbox,
    nowMs: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
    call,
    read,
  };
}
