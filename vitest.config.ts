import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files also wait for timers and for other processes. Each worker takes 3 s of CPU time to load the app. */
const workerCount = availableParallelism() + 2;

// The test processes, and the processes that they start, reuse each other's compiled code. This is the
// directory that Node.js uses by default.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');

// The files of all tests are in memory if the system offers that, because SQLite would otherwise wait for the disk
// at every write.
const scratchDirectory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'rackhand-tests-'));
process.env.TEST_SCRATCH_DIRECTORY = scratchDirectory;
process.on('exit', () => rmSync(scratchDirectory, { recursive: true }));

/** Matches the files that take longest. If one of them started last, the other workers would be idle. */
const startFirst =
  /reports\/(on-time|schedule\/year)\.|end-to-end\/|isolation\/|hostile\/|every-operation\.|replicas\.postgres|simulation\/simulation/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(startFirst.test(moduleId));
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => isLong(b) - isLong(a));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Most objects of a test die young. A larger young generation saves up to 8% of the CPU time.
    execArgv: ['--max-semi-space-size=16'],
    // On a busy machine everything takes several times longer. A test waits for a condition, so a long
    // timeout costs time only if the test fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ['./scripts/give-up.ts'],
    expect: { poll: { timeout: 60_000, interval: 25 } },
    maxWorkers: workerCount,
    include: ['test/**/*.test.ts'],
    // The files of a process share its loaded modules. Loading them would be most of the cost of a short file.
    isolate: false,
    // Node.js runs the TypeScript itself. Starting a process of tests then takes 2 s less CPU time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
