import { beforeEach } from 'vitest';

// A setup file: it is run again for each test file.

let failures = 0;

/**
 * The tests of a file often share an app. If that app is broken, each test would wait for its timeout. After
 * three failures, the rest of the file is skipped.
 */
beforeEach(({ onTestFailed, skip }) => {
  skip(failures >= 3, 'three tests of this file have failed');
  onTestFailed(() => {
    failures += 1;
  });
});
