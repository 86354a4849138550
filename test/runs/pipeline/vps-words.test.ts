import { expect, test } from 'vitest';
import { patternsArgument } from '../../../src/auth/grants/grant-arguments.ts';
import { allVps } from '../../../src/auth/vps-pattern.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../../src/operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../../src/operations/define/define-operation.ts';
import { actor, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

const show = defineLocal({
  name: 'words',
  heading: 'Words',
  summary: 'Show which VPS are meant',
  arguments: { vps: patternsArgument(allVps) },
  button: 'Show',
  right: null,
  run: async (_, { vps }) => ({ title: vps }),
});

const request = (raw: RawInput) =>
  fixture.createRunner().request({
    requestKey: JSON.stringify(raw),
    operation: show,
    parsed: parseInput(show, raw),
    actor,
    origin: { channel: 'C1' },
  });

async function resolve(raw: RawInput) {
  const reply = await request(raw);
  if (reply.kind !== 'outcome') throw new Error(`no outcome, but ${JSON.stringify(reply)}`);
  return { title: reply.outcome.title, input: (await fixture.runs.find(reply.runId))?.input };
}

test('each name in a list of VPS becomes a VPS name, and patterns stay', async () => {
  expect(await resolve({ vps: 'web-01,  vps-2*, web-02.acme.example web-01' })).toEqual({
    title: 'web-01 (VPS-10001) VPS-2* web-02 (VPS-10002)',
    input: { vps: 'VPS-10001 VPS-2* VPS-10002' },
  });
  expect(await resolve({})).toEqual({ title: '*', input: {} });
});

test('a VPS that the service does not list cannot be one of several', async () => {
  const targets = ['web-01', 'VPS-99999'];
  expect(await fixture.request(fixture.createRunner(), 'reboot several', { targets })).toMatchObject({
    kind: 'problem',
    problem: { code: 'input_invalid', message: "VPS-99999 isn't in the service's list of VPS." },
  });
});
