import { z } from 'zod';
import { RackhandError } from '../../error.ts';
import { type Argument, textArgument } from '../argument.ts';
import type { Catalogue } from '../catalogue.ts';
import { defineRead, effectOf, type Operation, permissionsOf } from '../operation.ts';
import type { Fact, Outcome } from '../outcome.ts';
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
    const near = catalogue.suggest(topic.split(/\s+/));
    const hint = near ? ` The nearest is "${near.name}".` : '';
    throw new RackhandError('input_invalid', `There is no operation called "${topic}".${hint}`);
  },
});

function overview({ groups }: Catalogue): Outcome {
  return {
    title: 'What you can do',
    listings: groups.map(({ heading, operations }) => ({
      heading,
      items: operations.map((operation) => ({
        typed: shortUsageOf(operation),
        text: operation.summary,
      })),
    })),
    notes: [
      'Leave values out and a form asks for them.',
      'Add --public to an answer that everybody in the channel should see.',
      'The word help and an operation explain that one, as in: help lb create.',
    ],
  };
}

function explainOperation(operation: Operation): Outcome {
  const permissions = permissionsOf(operation).join(', ');
  return {
    title: operation.heading,
    facts: [
      { label: 'What it does', value: `${operation.summary}. ${effects[effectOf(operation)]}` },
      ...Object.values(operation.arguments).map(explainArgument),
    ],
    listings: [{ heading: 'Typed', items: [{ typed: usageOf(operation), text: '' }] }],
    notes: permissions ? [`The API key needs ${permissions}.`] : [],
  };
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
