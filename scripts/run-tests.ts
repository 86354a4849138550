import { relative } from 'node:path';
import { startVitest, type Vitest } from 'vitest/node';

// The tests drive real processes and a real browser, on machines that are shared. In CI, the files that
// failed are run once more, in new processes. At a desk, a failure shows at once.

/** If more files fail, the machine's speed isn't the reason. */
const maxRepeatedFiles = 5;

/** Each test and each hook has two minutes, unless it blocks its process: then no timeout can end it. */
const longestSilenceMs = 10 * 60_000;

interface TestRun {
  readonly failedFiles: readonly string[];
  /** The number of errors outside of tests, such as unhandled rejections. */
  readonly errorCount: number;
}

/** Runs the tests of the matching files. If something fails, it sets the exit code of this process. */
async function runTests(filters: readonly string[]): Promise<TestRun> {
  let run: TestRun = { failedFiles: [], errorCount: 0 };
  let current: Vitest | undefined;
  const silence = setTimeout(() => {
    console.log('No test has ended for ten minutes. The files that are still running are stopped.');
    // The second request ends the processes, also those that are blocked.
    void current?.cancelCurrentRun('test-failure');
    void current?.cancelCurrentRun('test-failure');
  }, longestSilenceMs);
  const vitest = await startVitest('test', [...filters], {
    run: true,
    reporters: [
      'default',
      ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : []),
      {
        onInit(vitest) {
          current = vitest;
        },
        onTestCaseResult() {
          silence.refresh();
        },
        onTestRunEnd(modules, errors) {
          const failed = modules.filter((module) => !['passed', 'skipped'].includes(module.state()));
          run = {
            failedFiles: failed.map(({ moduleId }) => relative('.', moduleId)),
            errorCount: errors.length,
          };
        },
      },
    ],
  });
  clearTimeout(silence);
  await vitest.close();
  return run;
}

const { failedFiles, errorCount } = await runTests(process.argv.slice(2));
const isRepeated =
  process.env.CI !== undefined &&
  errorCount === 0 &&
  failedFiles.length > 0 &&
  failedFiles.length <= maxRepeatedFiles;
if (isRepeated) {
  const list = failedFiles.map((file) => `- ${file}`).join('\n');
  console.log(`These test files failed. They are run once more:\n${list}\n`);
  process.exitCode = 0;
  const repeated = await runTests(failedFiles);
  const isStillFailing = repeated.failedFiles.length > 0 || repeated.errorCount > 0;
  console.log(
    isStillFailing
      ? 'Test files failed again when they were run once more.'
      : `These test files failed at first, and passed when they were run once more:\n${list}`,
  );
}
