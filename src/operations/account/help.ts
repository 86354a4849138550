import { z } from 'zod';
import { RackhandError } from '../../error.ts';
import { type Argument, textArgument } from '../argument.ts';
import type { Catalogue, Group } from '../catalogue.ts';
import { defineRead, effectOf, type Operation, permissionsOf, rightOf } from '../operation.ts';
import type { Fact, Listing, Outcome } from '../outcome.ts';
import { mayBegin, type Reach } from '../runs/access.ts';
import { usageOf } from '../usage.ts';

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
    if (operation) return explainOperation(operation);
    const family = familyOf(topic, catalogue);
    if (family.length > 0) return explainFamily(topic, family);
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
      label: heading.replace(/\b[a-z]/g, (letter) => letter.toUpperCase()),
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

function explainFamily(topic: string, family: readonly Operation[]): Outcome {
  const items = family.map((operation) => ({ typed: usageOf(operation), text: operation.summary }));
  return { title: `What you can do: ${topic}`, listings: [{ heading: 'To type', items }] };
}

function explainOperation(operation: Operation): Outcome {
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
      right === null ? 'Every member of the workspace may do it.' : `It takes the right “${right}”.`,
      ...(permissions ? [`The API key needs ${permissions}.`] : []),
    ],
  };
}

function typedAs(operation: Operation): Listing {
  return { heading: 'To type', items: [{ typed: usageOf(operation), text: '' }] };
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
