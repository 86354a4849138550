import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { allOperations } from '../../../src/operations/all.ts';
import type { Case } from './case.ts';
import { allCases } from './cases/all.ts';
import { driveByCommand, driveByForm, driveByMention } from './drive.ts';
import type { Shown } from './secrecy.ts';
import { type Stage, startStage } from './stage.ts';

const catalogue = allOperations();

let stage: Stage;
beforeEach(async () => {
  stage = await startStage();
});
afterEach(() => stage.close());

describe.each(Object.entries(allCases))('%s', (_, cases) => {
  test.each(cases)('/vps $typed, typed', async (one) => {
    expectSettled(one, await driveByCommand(stage, one));
  });

  test.each(cases.filter(({ form }) => form))('/vps $typed, by its form', async (one) => {
    expectSettled(one, await driveByForm(stage, one));
  });

  test.each(oneOfEachKind(cases))('@Rackhand $typed, mentioned in a thread', async (one) => {
    expectSettled(one, await driveByMention(stage, one));
  });
});

function expectSettled({ secret = false }: Case, shown: Shown): void {
  expect(shown).toBe(secret ? 'shown once' : 'no secret');
}

/** Picks one that only reads and one that changes something. */
function oneOfEachKind(cases: readonly Case[]): readonly Case[] {
  const kindOf = ({ operation }: Case) => catalogue.find(operation)?.kind;
  return ['read', 'change'].flatMap((kind) => cases.find((one) => kindOf(one) === kind) ?? []);
}
