import pino from 'pino';
import { expect, test } from 'vitest';
import { createRateLimiter } from '../../../src/hosting/rate-limit/rate-limiter.ts';

test('a Redis that is away is logged once for each reason, however often it is asked', async () => {
  const problems: string[] = [];
  const logger = pino({}, { write: (line) => void problems.push(JSON.parse(line).problem) });
  const limiter = await createRateLimiter({ callTimeoutMs: 1_000, redisUrl: 'redis://127.0.0.1:1', logger });
  // An attempt to connect fails while an answer is awaited.
  for (let count = 0; count < 3; count += 1) {
    expect(await limiter.blockade()).toMatchObject({ blockedReason: 'unreachable' });
  }
  await limiter.close();
  expect(problems).toHaveLength(new Set(problems).size);
  expect(problems).toContain("Redis didn't answer within 2000 ms");
});
