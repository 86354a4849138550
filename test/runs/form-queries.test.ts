import { expect, test } from 'vitest';
import { z } from 'zod';
import { listVps } from '../../src/hosting/endpoints/vps.ts';
import { vpsChoices } from '../../src/operations/choices/sources/vps.ts';
import { textArgument } from '../../src/operations/define/arguments/argument.ts';
import { parseInput } from '../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../src/operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../src/operations/define/define-operation.ts';
import type { Operation } from '../../src/operations/define/operation.ts';
import type { RunnerDependencies } from '../../src/runs/runner.ts';
import { actor, useRunnerFixture } from './runner-fixture.ts';

const fixture = useRunnerFixture();
const by = { actor, origin: { channel: 'C1' } };

/** A fleet in which two VPS are called `db`. */
const fleet = {
  vps: [
    { vps_name: 'VPS-1', hostname: 'web-01.acme.example' },
    { vps_name: 'VPS-2', hostname: 'db.acme.example' },
    { vps_name: 'VPS-3', hostname: 'db.globex.example' },
  ],
};

const create = (overrides: Partial<RunnerDependencies> = {}) =>
  fixture.createRunner({
    hostingClientFor: () => ({
      ...fixture.client,
      call: async (endpoint, ...rest) =>
        endpoint.path === listVps.path
          ? (endpoint.data.parse(fleet) as never)
          : fixture.client.call(endpoint, ...rest),
    }),
    ...overrides,
  }).formQueries;

const denied: RunnerDependencies['resolveAccess'] = async () => () => ({ message: 'no', advice: 'no' });

/** An operation whose form shows the stored note of the chosen VPS. */
const note = defineLocal({
  name: 'note',
  heading: 'Note',
  summary: 'Write a note about a VPS',
  arguments: {
    vps: {
      label: 'VPS',
      example: 'VPS-1',
      control: { kind: 'remote', source: vpsChoices },
      required: true,
      schema: z.string(),
    },
    text: textArgument({ label: 'Text', example: 'hello', initial: '' }, z.string()),
  },
  button: 'Save',
  right: 'operate',
  form: {
    prefilledBy: 'vps',
    prefill: async (_, given) => ({ ...given, text: `stored for ${String(given.vps)}` }),
  },
  validate: async (_, { text }) => (text === '' ? [{ path: 'text', message: 'Write something' }] : []),
  run: async () => ({ title: 'Saved' }),
});

function findOperation(name: string): Operation {
  const operation = fixture.withOperations().find(name);
  if (!operation) throw new Error(`no operation ${name}`);
  return operation;
}

function parse(operation: Operation, raw: RawInput) {
  const parsed = parseInput(operation, raw);
  if (parsed.kind !== 'valid') throw new Error(JSON.stringify(parsed.problems));
  return parsed;
}

test('a form is prefilled for the VPS that a name means', async () => {
  const { prefill } = create();
  for (const vps of ['web-01', 'VPS-1'])
    expect(await prefill(by, note, { vps })).toEqual({ vps: 'VPS-1', text: 'stored for VPS-1' });
  expect(await prefill(by, note, {})).toEqual({ text: 'stored for undefined' });
  expect(await prefill(by, note, { vps: 'db' })).toEqual({ vps: 'db', text: 'stored for db' });
  expect(await prefill(by, note, { vps: 'mail' })).toBeUndefined();
  expect(await create({ resolveAccess: denied }).prefill(by, note, { vps: 'VPS-1' })).toBeUndefined();
  expect(await prefill(by, findOperation('reboot'), { vps: 'web-01' })).toEqual({ vps: 'web-01' });
});

