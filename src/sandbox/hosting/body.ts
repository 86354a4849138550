import { badRequest, Refusal } from './refusal.ts';
import type { Step } from './service.ts';

const bodyBytesMax = 1_000_000;

/**
 * Reads the body of a request as text, empty without one; refuses more than 1 MB with 413. What is too much is read
 * to its end all the same, because a client that is still sending would not see the answer.
 */
export function readBody(): Step {
  return async (context, next) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    for await (const chunk of context.env.incoming) {
      sizeBytes += chunk.length;
      if (sizeBytes <= bodyBytesMax) chunks.push(chunk);
    }
    if (sizeBytes > bodyBytesMax) throw new Refusal(413, 'body_too_large', 'A body may have 1 MB at most.');
    context.set('bodyText', Buffer.concat(chunks).toString('utf8'));
    await next();
  };
}

/** Parses a JSON body; nothing at all counts as an empty object. Refuses anything else with 400. */
export function parseJson(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest('The body is not valid JSON.');
  }
}
