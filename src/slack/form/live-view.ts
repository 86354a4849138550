import type { types } from '@slack/bolt';
import type { Operation } from '../../operations/operation.ts';
import type { RawInput } from '../../operations/outcome.ts';
import type { FormAsker, LiveForms } from '../../operations/runs/live-forms.ts';
import { unlessLate } from '../../operations/runs/unless-late.ts';
import { type CaughtUp, catchUp, digestsOf } from './catch-up.ts';
import { asideOf, type FormState, follow, isToBeFilled, parentsOf } from './dependence.ts';
import type { Form } from './fields.ts';
import type { FormMetadata } from './metadata.ts';
import { formView } from './view.ts';

/** Slack opens a view, and takes the answer to what was sent, within 3 s. */
const fillWithinMs = 1_500;
const previewWithinMs = 1_000;

/** Shows forms with what their operations know beyond the fields. */
export interface LiveViews {
  /** Fills in what is known beside what was given; nothing where it names nothing to fill it from. Rejects where that takes too long. */
  fill(by: FormAsker, operation: Operation, raw: RawInput): Promise<RawInput | undefined>;
  /** Gives what the fields of a form are filled from, whatever else was given; nothing where nothing fills them. */
  keptOf(by: FormAsker, operation: Operation, raw: RawInput): Promise<RawInput | undefined>;
  /** Builds a form, with what it comes to, and what there is to say about it. */
  show(
    by: FormAsker,
    operation: Operation,
    state: FormState & { readonly notes?: readonly string[] },
    texts?: Form['texts'],
  ): Promise<types.ModalView>;
  /** Follows what has been chosen; nothing where the form stays as it is. */
  follow(by: FormAsker, operation: Operation, state: FormState): Promise<FormState | undefined>;
  /** Catches up with what somebody else has changed since the form was filled; nothing where nobody has. */
  catchUp(by: FormAsker, operation: Operation, state: FormState): Promise<CaughtUp | undefined>;
}

/** Creates what shows forms. */
export function createLiveViews(live: LiveForms): LiveViews {
  async function previewOf(by: FormAsker, operation: Operation, raw: RawInput) {
    // A form without it is better than none.
    return unlessLate(live.preview(by, operation, raw), previewWithinMs).catch(() => undefined);
  }

  const fill: LiveViews['fill'] = (by, operation, raw) =>
    unlessLate(live.fill(by, operation, raw), fillWithinMs);

  return {
    fill,

    keptOf,

    async show(by, operation, { raw, metadata, notes }, texts) {
      const preview = await previewOf(by, operation, raw);
      return formView(operation, raw, metadata, { texts, notes, preview });
    },

    async follow(by, operation, state) {
      const followed = follow(operation, state);
      if (!followed || !isToBeFilled(operation, state.metadata, followed.metadata)) return followed;
      return refill(by, operation, followed);
    },

    async catchUp(by, operation, state) {
      const kept = await keptOf(by, operation, state.raw);
      return kept && catchUp(operation, state, kept);
    },
  };

  async function keptOf(by: FormAsker, operation: Operation, raw: RawInput): Promise<RawInput | undefined> {
    const name = operation.kind === 'own' ? operation.form?.filledBy : undefined;
    const chosen = name === undefined ? undefined : raw[name];
    return name === undefined || chosen === undefined ? undefined : fill(by, operation, { [name]: chosen });
  }

  async function refill(
    by: FormAsker,
    operation: Operation,
    { raw, metadata }: FormState,
  ): Promise<FormState> {
    const { filledBy = '' } = metadata;
    const chosen = raw[filledBy];
    const given = chosen === undefined ? {} : { [filledBy]: chosen };
    const filled = (await fill(by, operation, given)) ?? given;
    return {
      raw: filled,
      metadata: withParents(operation, filled, { ...metadata, kept: digestsOf(filled) }),
    };
  }
}

function withParents(operation: Operation, raw: RawInput, metadata: FormMetadata): FormMetadata {
  const next = { ...metadata, parents: parentsOf(operation, raw) };
  return { ...next, aside: asideOf(operation, raw, next) };
}
