import { formatList } from '../format-list.ts';
import { isVpsName } from '../hosting/payloads/vps-name.ts';
import { findChoice, findSuggestions } from '../operations/choices/matching/find-choice.ts';
import type { ChoiceSource } from '../operations/define/arguments/choice-source.ts';
import { parseInput, type ValidInput } from '../operations/define/arguments/input.ts';
import type { FieldProblem, RawInput, RawRow } from '../operations/define/arguments/raw-input.ts';
import { getValueAt, listRemoteFields, setValueAt } from '../operations/define/arguments/remote-fields.ts';
import type { FormPreview, Operation, OperationContext } from '../operations/define/operation.ts';
import type { AccessSubject, FindDenial } from './pipeline/authorize.ts';
import { askWhetherMeant } from './pipeline/names/name-problems.ts';
import { createScope, resolveInput } from './pipeline/names/resolve-input.ts';
import type { OpenRunEnvironment } from './pipeline/run-environment.ts';

export type FormActor = AccessSubject;

/**
 * Answers a form's queries, for people who can run the operation. Each method may call the hosting service,
 * so callers limit how long they wait.
 */
export interface FormQueries {
  /** Returns the input with all known values, or undefined if the input lacks the values needed to fill in the form. */
  prefill(by: FormActor, operation: Operation, raw: RawInput): Promise<RawInput | undefined>;
  /**
   * Replaces other names for VPS in an input with VPS names, and returns the VPS labels by path. Drops
   * names that match no VPS or several VPS; the notes list the names that match no VPS.
   */
  resolveVps(by: FormActor, operation: Operation, raw: RawInput): Promise<ResolvedVps>;
  /** Describes what the operation would do with the form's values. */
  preview(by: FormActor, operation: Operation, raw: RawInput): Promise<FormPreview | undefined>;
  /**
   * Returns the rows that the service asks for, by argument. Leaves out arguments whose rows depend on a
   * value missing from the input.
   */
  suggestRows(by: FormActor, operation: Operation, raw: RawInput): Promise<SuggestedRows>;
  /** Returns problems with an input that the schemas accept, each with its field. */
  validate(by: FormActor, operation: Operation, parsed: ValidInput): Promise<readonly FieldProblem[]>;
  /**
   * Returns why a name in an input can't be used. Returns undefined if all names can be used, or if only the run can
   * tell.
   */
  findNameProblem(by: FormActor, operation: Operation, parsed: ValidInput): Promise<string | undefined>;
}

export interface ResolvedVps {
  readonly raw: RawInput;
  readonly notes?: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

export type SuggestedRows = Readonly<Record<string, readonly RawRow[]>>;

interface FormQueryDependencies {
  readonly openEnvironment: OpenRunEnvironment;
  readonly findDenial: FindDenial;
}

export function createFormQueries({ openEnvironment, findDenial }: FormQueryDependencies): FormQueries {
  const isDenied = async (by: FormActor, operation: Operation, raw: RawInput) =>
    (await findDenial(by, operation, parseInput(operation, raw))) !== undefined;

  return {
    async prefill(by, operation, raw) {
      if (operation.kind !== 'local' || !operation.form?.prefill) return raw;
      if (await isDenied(by, operation, raw)) return undefined;
      const { operationContext } = openEnvironment(by);
      const resolved = await resolveEntity(operation, raw, operation.form.prefilledBy, operationContext);
      return resolved && operation.form.prefill(operationContext, resolved);
    },

    async resolveVps(by, operation, raw) {
      const { operationContext } = openEnvironment(by);
      const scope = await createScope(operationContext);
      const labels: Record<string, string> = {};
      const notes: string[] = [];
      async function describeUnknown(source: ChoiceSource, name: string): Promise<readonly string[]> {
        const suggested = await findSuggestions(source, name, raw, operationContext.read, scope);
        const question = suggested.length > 0 ? [askWhetherMeant(suggested)] : [];
        return [source.formatNotFound(name, raw), ...question];
      }
      let resolved = raw;
      // Text fields are left out, because they accept any name.
      const fields = listRemoteFields(operation, raw).filter(
        ({ source, isWord }) => source.listsVps && !isWord,
      );
      for (const { path, source } of fields) {
        const name = getValueAt(operation, raw, path);
        if (name === undefined) continue;
        const found = await findChoice(source, name.trim(), raw, operationContext.read, scope);
        if (found.kind === 'known') labels[path] = found.choice.text;
        // A VPS name stays, even if the service doesn't list it.
        if (isVpsName(name.trim())) continue;
        if (found.kind === 'unknown') notes.push(...(await describeUnknown(source, name)));
        const value = found.kind === 'known' ? found.choice.value : '';
        resolved = setValueAt(operation, resolved, path, value);
      }
      return { raw: resolved, labels, ...(notes.length > 0 && { notes }) };
    },

    async preview(by, operation, raw) {
      if (operation.kind !== 'local') return undefined;
      return operation.form?.preview?.build(openEnvironment(by).operationContext, raw);
    },

    async suggestRows(by, operation, raw) {
      const sources = Object.entries(operation.arguments).flatMap(([name, { control }]) => {
        const suggestions = control.kind === 'rows' ? control.suggestions : undefined;
        return suggestions && raw[suggestions.dependsOn] !== undefined ? [{ name, suggestions }] : [];
      });
      if (sources.length === 0 || (await isDenied(by, operation, raw))) return {};
      const { read } = openEnvironment(by).operationContext;
      const rows = sources.map(async ({ name, suggestions }) => [name, await suggestions.load(read, raw)]);
      return Object.fromEntries(await Promise.all(rows));
    },

    async validate(by, operation, parsed) {
      if (operation.kind !== 'local' || !operation.validate) return [];
      // A person without access gets only the denial, which the run reports.
      if (await findDenial(by, operation, parsed)) return [];
      const resolved = await resolveInput(operation, parsed, openEnvironment(by).operationContext);
      return resolved.kind === 'valid' ? [] : (resolved.fieldProblems ?? []);
    },

    async findNameProblem(by, operation, parsed) {
      const { operationContext } = openEnvironment(by);
      const resolved = await resolveInput(operation, parsed, operationContext, { acceptsUnlisted: true });
      if (resolved.kind === 'valid') return undefined;
      const { message, advice, nextSteps = [] } = resolved.problem;
      const choices = nextSteps.filter((step) => step.operation === operation.name && !step.isUncertain);
      if (choices.length === 0) return `${message} ${advice}`;
      return `${message} Type the VPS name of ${formatList(
        choices.map(({ label }) => label),
        'or',
      )}.`;
    },
  };
}

/** Replaces the name in one argument with an ID. Returns undefined if nothing has that name. */
async function resolveEntity(
  operation: Operation,
  raw: RawInput,
  name: string | undefined,
  { read, workspace }: OperationContext,
): Promise<RawInput | undefined> {
  const field = listRemoteFields(operation, raw).find(({ path }) => path === name);
  const typedName = name === undefined ? undefined : raw[name];
  if (name === undefined || !field || typeof typedName !== 'string') return raw;
  const found = await findChoice(field.source, typedName, raw, read, { workspace });
  if (found.kind === 'unknown') return undefined;
  return found.kind === 'known' ? { ...raw, [name]: found.choice.value } : raw;
}
