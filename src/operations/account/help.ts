import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import { formatList } from '../../format-list.ts';
import type { CheckAccess } from '../define/access/access.ts';
import { canRunOnAny } from '../define/access/required-access.ts';
import type { Right } from '../define/access/right.ts';
import { type Argument, textArgument } from '../define/arguments/argument.ts';
import { isVpsControl, parseInput } from '../define/arguments/input.ts';
import { defineRead } from '../define/define-operation.ts';
import {
  hasForm,
  listGivenArguments,
  requiredPermissions,
  requiredRight,
  resolveEffect,
} from '../define/inspect-operation.ts';
import type { Catalogue, Operation } from '../define/operation.ts';
import type { Fact, Listing, NextStep, Outcome } from '../define/outcome.ts';
import { formatUsage, listEntries, prefersForm } from '../grammar/usage.ts';
import { maxTargets } from '../several/batch-operation.ts';

export const help = defineRead({
  name: 'help',
  heading: 'Help',
  summary: 'List what you can do, or explain one operation',
  arguments: {
    topic: textArgument(
      { label: 'Operation', example: 'snapshot create', initial: '', takesRemainingWords: true },
      z.string().trim().toLowerCase(),
    ),
  },
  right: null,
  endpoints: [],
  async run({ catalogue, loadAccess }, { topic }) {
    if (topic === '') return overview(catalogue, await loadAccess());
    const named = catalogue.match(topic.split(/\s+/));
    const operation = named?.nameWords === topic.split(/\s+/).length ? named.operation : undefined;
    if (operation) return explainOperation(operation, await loadAccess());
    const family = findFamily(topic, catalogue);
    if (family.length > 0) return explainFamily(topic, family, await loadAccess());
    const near = catalogue.suggest(topic.split(/\s+/));
    const hint = near ? ` Did you mean "${near.name}"?` : '';
    throw new RackhandError('input_invalid', `There's no command named "${topic}".${hint}`);
  },
});

/** Lists the operations that the reader can run, one line per group to fit on a phone. */
function overview(catalogue: Catalogue, checkAccess: CheckAccess): Outcome {
  const groups = catalogue.groups
    .map(({ heading, operations }) => ({
      heading,
      operations: operations.filter((operation) => canRunOnAny(checkAccess, operation)),
    }))
    .filter(({ operations }) => operations.length > 0);
  const missing = catalogue.groups
    .flatMap(({ operations }) => operations)
    .filter((operation) => !canRunOnAny(checkAccess, operation));
  return {
    title: 'What you can do',
    facts: groups.map(({ heading, operations }) => ({ label: heading, value: formatNames(operations) })),
    notes: [
      ...(missing.length > 0 ? [`You don't have permission here for: ${formatNames(missing)}.`] : []),
      'Type one after /vps, such as /vps list. If you leave values out, a form asks for them.',
      'Add --public to show an answer to the whole channel, or --reason "INC-42" to a change to log why.',
    ],
    next: groups.map(({ heading }) => ({
      label: toTitleCase(heading),
      operation: 'help',
      input: { topic: heading.toLowerCase() },
    })),
  };
}

/** Formats names, with the first word of each family written once: "webgate; domain add, delete". */
function formatNames(operations: readonly Operation[]): string {
  const entries = listEntries(operations);
  const families = Map.groupBy(entries, ({ name }) => name.split(' ', 1)[0] ?? '');
  const written = [...families].map(([first, family]) => {
    const rest = family.map(({ name }) => name.slice(first.length + 1)).filter((words) => words !== '');
    return `${first} ${rest.join(', ')}`.trim();
  });
  return written.join(families.size === entries.length ? ', ' : '; ');
}

/**
 * Returns the operations whose names start with the topic or, if no name does, the operations in the group
 * with that name.
 */
function findFamily(topic: string, { groups }: Catalogue): readonly Operation[] {
  const all = groups.flatMap(({ operations }) => operations);
  const named = all.filter(({ name }) => name.startsWith(`${topic} `));
  if (named.length > 0) return named;
  const group = groups.find(({ heading }) => heading.toLowerCase() === topic)?.operations ?? [];
  const firstWord = ({ name }: Operation) => name.split(' ', 1)[0];
  const isOfGroup = (one: Operation) => group.some((other) => firstWord(one) === firstWord(other));
  return all.filter((one) => group.includes(one) || (one.listedAs !== undefined && isOfGroup(one)));
}

