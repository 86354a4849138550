import { z } from 'zod';
import { RackhandError } from '../../error.ts';
import { type Argument, textArgument } from '../argument.ts';
import type { Catalogue, Group } from '../catalogue.ts';
import { parseInput } from '../input.ts';
import { defineRead, effectOf, type Operation, permissionsOf, rightOf } from '../operation.ts';
import type { Fact, Listing, NextStep, Outcome } from '../outcome.ts';
import { mayBegin, type Reach } from '../runs/access.ts';
import { isForForm, usageOf } from '../usage.ts';

/** Forms of a family that are a button each. */
const mostButtons = 4;

export const help = defineRead({
  name: 'help',
  heading: 'Help',
  summary: 'Explain what can be done, or one operation',
  arguments: {
    topic: textArgument(
      { label: 'Operation', example: 'snapshot create', initial: '', takesRest: true },
      z.string().trim().toLowerCase(),
    ),
  },
  right: null,
  uses: [],
  async run({ catalogue, reach }, { topic }) {
    if (topic === '') return overview(catalogue, await reach());
    const operation = catalogue.find(topic);
    if (operation) return explainOperation(operation, await reach());
    const family = familyOf(topic, catalogue);
    if (family.length > 0) return explainFamily(topic, family, await reach());
    const near = catalogue.suggest(topic.split(/\s+/));
    const hint = near ? ` The nearest is "${near.name}".` : '';
    throw new RackhandError('input_invalid', `There is no operation called "${topic}".${hint}`);
  },
});

/** Lists what its reader may do, a line for each group, with a button for more of it: it is read on a phone too. */
function overview(catalogue: Catalogue, reach: Reach): Outcome {
  const groups = catalogue.groups
    .map(({ heading, operations }) => ({
      heading,
      operations: operations.filter((operation) => mayBegin(reach, operation)),
    }))
    .filter(({ operations }) => operations.length > 0);
  const missing = countOf(catalogue.groups) - countOf(groups);
  return {
    title: 'What you can do',
    facts: groups.map(({ heading, operations }) => ({ label: heading, value: namesOf(operations) })),
    notes: [
      ...(missing > 0 ? [`${missing} more need a right that you lack here.`] : []),
      'Type one after the command, such as /vps list; leave values out and a form asks for them.',
      'Add --public to an answer that everybody in the channel should see.',
    ],
    next: groups.map(({ heading }) => ({
      label: inTitleCase(heading),
      operation: 'help',
      input: { topic: heading.toLowerCase() },
    })),
  };
}

function countOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { operations }) => sum + operations.length, 0);
}

/** Writes names short, the word that a family has in common once: "webgate; domain add, delete". */
function namesOf(operations: readonly Operation[]): string {
  const families = new Map<string, string[]>();
  for (const { name } of operations) {
    const [first = '', ...rest] = name.split(' ');
    families.set(first, [...(families.get(first) ?? []), ...(rest.length > 0 ? [rest.join(' ')] : [])]);
  }
  const written = [...families].map(([first, rest]) => `${first} ${rest.join(', ')}`.trim());
  return written.join(families.size === operations.length ? ', ' : '; ');
}

/** Finds the operations whose names begin with a word, or whose group is called so. */
function familyOf(topic: string, { groups }: Catalogue): readonly Operation[] {
  const all = groups.flatMap(({ operations }) => operations);
  const named = all.filter(({ name }) => name.startsWith(`${topic} `));
  if (named.length > 0) return named;
  return groups.find(({ heading }) => heading.toLowerCase() === topic)?.operations ?? [];
}

/** Shows what its reader may do of a family, and names the rest. */
function explainFamily(topic: string, family: readonly Operation[], reach: Reach): Outcome {
  const open = family.filter((operation) => mayBegin(reach, operation));
  const closed = family.filter((operation) => !open.includes(operation));
  const items = open.map((operation) =>
    opensForm(operation)
      ? { typed: operation.name, text: `${operation.summary}: opens a form` }
      : { typed: usageOf(operation), text: operation.summary },
  );
  return {
    title: open.length > 0 ? `What you can do: ${topic}` : `Nothing that you can do here: ${topic}`,
    ...(items.length > 0 && { listings: [{ heading: 'To type', items }] }),
    notes: closed.length > 0 ? [`You lack the right here for: ${namesOf(closed)}.`] : [],
    next: open
      .filter(opensForm)
      .slice(0, mostButtons)
      .map((operation) => formStep(operation, `${inTitleCase(operation.heading)}…`)),
  };
}

/** Tells whether its name alone opens a form, which is the better way to ask for it. */
function opensForm(operation: Operation): boolean {
  return isForForm(operation) && !parseInput(operation, {}).ok;
}

function formStep({ name }: Operation, label: string): NextStep {
  return { label, operation: name, input: {}, opensForm: true };
}

/** Writes a heading as the label of a button. */
function inTitleCase(heading: string): string {
  return heading.replace(/\b(?!(?:a|an|the|of|in|on|to|for)\b)[a-z]/g, (letter) => letter.toUpperCase());
}

function explainOperation(operation: Operation, reach: Reach): Outcome {
  const mayRun = mayBegin(reach, operation);
  const permissions = permissionsOf(operation).join(', ');
  const right = rightOf(operation);
  return {
    title: operation.heading,
    facts: [
      { label: 'What it does', value: `${operation.summary}. ${effects[effectOf(operation)]}` },
      ...Object.values(operation.arguments).map(explainArgument),
    ],
    listings: [typedAs(operation)],
    notes: [
      right === null
        ? 'Every member of the workspace may do it.'
        : `It takes the right “${right}”${mayRun ? '' : ', which you lack here'}.`,
      ...(permissions ? [`The API key needs ${permissions}.`] : []),
    ],
    ...(mayRun && isForForm(operation) && { next: [formStep(operation, 'Open Form')] }),
  };
}

function typedAs(operation: Operation): Listing {
  const whole = { typed: usageOf(operation), text: '' };
  const form = { typed: operation.name, text: 'opens a form' };
  return { heading: 'To type', items: opensForm(operation) ? [form, whole] : [whole] };
}

function explainArgument({ control, label, hint, example, flag, required }: Argument): Fact {
  const name = flag === undefined ? label : `--${flag}`;
  const values = control.kind === 'choice' ? `${control.options.join(' or ')}.` : `For example ${example}.`;
  return {
    label: required ? name : `${name} (optional)`,
    value: [flag === undefined ? '' : `${label}.`, hint, control.kind === 'switch' ? '' : values]
      .filter(Boolean)
      .join(' '),
  };
}

const effects = {
  read: 'It changes nothing.',
  change: 'It runs as soon as you ask.',
  disturb: 'It may interrupt something, so it asks you first.',
  destroy: 'It may lose something, so it asks you first.',
} as const;
