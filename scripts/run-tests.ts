import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { z } from 'zod';

// The tests drive real processes and a real browser, on machines that are shared. In CI, the files that
// failed are run once more, in new processes. At a desk, a failure shows at once.

/** If more files fail, the machine's speed isn't the reason. */
const maxRepeatedFiles = 5;

const reportFormat = z.object({
  testResults: z.array(z.object({ name: z.string(), status: z.string() })),
});

/** Runs the tests of the matching files. Returns the exit status, and the paths of the files that failed. */
function runTests(filters: readonly string[]): { status: number; failedFiles: readonly string[] } {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-tests-'));
  const report = join(directory, 'report.json');
  const reporters = ['default', 'json', ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : [])];
  const { status } = spawnSync(
    'vitest',
    ['run', ...reporters.map((name) => `--reporter=${name}`), `--outputFile.json=${report}`, ...filters],
    { stdio: 'inherit' },
  );
  const files = existsSync(report)
    ? reportFormat.parse(JSON.parse(readFileSync(report, 'utf8'))).testResults
    : [];
  rmSync(directory, { recursive: true });
  return {
    status: status ?? 1,
    failedFiles: files.filter((file) => file.status === 'failed').map(({ name }) => relative('.', name)),
  };
}

let { status, failedFiles } = runTests(process.argv.slice(2));
const isRepeated =
  process.env.CI !== undefined && failedFiles.length > 0 && failedFiles.length <= maxRepeatedFiles;
if (isRepeated) {
  const list = failedFiles.map((file) => `- ${file}`).join('\n');
  console.log(`These test files failed. They are run once more:\n${list}\n`);
  ({ status } = runTests(failedFiles));
  console.log(
    status === 0
      ? `These test files failed at first, and passed when they were run once more:\n${list}`
      : 'Test files failed again when they were run once more.',
  );
}
process.exitCode = status;