test('the names of VPS in a form become VPS names with labels', async () => {
  const { resolveVps } = create();
  const reboot = findOperation('reboot');
  expect(await resolveVps(by, reboot, { vps: 'web-01' })).toEqual({
    raw: { vps: 'VPS-1' },
    labels: { vps: 'web-01 (VPS-1)' },
  });
  expect(await resolveVps(by, reboot, { vps: 'VPS-1' })).toEqual({
    raw: { vps: 'VPS-1' },
    labels: { vps: 'web-01 (VPS-1)' },
  });
  expect(await resolveVps(by, reboot, { vps: 'VPS-99' })).toEqual({ raw: { vps: 'VPS-99' }, labels: {} });
  for (const vps of ['db', 'mail'])
    expect((await resolveVps(by, reboot, { vps })).raw.vps, vps).not.toBe(vps);
  expect((await resolveVps(by, reboot, { vps: 'web-1' })).notes).toEqual([
    'Rackhand found no VPS called "web-1".',
    'Did you mean web-01 (VPS-1)?',
  ]);
  expect(await create({ resolveAccess: denied }).resolveVps(by, reboot, { vps: 'web-01' })).toMatchObject({
    labels: {},
  });
});

test('other names in a form stay as they were typed', async () => {
  const remove = findOperation('snapshot delete');
  const typed = { vps: 'web-01', snapshot: 'nightly' };
  expect((await create().resolveVps(by, remove, typed)).raw).toEqual({ vps: 'VPS-1', snapshot: 'nightly' });
});

test('a form says why a name cannot be used', async () => {
  const { findNameProblem } = create();
  const find = (vps: string, operation = findOperation('reboot')) =>
    findNameProblem(by, operation, parse(operation, { vps }));
  expect(await find('web-01')).toBeUndefined();
  expect(await find('VPS-99')).toBeUndefined();
  expect(await find('mail')).toBe('Rackhand found no VPS called "mail". Check the name.');
  expect(await find('web-1')).toBe('Rackhand found no VPS called "web-1". Did you mean web-01 (VPS-1)?');
  expect(await find('db')).toMatch(
    /^"db" could mean more than one VPS\. Type the VPS name of .*VPS-2.* or .*VPS-3.*\.$/,
  );
});

test('a form shows the problems that the operation finds, but only to people who are allowed it', async () => {
  const empty = parse(note, { vps: 'VPS-1' });
  const problem = [{ path: 'text', message: 'Write something' }];
  expect(await create().validate(by, note, empty)).toEqual(problem);
  expect(await create().validate(by, note, parse(note, { vps: 'VPS-1', text: 'hello' }))).toEqual([]);
  expect(await create().validate(by, note, parse(note, { vps: 'db', text: 'hello' }))).toEqual([]);
  // An unlisted VPS is a problem of its own, which the run reports.
  expect(await create().validate(by, note, parse(note, { vps: 'VPS-9' }))).toEqual([]);
  expect(await create({ resolveAccess: denied }).validate(by, note, empty)).toEqual([]);
  const reboot = findOperation('reboot');
  expect(await create().validate(by, reboot, parse(reboot, { vps: 'mail' }))).toEqual([]);
});

test('an operation without a preview or rows gets none', async () => {
  const reboot = findOperation('reboot');
  expect(await create().preview(by, note, { vps: 'VPS-1' })).toBeUndefined();
  expect(await create().preview(by, reboot, { vps: 'VPS-1' })).toBeUndefined();
  expect(await create().suggestRows(by, reboot, { vps: 'VPS-1' })).toEqual({});
});

test('rows are suggested from the chosen VPS, but only to people who are allowed the operation', async () => {
  const suggestions = { dependsOn: 'vps', load: async () => [{ port: '22' }] };
  const rows = { ...note.arguments.text, control: { kind: 'rows', suggestions } };
  const forward = { ...note, arguments: { ...note.arguments, rows } } as never as Operation;
  expect(await create().suggestRows(by, forward, {})).toEqual({});
  expect(await create().suggestRows(by, forward, { vps: 'VPS-1' })).toEqual({ rows: [{ port: '22' }] });
  const { suggestRows } = create({ resolveAccess: denied });
  expect(await suggestRows(by, forward, { vps: 'VPS-1' })).toEqual({});
});
