import { z } from 'zod';
import { listVps } from '../../hosting/endpoints/vps.ts';
import { readVpsList } from '../../hosting/payloads/vps.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import { type InputOf, rowsArgument } from '../define/arguments/argument.ts';
import { optionalArgument } from '../define/arguments/optional-argument.ts';
import type { RawInput } from '../define/arguments/raw-input.ts';
import type { ChangeOperation, OperationContext } from '../define/operation.ts';
import type { TargetState } from '../define/target-state.ts';
import { createTargetState, readTargetStateIfPermitted } from '../format/target-state.ts';

/** Maximum number of VPS in a batch: the most that one card can show with their states. */
export const maxTargets = 50;

const maxAtATime = 10;

export const batchArguments = {
  targets: rowsArgument({
    label: 'VPS',
    flag: 'vps',
    valueName: 'name|pattern',
    example: 'web-*',
    hint: `Several VPS, at most ${maxTargets}. A pattern such as web-* matches names and hostnames.`,
    fields: { vps: vpsArgument() },
    min: 0,
    max: maxTargets,
    parseWord: (word) => ({ vps: word }),
  }),
  state: optionalArgument(
    { label: 'State', flag: 'state', example: 'stopped', hint: 'Only VPS in this state.' },
    z.string().trim().max(100, { error: 'State: give at most 100 characters' }),
  ),
  atATime: optionalArgument(
    {
      label: 'At a time',
      flag: 'at-a-time',
      valueName: 'number',
      example: '2',
      hint: 'How many VPS to change at once. The next one starts when one is done, and none start after a failure.',
    },
    z
      .string()
      .trim()
      .regex(/^([1-9]|10)$/, { error: `At a time must be a whole number from 1 to ${maxAtATime}` })
      .transform(Number),
  ),
};

export type BatchInput = InputOf<typeof batchArguments>;

/** Returns the name of the operation that runs another one on several VPS. */
export function toBatchName(name: string): string {
  return `${name} several`;
}

/** Creates the operation that runs `inner` on several VPS. The batch operation itself makes no call. */
export function createBatchOperation(inner: ChangeOperation): ChangeOperation {
  const { vps: _, ...otherArguments } = inner.arguments;
  const { several, warning: _warning, readProgress: _progress, ...shared } = inner;
  const { button = inner.button, warning } = several ?? {};
  const readInput = (input: unknown) => input as BatchInput;
  const describe = (input: unknown) => {
    const [first, ...others] = readInput(input).targets;
    return others.length === 0 && first ? first.vps : `${others.length + 1} VPS`;
  };
  return {
    ...shared,
    name: toBatchName(inner.name),
    arguments: { ...batchArguments, ...otherArguments },
    batchOf: inner,
    button,
    ...(warning !== undefined && { warning }),
    title: (input) => inner.title({ ...input, vps: describe(input) }),
    target: describe,
    readTargetState: (context, input) => readStates(context, readInput(input)),
    request: () => {
      throw new Error('a batch makes no call');
    },
    outcome: () => {
      throw new Error('a batch has no response');
    },
  };
}

/** Reads the states of all VPS with one call. */
function readStates({ read }: OperationContext, { targets }: BatchInput): Promise<TargetState> {
  return readTargetStateIfPermitted('State', async () => {
    const { vps } = readVpsList(await read(listVps, {}));
    const byName = new Map(vps.map((one) => [one.name, one]));
    const facts = targets.map(({ vps: name }) => {
      const known = byName.get(name);
      const state = known ? (known.state ?? 'not shown') : 'not in the list';
      return { label: name, value: { kind: 'state', state } as const };
    });
    return createTargetState(facts);
  });
}

/** Returns the input for the run on one VPS in a batch. */
export function toTargetInput({ targets: _, state, atATime, ...others }: RawInput, vps: string): RawInput {
  return { ...others, vps };
}
