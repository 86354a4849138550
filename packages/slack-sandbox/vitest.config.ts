import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'slack-sandbox',
    include: ['test/**/*.test.ts'],
    // The files of a process share its loaded modules and its browser.
    isolate: false,
    // Most of a file's time is spent waiting for a browser and for timers.
    maxWorkers: availableParallelism() + 4,
    // A test waits for a condition, so a long timeout costs time only if the test fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['../../scripts/give-up.ts'],
    expect: { poll: { timeout: 60_000, interval: 25 } },
  },
});
