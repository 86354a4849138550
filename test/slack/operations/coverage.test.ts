import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/hosting/contract.ts';
import { allOperations } from '../../../src/operations/all.ts';
import { endpointsOf } from '../../../src/operations/operation.ts';
import { allCases } from './cases/all.ts';

const operations = allOperations().groups.flatMap((group) => group.operations);
const cases = Object.values(allCases).flat();

describe('every endpoint of the API', () => {
  test.each(Object.entries(contract))('%s is called by an operation', (_, endpoint) => {
    const callers = operations.filter((operation) => endpointsOf(operation).includes(endpoint));
    expect(callers).not.toEqual([]);
  });

  test.each(Object.entries(contract))('%s is called in a case', (_, { method, path }) => {
    const pattern = new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
    const calls = cases.flatMap((one) => one.calls);
    const isCalled = calls.some((call) => call.method === method && pattern.test(sampleOf(call.path)));
    expect(isCalled).toBe(true);
  });
});

describe('every operation', () => {
  test.each(operations)('$name has a case', ({ name }) => {
    expect(cases.filter(({ operation }) => operation === name)).not.toEqual([]);
  });

  const withArguments = operations.filter((operation) => Object.keys(operation.arguments).length > 0);
  test.each(withArguments)('$name has a case by its form', ({ name }) => {
    expect(cases.filter(({ operation, form }) => operation === name && form)).not.toEqual([]);
  });
});

test('every case is of an operation that there is', () => {
  const names = operations.map(({ name }) => name);
  for (const { operation } of cases) expect(names).toContain(operation);
});

/** Writes a path that a pattern stands for: identifiers in it are patterns of their own. */
function sampleOf(path: string | RegExp): string {
  if (typeof path === 'string') return path;
  return path.source
    .replace(/^\^|\$$/g, '')
    .replaceAll('\\/', '/')
    .replace(/[[(][^/]*[\])][+*]?/g, 'x');
}
