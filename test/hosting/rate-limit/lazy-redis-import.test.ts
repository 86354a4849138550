import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('the Redis client is not loaded without a Redis URL', () => {
  const loadedWith = (options: object) => {
    const script = `
      import { createRequire } from 'node:module';
      import { createQuota } from ${JSON.stringify(new URL('../../../src/hosting/rate-limit/quota.ts', import.meta.url))};
      const quota = await createQuota(${JSON.stringify(options)});
      await quota.close();
      console.log(Object.keys(createRequire(import.meta.url).cache).join('\\n'));`;
    return execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  };
  expect(loadedWith({ callTimeoutMs: 1_000 })).not.toContain('ioredis/');
  expect(loadedWith({ callTimeoutMs: 1_000, redisUrl: 'redis://127.0.0.1:1' })).toContain('ioredis/');
});