/** Lists the operations in a family that the reader can run, and adds a note that names those the reader can't run. */
function explainFamily(topic: string, family: readonly Operation[], checkAccess: CheckAccess): Outcome {
  const open = family.filter((operation) => canRunOnAny(checkAccess, operation));
  const closed = family.filter((operation) => !open.includes(operation));
  const items = listEntries(open).map(({ name, usage, summary, operations: [first, ...others] }) =>
    others.length === 0 && opensForm(first)
      ? { typed: name, text: `${first.summary} (opens a form)` }
      : others.length === 0
        ? { typed: formatUsage(first), text: first.summary }
        : { typed: usage, text: summary },
  );
  return {
    title: open.length > 0 ? `What you can do: ${topic}` : `You can't use ${topic} here`,
    ...(items.length > 0 && { listings: [{ heading: 'To type', items }] }),
    notes: closed.length > 0 ? [`You don't have permission here for: ${formatNames(closed)}.`] : [],
    next: open
      .filter(hasForm)
      .map((operation) => createFormStep(operation, `${toTitleCase(operation.heading)}…`)),
  };
}

/** Returns whether typing only the operation's name opens its form. */
function opensForm(operation: Operation): boolean {
  return prefersForm(operation) && parseInput(operation, {}).kind === 'invalid';
}

function createFormStep({ name }: Operation, label: string): NextStep {
  return { label, operation: name, input: {}, opensForm: true };
}

function toTitleCase(heading: string): string {
  return heading.replace(/\b(?!(?:a|an|and|the|of|in|on|to|for)\b)[a-z]/g, (letter) => letter.toUpperCase());
}

function explainOperation(operation: Operation, checkAccess: CheckAccess): Outcome {
  const mayRun = canRunOnAny(checkAccess, operation);
  const permissions = requiredPermissions(operation).join(', ');
  const right = requiredRight(operation);
  return {
    title: operation.heading,
    facts: [
      {
        label: 'What it does',
        value: `${operation.summary}. ${effectDescriptions[resolveEffect(operation)]}`,
      },
      ...listGivenArguments(operation).map(([, argument]) => explainArgument(argument)),
    ],
    listings: [formatSyntax(operation)],
    notes: [
      right === null
        ? 'Every member of this workspace can run it.'
        : `It needs the "${right}" right${mayRun ? '' : ", which you don't have here"}.`,
      ...(permissions ? [`The API key needs ${permissions}.`] : []),
    ],
    next: [
      ...(mayRun && hasForm(operation) ? [createFormStep(operation, 'Open Form')] : []),
      ...(mayRun || right === null ? [] : [createRequestStep(right)]),
    ],
  };
}

/** Creates the button that asks an admin for the right that an operation needs. */
function createRequestStep(right: Right): NextStep {
  return { label: 'Request Access', operation: 'access ask', input: { right }, opensForm: true };
}

function formatSyntax(operation: Operation): Listing {
  const whole = { typed: formatUsage(operation), text: '' };
  const form = { typed: operation.name, text: 'opens a form' };
  const items = opensForm(operation) ? [form, whole] : [whole];
  const aliases = Object.entries(operation.aliases ?? {}).map(([typed, implied]) => {
    const [only] = Object.values(implied);
    return { typed, text: only === undefined ? `the same as ${operation.name}` : `only ${String(only)}` };
  });
  return { heading: 'To type', items: [...items, ...aliases, ...listBatchExamples(operation)] };
}

function listBatchExamples(operation: Operation): Listing['items'] {
  if (operation.kind !== 'change' || !operation.several) return [];
  const others = Object.values(operation.arguments).filter(
    ({ control, flag }) => flag === undefined && !isVpsControl(control),
  );
  const name = [operation.name, ...others.map(({ example }) => example)].join(' ');
  return [
    { typed: `${name} --vps web-*`, text: `all VPS that match, up to ${maxTargets}` },
    { typed: `${name} --state stopped`, text: 'all VPS in a state' },
    { typed: `${name} --vps web-* --at-a-time 2`, text: 'two at a time, until one fails' },
  ];
}

function explainArgument({ control, label, hint, example, flag, required }: Argument): Fact {
  const name = flag === undefined ? label : `--${flag}`;
  const values =
    control.kind === 'choice' ? `${formatList(control.options, 'or')}.` : `For example ${example}.`;
  return {
    label: required ? name : `${name} (optional)`,
    value: [flag === undefined ? '' : `${label}.`, hint, control.kind === 'switch' ? '' : values]
      .filter(Boolean)
      .join(' '),
  };
}

const effectDescriptions = {
  read: 'It changes nothing.',
  change: 'It runs immediately.',
  disrupt: "It can interrupt service, so you're asked to confirm it.",
  destroy: "It can cause data loss, so you're asked to confirm it.",
} as const;
