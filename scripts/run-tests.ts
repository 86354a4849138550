import { relative } from 'node:path';
import { startVitest } from 'vitest/node';

// The tests drive real processes and a real browser, on machines that are shared. In CI, the files that
// failed are run once more, in new processes. At a desk, a failure shows at once.

/** If more files fail, the machine's speed isn't the reason. */
const maxRepeatedFiles = 5;

/**
 * Runs the tests of the matching files. If something fails, it sets the exit code of this process. Returns the failed
 * files, and the number of errors outside of tests, such as unhandled rejections.
 */
async function runTests(filters: readonly string[]) {
  let run: { readonly failedFiles: readonly string[]; readonly errorCount: number } = {
    failedFiles: [],
    errorCount: 0,
  };
  const vitest = await startVitest('test', [...filters], {
    run: true,
    reporters: [
      'default',
      ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : []),
      {
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
  await vitest.close();
  return run;
}

const { failedFiles, errorCount } = await runTests(process.argv.slice(2));
const isFew = failedFiles.length > 0 && failedFiles.length <= maxRepeatedFiles;
if (process.env.CI !== undefined && errorCount === 0 && isFew) {
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
