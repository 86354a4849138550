import { expect, test } from 'vitest';
import { loadFullCatalogue } from '../../../scripts/load-full-catalogue.ts';
import { contract } from '../../../src/hosting/endpoints/contract.ts';
import type { Endpoint } from '../../../src/hosting/endpoints/endpoint.ts';
import { listEndpoints } from '../../../src/operations/define/inspect-operation.ts';
import { parseCommand } from '../../../src/operations/grammar/parse-command.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { allCases } from './cases/all-cases.ts';
import { alertCommands, alertingWatch, localCommands } from './local-commands.ts';
import type { OperationCase } from './operation-case.ts';

const catalogue = hostingOperations();
const operations = catalogue.groups.flatMap((group) => group.operations);
const cases = Object.values(allCases).flat();

test('every endpoint of the API is called by the operation of a case', () => {
  const uncovered = Object.entries(contract).filter(
    ([, endpoint]) => !cases.some((one) => coversEndpoint(one, endpoint)),
  );
  expect(uncovered.map(([name]) => name)).toEqual([]);
});

/**
 * Returns whether a case expects a call of an endpoint, and its operation makes it. A read can also
 * load the options of a select.
 */
function coversEndpoint({ operation: name, calls: expected }: OperationCase, endpoint: Endpoint): boolean {
  const operation = catalogue.find(name);
  const isItsOwn = operation !== undefined && listEndpoints(operation).includes(endpoint);
  return expected.some(
    ({ method, path }) =>
      method === endpoint.method && (isItsOwn || method === 'GET') && matchesRoute(path, endpoint.path),
  );
}

/** A pattern of a case starts like the endpoint's path, up to the first identifier. */
function matchesRoute(path: string | RegExp, route: string): boolean {
  if (typeof path === 'string') {
    return new RegExp(`^${route.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  }
  return path.source.replaceAll('\\/', '/').startsWith(`^${route.split('{')[0]}`);
}

test('every operation has a case, and one with its form if an argument is required', () => {
  const missing = operations.filter(({ name, arguments: fields }) => {
    const own = cases.filter(({ operation }) => operation === name);
    // If every argument is optional, the command alone opens no form.
    const needsForm = Object.values(fields).some(({ required }) => required);
    return !own.some(({ form }) => !needsForm || form);
  });
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test("every operation that acts on Rackhand's own data has a command that works", async () => {
  const full = await loadFullCatalogue();
  const typed = [...localCommands, alertingWatch, ...alertCommands].map((text) => parseCommand(text, full));
  const run = new Set(typed.map((parsed) => (parsed.kind === 'run' ? parsed.operation.name : parsed.kind)));
  const missing = full.groups
    .flatMap((group) => group.operations.map(({ name }) => name))
    .filter((name) => !run.has(name) && !catalogue.find(name));
  // A watch has no times to skip. The others open a form or a dialog, which has tests of its own.
  expect(missing).toEqual(['watch skip', 'connect', 'rotate']);
});
