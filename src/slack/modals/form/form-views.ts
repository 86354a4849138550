import type { types } from '@slack/bolt';
import type { RawInput, RawRow } from '../../../operations/define/arguments/raw-input.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import type { FormActor, FormQueries, ResolvedVps, SuggestedRows } from '../../../runs/form-queries.ts';
import { withTimeout } from '../../../with-timeout.ts';
import type { FormContext } from './field-blocks.ts';
import {
  type FormState,
  readHiddenValues,
  readParentValues,
  refreshDependents,
  shouldPrefill,
} from './field-dependencies.ts';
import { createId, type FormMetadata } from './form-metadata.ts';
import { createFormSnapshot, type MergedForm, mergeStoredChanges } from './form-snapshot.ts';
import { buildFormView } from './form-view.ts';

/** Time limit (ms) for prefilling a form. Slack allows only 3 s to open a modal or respond to a submission. */
const prefillTimeoutMs = 1_500;
const previewTimeoutMs = 1_000;
const namesTimeoutMs = 700;
const rowsTimeoutMs = 600;

export interface FormViews {
  /**
   * Adds stored values to `raw`. Returns undefined if `raw` doesn't name anything to prefill from.
   * Throws `deadline_passed` if reading takes too long.
   */
  prefill(formActor: FormActor, operation: Operation, raw: RawInput): Promise<RawInput | undefined>;
  /**
   * Resolves the VPS in `raw` to VPS names, and returns their labels by path. If that takes too long, leaves them to
   * the run.
   */
  resolveVps(formActor: FormActor, operation: Operation, raw: RawInput): Promise<ResolvedVps>;
  /**
   * Returns the stored values that prefill a form, without the other values in `raw`. Returns undefined if nothing is
   * stored.
   */
  loadStoredValues(formActor: FormActor, operation: Operation, raw: RawInput): Promise<RawInput | undefined>;
  /** Adds the rows that the service requires, if they can be read in time. */
  addSuggestedRows(formActor: FormActor, operation: Operation, state: FormState): Promise<FormState>;
  build(
    formActor: FormActor,
    operation: Operation,
    state: FormState & { readonly notes?: readonly string[] | undefined },
    choiceLabels?: FormContext['choiceLabels'],
  ): Promise<types.ModalView>;
  /** Updates a form after a choice. Returns undefined if the form doesn't change. */
  refresh(formActor: FormActor, operation: Operation, state: FormState): Promise<FormState | undefined>;
  /** Merges changes that others have saved since the form was filled in. Returns undefined if nothing has changed. */
  mergeStoredChanges(
    formActor: FormActor,
    operation: Operation,
    state: FormState,
  ): Promise<MergedForm | undefined>;
}

export function createFormViews(formQueries: FormQueries): FormViews {
  async function loadPreview(formActor: FormActor, operation: Operation, raw: RawInput) {
    // If the preview fails, the form opens without it.
    return withTimeout(formQueries.preview(formActor, operation, raw), previewTimeoutMs).catch(
      () => undefined,
    );
  }

  const prefill: FormViews['prefill'] = (formActor, operation, raw) =>
    withTimeout(formQueries.prefill(formActor, operation, raw), prefillTimeoutMs);

  return {
    prefill,

    resolveVps: (formActor, operation, raw) =>
      withTimeout(formQueries.resolveVps(formActor, operation, raw), namesTimeoutMs).catch(() => ({
        raw,
        labels: {},
      })),

    loadStoredValues,

    async build(formActor, operation, { raw, metadata, notes }, choiceLabels) {
      const preview = await loadPreview(formActor, operation, raw);
      return buildFormView(operation, raw, metadata, { choiceLabels, notes, preview });
    },

    addSuggestedRows: suggestRows,

    async refresh(formActor, operation, state) {
      const refreshed = refreshDependents(operation, state);
      if (!refreshed) return undefined;
      if (!shouldPrefill(operation, state.metadata, refreshed.metadata))
        return suggestRows(formActor, operation, refreshed);
      return refill(formActor, operation, refreshed);
    },

    async mergeStoredChanges(formActor, operation, state) {
      const stored = await loadStoredValues(formActor, operation, state.raw);
      return stored && mergeStoredChanges(operation, state, stored);
    },
  };

  async function suggestRows(
    formActor: FormActor,
    operation: Operation,
    state: FormState,
  ): Promise<FormState> {
    // If the rows can't be read, the form opens without them.
    const suggested = await withTimeout(
      formQueries.suggestRows(formActor, operation, state.raw),
      rowsTimeoutMs,
    ).catch(() => ({}));
    return addSuggestedRows(state, suggested);
  }

  async function loadStoredValues(
    formActor: FormActor,
    operation: Operation,
    raw: RawInput,
  ): Promise<RawInput | undefined> {
    const name = operation.kind === 'local' ? operation.form?.prefilledBy : undefined;
    const prefillValue = name === undefined ? undefined : raw[name];
    return name === undefined || prefillValue === undefined
      ? undefined
      : prefill(formActor, operation, { [name]: prefillValue });
  }

  async function refill(
    formActor: FormActor,
    operation: Operation,
    { raw, metadata }: FormState,
  ): Promise<FormState> {
    const { prefillField = '' } = metadata;
    const prefillValue = raw[prefillField];
    const prefillInput = prefillValue === undefined ? {} : { [prefillField]: prefillValue };
    const prefilled = (await prefill(formActor, operation, prefillInput)) ?? prefillInput;
    return {
      raw: prefilled,
      metadata: withParents(operation, prefilled, { ...metadata, snapshot: createFormSnapshot(prefilled) }),
    };
  }
}

function withParents(operation: Operation, raw: RawInput, metadata: FormMetadata): FormMetadata {
  const next = { ...metadata, parentValues: readParentValues(operation, raw) };
  return { ...next, hiddenValues: readHiddenValues(operation, raw, next) };
}

/** Adds the suggested rows that the form doesn't have yet. Rows with the same name count as the same. */
function addSuggestedRows(state: FormState, suggested: SuggestedRows): FormState {
  return Object.entries(suggested).reduce((form, [name, rows]) => addRows(form, name, rows), state);
}

function addRows({ raw, metadata }: FormState, argument: string, suggested: readonly RawRow[]): FormState {
  const given = raw[argument];
  const rows = Array.isArray(given) ? given : [];
  const names = rows.map((row) => (typeof row === 'string' ? row.split('=')[0] : row.name));
  const added = suggested.filter(({ name }) => !names.includes(name));
  if (added.length === 0) return { raw, metadata };
  const rowIds = [...(metadata.rows[argument] ?? []), ...added.map(createId)];
  return {
    raw: { ...raw, [argument]: [...rows, ...added] },
    metadata: { ...metadata, rows: { ...metadata.rows, [argument]: rowIds } },
  };
}
