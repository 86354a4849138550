import { defineConfig } from 'vitest/config';

const needsServices = ['test/**/*.{redis,postgres,browser}.test.ts'];

export default defineConfig({
  test: {
    // The default leaves one core idle, and these tests wait more than they compute.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000, interval: 10 } },
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: needsServices },
      },
      {
        extends: true,
        test: { name: 'services', include: needsServices },
      },
    ],
  },
});
