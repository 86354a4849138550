import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { aimNames } from '../../bench/aims.ts';
import { formatPage, parsePage } from '../../bench/page-format.ts';

const text = readFileSync(new URL('../../docs/internals/benchmarks.md', import.meta.url), 'utf8');
const page = parsePage(text);
const order = { names: [...page.sections.keys()], aimNames };

test('the page of the benchmarks keeps what is not measured anew', () => {
  expect(page.sections.size).toBeGreaterThan(5);
  expect([...page.aims.keys()]).toEqual(aimNames.filter((name) => page.aims.has(name)));
  expect(formatPage(page, order)).toBe(text);
});

test('a benchmark that runs again replaces its section and its aims', () => {
  const section = { machine: 'another day, another machine', output: 'a table' };
  const aim = {
    what: 'help at 200/s: ack p99',
    aim: 'at most 50 ms',
    measured: '51 ms',
    verdict: 'missed',
  } as const;
  const changed = formatPage(
    {
      aims: new Map([...page.aims, [aim.what, aim]]),
      sections: new Map([...page.sections, ['flood', section]]),
    },
    order,
  );
  const read = parsePage(changed);
  expect(read.sections).toEqual(new Map([...page.sections, ['flood', section]]));
  expect(read.aims).toEqual(new Map([...page.aims, [aim.what, aim]]));
});
