import { ApiError, badRequest } from './api-error.ts';
import type { Middleware } from './service.ts';

const maxBodyBytes = 1_000_000;

/**
 * Reads the body as text, which is empty if there is none. Rejects more than 1 MB with 413. Larger
 * bodies are still read to the end, because a client doesn't see the response while it is sending.
 */
export function readBody(): Middleware {
  return async (context, next) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    for await (const chunk of context.env.incoming) {
      sizeBytes += chunk.length;
      if (sizeBytes <= maxBodyBytes) chunks.push(chunk);
    }
    if (sizeBytes > maxBodyBytes) throw new ApiError(413, 'body_too_large', 'A body can have at most 1 MB.');
    context.set('bodyText', Buffer.concat(chunks).toString('utf8'));
    await next();
  };
}

/** Parses a JSON body. An empty body counts as an empty object. Rejects anything else with 400. */
export function parseJson(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}
