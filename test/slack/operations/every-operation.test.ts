import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { type StackFixture, startStackFixture } from '../stack-fixture.ts';
import { allCases } from './cases/all-cases.ts';
import type { SecretResult } from './expect-secret.ts';
import type { OperationCase } from './operation-case.ts';
import { runByCommand, runByForm, runByMention } from './run-case.ts';

const catalogue = hostingOperations();

let stage: StackFixture;
beforeEach(async () => {
  stage = await startStackFixture();
});
afterEach(async () => {
  try {
    await expectNoSecretStays();
  } finally {
    await stage.close();
  }
});

/** Texts that must not appear in a log or metric: keys, tokens, e-mail addresses, response URLs. */
const neverLogged =
  /sandbox-key-\w+|x(?:oxb|app)-[\w-]+|ops@acme\.example|\/(?:commands|actions)\/T[A-Z0-9]+\/[\w/]+/g;

async function expectNoSecretStays(): Promise<void> {
  const metrics = await (await fetch(`${stage.serverUrl}/metrics`)).text();
  expect(`${stage.log()}${metrics}`.match(neverLogged) ?? []).toEqual([]);
  expect(stage.rows().match(/sandbox-key-\w+|x(?:oxb|app)-[\w-]+/g) ?? []).toEqual([]);
}

describe.each(Object.entries(allCases))('%s', (_, cases) => {
  test.each(cases)('/vps $command, typed', async (one) => {
    expectSecretResult(one, await runByCommand(stage, one));
  });

  test.each(cases.filter(({ form }) => form))('/vps $command, by its form', async (one) => {
    expectSecretResult(one, await runByForm(stage, one));
  });

  test.each(pickOneOfEachKind(cases))('@Rackhand $command, mentioned in a thread', async (one) => {
    expectSecretResult(one, await runByMention(stage, one));
  });
});

function expectSecretResult({ hasSecret = false }: OperationCase, shown: SecretResult): void {
  expect(shown).toBe(hasSecret ? 'shown once' : 'no secret');
}

/** Picks one that only reads and one that changes something. */
function pickOneOfEachKind(cases: readonly OperationCase[]): readonly OperationCase[] {
  const kindOf = ({ operation }: OperationCase) => catalogue.find(operation)?.kind;
  return ['read', 'change'].flatMap((kind) => cases.find((one) => kindOf(one) === kind) ?? []);
}
