import { RackhandError } from '../error.ts';
import { inputSchema } from '../operations/argument.ts';
import {
  defineOwn,
  type FormPreview,
  type Operation,
  type OperationContext,
} from '../operations/operation.ts';
import type { RawInput } from '../operations/outcome.ts';
import { misplanned, nameTaken, problemsOf } from '../reports/plan-problems.ts';
import { type WatchInput, watchArguments } from './arguments.ts';
import { greetChannel } from './greeting.ts';
import { type MakeWatchPlan, paceFacts, planFacts } from './planning.ts';
import { takeApart } from './sentence.ts';
import type { WatchVoice } from './voice.ts';
import type { WatchStore } from './watch-store.ts';

interface AddWatchParts {
  readonly store: Pick<WatchStore, 'add'>;
  readonly makePlan: MakeWatchPlan;
  readonly voice: Pick<WatchVoice, 'say'>;
  /** Has the watches of a workspace looked at soon. */
  readonly begin: (teamId: string) => Promise<void>;
  readonly now: () => number;
}

/** Declares the operation that sets a watch. */
export function createAddWatch({ store, makePlan, voice, begin, now }: AddWatchParts): Operation {
  return defineOwn({
    name: 'watch add',
    heading: 'Set a watch',
    summary: 'Tell a channel when a figure or a state lasts, as in watch add VPS-100* cpu > 90% for 10m',
    arguments: watchArguments,
    sentence: { usage: '[PATTERN] CONDITION [for TIME]', read: takeApart },
    button: 'Watch',
    right: 'change',
    isAccountWide: true,
    target: ({ name, vps = '*', measure }) => name ?? `${measure} of ${vps}`,
    form: {
      fill: async ({ origin: { channel = '' } }, given) => ({
        ...(/^[CG]/.test(channel) && { channel }),
        ...given,
      }),
      preview: {
        of: ['vps', 'measure', 'is', 'figure', 'match', 'state', 'lasts'],
        tell: (context, given) => previewWatch(makePlan, context, given),
      },
    },
    check: (context, input) => problemsOf(makePlan(context, input)),
    async run(context, input) {
      const { asker } = context;
      const planning = await makePlan(context, input);
      if (!planning.ok) throw misplanned(planning.problems);
      const { plan, vpsCount, everyMs } = planning;
      await greetChannel(voice, asker.teamId, plan);
      const watch = await store.add(asker, plan, now());
      if (!watch) throw nameTaken('watch', plan.name);
      await begin(asker.teamId);
      const { name } = watch;
      return {
        title: `The watch "${name}" is set`,
        facts: [...planFacts(plan, vpsCount), ...paceFacts(plan.condition, everyMs)],
        next: [
          { label: 'Show', operation: 'watch show', input: { name } },
          { label: 'Edit', operation: 'watch edit', input: { name }, opensForm: true },
          { label: 'Delete', operation: 'watch delete', input: { name } },
          { label: 'Watches', operation: 'watch list', input: {} },
        ],
      };
    },
  });
}

const schema = inputSchema(watchArguments);

/** Tells what a watch in a form comes to, or in a sentence why it is none yet. */
export async function previewWatch(
  makePlan: MakeWatchPlan,
  context: OperationContext,
  given: RawInput,
): Promise<FormPreview> {
  const heading = 'What it comes to';
  const parsed = schema.safeParse({ ...given, name: undefined });
  if (!parsed.success)
    return { heading, lines: [...new Set(parsed.error.issues.map(({ message }) => `${message}.`))] };
  const input: WatchInput = { ...parsed.data, channel: parsed.data.channel || 'C0' };
  const planning = await makePlan(context, input).catch((error: unknown) => {
    if (error instanceof RackhandError) return undefined;
    throw error;
  });
  if (!planning) return { heading, lines: ['How many VPS are meant could not be read now.'] };
  if (!planning.ok) return { heading, lines: planning.problems.map(({ message }) => `${message}.`) };
  const { plan, vpsCount, everyMs } = planning;
  const facts = [...planFacts(plan, vpsCount), ...paceFacts(plan.condition, everyMs)];
  return {
    heading,
    lines: facts.flatMap(({ label, value }) => (typeof value === 'string' ? [`${label}: ${value}`] : [])),
  };
}
