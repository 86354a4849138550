import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Requirements of OWASP ASVS 4.0.3 with a mark at level 1 or 2: numbers or ranges of each section. */
const sections: Readonly<Record<string, string>> = {
  '1.1': '1-7',
  '1.2': '1-4',
  '1.4': '1 4 5',
  '1.5': '1-4',
  '1.6': '1-4',
  '1.7': '1-2',
  '1.8': '1-2',
  '1.9': '1-2',
  '1.10': '1',
  '1.11': '1-2',
  '1.12': '2',
  '1.14': '1-6',
  '2.1': '1-12',
  '2.2': '1-3',
  '2.3': '1-3',
  '2.4': '1-5',
  '2.5': '1-7',
  '2.6': '1-3',
  '2.7': '1-6',
  '2.8': '1-7',
  '2.9': '1-3',
  '2.10': '1-4',
  '3.1': '1',
  '3.2': '1-4',
  '3.3': '1-4',
  '3.4': '1-5',
  '3.5': '1-3',
  '3.7': '1',
  '4.1': '1-3 5',
  '4.2': '1-2',
  '4.3': '1-3',
  '5.1': '1-5',
  '5.2': '1-8',
  '5.3': '1-10',
  '5.4': '1-3',
  '5.5': '1-4',
  '6.1': '1-3',
  '6.2': '1-6',
  '6.3': '1-2',
  '6.4': '1-2',
  '7.1': '1-4',
  '7.2': '1-2',
  '7.3': '1 3 4',
  '7.4': '1-3',
  '8.1': '1-4',
  '8.2': '1-3',
  '8.3': '1-8',
  '9.1': '1-3',
  '9.2': '1-4',
  '10.2': '1-2',
  '10.3': '1-3',
  '11.1': '1-8',
  '12.1': '1-3',
  '12.2': '1',
  '12.3': '1-6',
  '12.4': '1-2',
  '12.5': '1-2',
  '12.6': '1',
  '13.1': '1 3-5',
  '13.2': '1-3 5 6',
  '13.3': '1-2',
  '13.4': '1-2',
  '14.1': '1-4',
  '14.2': '1-6',
  '14.3': '2 3',
  '14.4': '1-7',
  '14.5': '1-4',
};

const requirements = Object.entries(sections).flatMap(([section, ranges]) =>
  ranges.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => `${section}.${first + index}`);
  }),
);

const answers = readFileSync('docs/asvs.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [number, answer, reason, shownBy, ...others] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { line, number, answer, reason, paths: shownBy?.match(/(?<=`)[^`,\s]+(?=`)/g) ?? [], others };
  });

test('docs/asvs.md answers each requirement once, in order', () => {
  expect(answers.map(({ number }) => number)).toEqual(requirements);
});

test('each answer is one of four, gives a reason, and names files that exist', () => {
  const known = ['met', 'partly', 'not met', 'does not apply'];
  const wrong = answers.filter(
    ({ answer = '', reason, paths, others }) =>
      !known.includes(answer) ||
      !reason ||
      others.length > 0 ||
      ((answer === 'met' || answer === 'partly') && paths.length === 0) ||
      paths.some((path) => !existsSync(path)),
  );
  expect(wrong.map(({ line }) => line)).toEqual([]);
});

test('docs/security-review.md names the requirements that are not met', () => {
  const [, page = ''] = readFileSync('docs/security-review.md', 'utf8').split('## OWASP');
  const named = [...page.matchAll(/\((\d+\.\d+\.\d+)\)/g)].map(([, number]) => number);
  expect(named).toEqual(answers.filter(({ answer }) => answer === 'not met').map(({ number }) => number));
});
