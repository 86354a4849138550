import { z } from 'zod';
import { RackhandError } from '../../error.ts';
import { type Argument, textArgument } from '../argument.ts';
import type { Catalogue } from '../catalogue.ts';
import { defineRead, effectOf, type Operation, permissionsOf } from '../operation.ts';
import type { Fact, Listing, Outcome } from '../outcome.ts';
import { shortUsageOf, usageOf } from '../usage.ts';

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
  uses: [],
  async run({ catalogue }, { topic }) {
    if (topic === '') return overview(catalogue);
    const operation = catalogue.find(topic);
    if (operation) return explainOperation(operation);
    const family = familyOf(topic, catalogue);
    if (family.length > 0) return explainFamily(topic, family);
    const near = catalogue.suggest(topic.split(/\s+/));
    const hint = near ? ` The nearest is "${near.name}".` : '';
    throw new RackhandError('input_invalid', `There is no operation called "${topic}".${hint}`);
  },
});

/** Lists everything: a line is enough for an operation whose name says what it does. */
function overview({ groups }: Catalogue): Outcome {
  return {
    title: 'What you can do',
    listings: groups.map(({ heading, operations }) => ({
      heading,
      items: operations.map((operation) => ({
        typed: shortUsageOf(operation),
        text: saysMore(operation) ? operation.summary : '',
      })),
    })),
    notes: [
      'Leave values out and a form asks for them.',
      'Add --public to an answer that everybody in the channel should see.',
      'More of one operation, or of a family of them: help lb create, help snapshot.',
    ],
  };
}

/** Words that tell nothing of what an operation does. */
const filling = new Set(
  'a an the of to or on in with for from by at it its is and all one show account'.split(' '),
);

/** Tells whether the summary of an operation says anything that is not typed anyway. */
function saysMore(operation: Operation): boolean {
  const typed = new Set(wordsOf(usageOf(operation)));
  return wordsOf(operation.summary).some((word) => !filling.has(word) && !typed.has(word));
}

/** Gives the words of a text, singular and plural alike. */
function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[a-z]+/g) ?? []).map((word) =>
    word === 'vps' ? word : word.replace(/(ss)?e?s$/, '$1'),
  );
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
  return { title: `What you can do: ${topic}`, listings: [{ heading: 'Typed', items }] };
}

function explainOperation(operation: Operation): Outcome {
  const permissions = permissionsOf(operation).join(', ');
  return {
    title: operation.heading,
    facts: [
      { label: 'What it does', value: `${operation.summary}. ${effects[effectOf(operation)]}` },
      ...Object.values(operation.arguments).map(explainArgument),
    ],
    listings: [typedAs(operation)],
    notes: permissions ? [`The API key needs ${permissions}.`] : [],
  };
}

function typedAs(operation: Operation): Listing {
  return { heading: 'Typed', items: [{ typed: usageOf(operation), text: '' }] };
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
