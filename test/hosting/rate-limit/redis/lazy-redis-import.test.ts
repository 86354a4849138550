import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the Redis client is not loaded without a Redis URL', () => {
  const loadedWith = (options: object) => {
    const script = `
      import { createRequire } from 'node:module';
      import { createRateLimiter } from ${JSON.stringify(new URL('../../../../src/hosting/rate-limit/rate-limiter.ts', import.meta.url))};
      const limiter = await createRateLimiter(${JSON.stringify(options)});
      await limiter.close();
      console.log(Object.keys(createRequire(import.meta.url).cache).join('\\n'));`;
    return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  };
  expect(loadedWith({ callTimeoutMs: 1_000 })).not.toContain('ioredis/');
  expect(loadedWith({ callTimeoutMs: 1_000, redisUrl: 'redis://127.0.0.1:1' })).toContain('ioredis/');
});
