import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** A pause of a given length: of Node.js, in a promise, or of Playwright. */
const fixedWait =
  /import \{[^}]*\bsetTimeout\b[^}]*\} from 'node:timers\/promises'|new Promise[^;]*?\bsetTimeout\((?:[\w.]+|\(\) => [^;]*), [^;]*\)|promisify\(setTimeout\)|\bscheduler\.wait\(|\bwaitForTimeout\(/;

/** Files whose tests run on a fake clock, so that a pause takes no time. */
const fakeClock = /\bvi\.useFakeTimers\(/;

/** Every file that pauses in real time, with the reason. */
const exceptions: Readonly<Record<string, string>> = {
  'packages/slack-sandbox/test/eventually.ts': 'pauses between two attempts',
  'test/eventually.ts': 'pauses between two attempts',
  'test/chaos/chaos.ts': 'the chaos run takes as many minutes as it is given',
  'test/chaos/check.ts': 'the chaos run takes as many minutes as it is given',
  'test/chaos/faults.ts': 'a fault lasts for a time',
  'test/chaos/fleet.ts': 'a fault lasts for a time',
  'test/hosting/quota/call-recorder.ts': 'a call takes a time',
  'test/hosting/quota/replica-process.ts': 'a call takes a time',
};

function waitsInRealTime(text: string): boolean {
  return fixedWait.test(text) && !fakeClock.test(text);
}

describe('a test waits for a condition', () => {
  test('and never for a fixed time, except in the listed files', () => {
    const paths = globSync('{test,packages/*/test}/**/*.ts', { exclude: [import.meta.filename] });
    const waiting = paths.filter((path) => waitsInRealTime(readFileSync(path, 'utf8')));
    expect(waiting.sort()).toEqual(Object.keys(exceptions).sort());
  });

  test.each([
    "import { setTimeout as delay } from 'node:timers/promises';",
    "import { setImmediate as turn, setTimeout } from 'node:timers/promises';",
    'await new Promise((resolve) => setTimeout(resolve, 300));',
    'await new Promise<void>((done) => {\n  setTimeout(() => done(), pauseMs);\n});',
    'await promisify(setTimeout)(300);',
    'await scheduler.wait(300);',
    'await page.waitForTimeout(500);',
  ])('%j is found', (text) => {
    expect(waitsInRealTime(text)).toBe(true);
    expect(waitsInRealTime(`vi.useFakeTimers();\n${text}`)).toBe(false);
  });
});
