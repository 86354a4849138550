import type { FieldProblem } from '../input.ts';
import type { FormPreview, Operation, OperationContext } from '../operation.ts';
import type { RawInput } from '../outcome.ts';
import { remotePlaces } from '../raw-place.ts';
import { findChoice } from '../sources/find-choice.ts';
import { checkInput } from './checked-input.ts';
import type { Run } from './run.ts';
import type { BenchFor, Steps } from './steps.ts';

/** Who fills in a form, and where it was asked for. */
export type FormAsker = Pick<Run, 'asker' | 'origin'>;

/** What forms know beyond their fields, for who may run their operations. Every method may read, and is given up where Slack does not wait. */
export interface LiveForms {
  /** Fills in what is known beside what was given; nothing where what was given names nothing to fill it from. */
  fill(by: FormAsker, operation: Operation, raw: RawInput): Promise<RawInput | undefined>;
  /** Tells what the fields come to. */
  preview(by: FormAsker, operation: Operation, raw: RawInput): Promise<FormPreview | undefined>;
  /** Finds what is wrong with what the schemas have accepted, each beside its field. */
  problemsOf(by: FormAsker, operation: Operation, raw: RawInput): Promise<readonly FieldProblem[]>;
}

interface LiveFormParts {
  readonly benchFor: BenchFor;
  readonly refusalOf: Steps['refusalOf'];
}

/** Creates what brings forms to life. */
export function createLiveForms({ benchFor, refusalOf }: LiveFormParts): LiveForms {
  const isRefused = async (by: FormAsker, operation: Operation, raw: RawInput) =>
    (await refusalOf(by, operation, raw)) !== undefined;

  return {
    async fill(by, operation, raw) {
      if (operation.kind !== 'own' || !operation.form?.fill) return raw;
      if (await isRefused(by, operation, raw)) return undefined;
      const { context } = benchFor(by);
      const named = await identify(operation, raw, operation.form.filledBy, context);
      return named && operation.form.fill(context, named);
    },

    async preview(by, operation, raw) {
      if (operation.kind !== 'own') return undefined;
      return operation.form?.preview?.tell(benchFor(by).context, raw);
    },

    async problemsOf(by, operation, raw) {
      if (operation.kind !== 'own' || !operation.check) return [];
      // Whoever may not run it is told so by the run, and nothing else.
      if (await isRefused(by, operation, raw)) return [];
      const checked = await checkInput(operation, raw, benchFor(by).context);
      return checked.ok ? [] : (checked.beside ?? []);
    },
  };
}

/** Puts the identifier for what something is called by; nothing where there is no such thing. */
async function identify(
  operation: Operation,
  raw: RawInput,
  name: string | undefined,
  { read, asker }: OperationContext,
): Promise<RawInput | undefined> {
  const place = remotePlaces(operation, raw).find(({ path }) => path === name);
  const written = name === undefined ? undefined : raw[name];
  if (name === undefined || !place || typeof written !== 'string') return raw;
  const found = await findChoice(place.source, written, raw, read, asker.teamId);
  if (found.kind === 'unknown') return undefined;
  return found.kind === 'known' ? { ...raw, [name]: found.choice.value } : raw;
}
