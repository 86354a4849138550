import { selectVps } from '../../monitoring/shared/plan-target.ts';
import { vpsSelectionSchema } from '../../monitoring/shared/vps-selection.ts';
import { canViewVps } from '../../operations/define/access/access.ts';
import { isVpsControl, parseInput, type ValidInput } from '../../operations/define/arguments/input.ts';
import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import { formatTitle } from '../../operations/define/inspect-operation.ts';
import type { Catalogue, ChangeOperation, OperationContext } from '../../operations/define/operation.ts';
import { parseCommand } from '../../operations/grammar/parse-command.ts';
import { resolveInput } from '../../runs/pipeline/names/resolve-input.ts';

/** Maximum number of targets. With more, some calls might not be sent within their five-minute limit. */
export const maxTargets = 40;

/** The operations that take snapshots and, for retention, delete them. */
export const snapshotOperation = 'snapshot create';
export const deleteOperation = 'snapshot delete';

/** A VPS that a schedule acts on, with the operation's full input. */
export interface PlannedTarget {
  /** Empty if the operation acts on no VPS. */
  readonly vps: string;
  readonly label: string;
  readonly parsed: ValidInput;
}

/** Why something can't be scheduled. The text has no final period. */
export interface ActProblem {
  readonly kind: 'problem';
  readonly problem: string;
}

const actProblem = (problem: string): ActProblem => ({ kind: 'problem', problem });

export interface ParsedAct {
  readonly kind: 'act';
  readonly operation: ChangeOperation;
  readonly raw: RawInput;
}

export function parseAct(text: string, catalogue: Catalogue): ParsedAct | ActProblem {
  // `snapshot web-01` is short for `snapshot create web-01`.
  const [first, second = '', ...rest] = text.split(/\s+/);
  const isShort = first === 'snapshot' && !catalogue.find(`snapshot ${second}`);
  const command = parseCommand(isShort ? ['snapshot create', second, ...rest].join(' ') : text, catalogue);
  if (command.kind === 'unknown')
    return actProblem(
      `"${command.typed}" isn't a command${command.suggestion ? `. Did you mean ${command.suggestion.name}?` : ''}`,
    );
  if (command.kind === 'malformed') return actProblem(command.message.replace(/\.$/, ''));
  const { operation, raw } = command;
  if (operation.kind === 'change' && operation.confirmation?.textToType)
    return actProblem(
      `${operation.name} can't be scheduled, because you have to type the VPS name to confirm it`,
    );
  if (operation.kind === 'change')
    return operation.batchOf ? fromBatch(operation.batchOf, raw) : { kind: 'act', operation, raw };
  return actProblem(`Only changes at the hosting service can be scheduled, and ${operation.name} isn't one`);
}

/** Converts a batch. Its VPS become the schedule's targets, each with its own run. */
function fromBatch(
  operation: ChangeOperation,
  { targets, state, atATime, ...raw }: RawInput,
): ParsedAct | ActProblem {
  if (state !== undefined || atATime !== undefined)
    return actProblem("--state and --at-a-time can't be scheduled. Name the VPS, or give a pattern");
  const words = Array.isArray(targets)
    ? targets.map((row) => (typeof row === 'string' ? row : String(row.vps ?? '')))
    : [];
  return { kind: 'act', operation, raw: { ...raw, vps: words.join(' ') } };
}

export interface FoundTargets {
  readonly kind: 'found';
  /** VPS names and patterns as typed. `null` if the operation acts on no VPS. */
  readonly typed: string | null;
  readonly selected: readonly { readonly vps: string; readonly label: string }[];
}

export async function findTargets(
  context: OperationContext,
  operation: ChangeOperation,
  raw: RawInput,
): Promise<FoundTargets | ActProblem> {
  const control = operation.arguments.vps?.control;
  if (!control || !isVpsControl(control))
    return { kind: 'found', typed: null, selected: [{ vps: '', label: '' }] };
  const patterns = vpsSelectionSchema.safeParse(raw.vps);
  if (!patterns.success) return actProblem(patterns.error.issues[0]?.message ?? 'Name a VPS');
  const { selected: all, problem, labelVps, list } = await selectVps(context, patterns.data);
  if (problem !== undefined) return actProblem(problem.replace(/\.$/, ''));
  // VPS that the actor can't view are treated as missing.
  const checkAccess = await context.loadAccess();
  const selected = all.filter(({ name }) => canViewVps(checkAccess, name));
  if (selected.length === 0) return actProblem(`No VPS matches ${patterns.data}`);
  if (list.hasMore) return actProblem("The list of VPS couldn't be read in full. Try again");
  if (selected.length > maxTargets)
    return actProblem(
      `This selects ${selected.length} VPS. A schedule acts on at most ${maxTargets}, because its calls must fit into a few minutes of quota`,
    );
  return {
    kind: 'found',
    typed: patterns.data,
    selected: selected.map(({ name }) => ({ vps: name, label: labelVps(name) })),
  };
}

interface UnplannedTargets {
  readonly raw: RawInput;
  readonly name: string;
  readonly selected: FoundTargets['selected'];
}

/** Parses and resolves each target's input. Problems become messages. */
export async function planTargets(
  context: OperationContext,
  operation: ChangeOperation,
  { raw, name, selected }: UnplannedTargets,
): Promise<{ readonly targets: readonly PlannedTarget[]; readonly messages: readonly string[] }> {
  const targets: PlannedTarget[] = [];
  const messages = new Set<string>();
  for (const one of selected) {
    const target = await planTarget(context, operation, { raw, name, one });
    if (target.kind === 'problem') messages.add(target.problem);
    else targets.push(target.target);
  }
  if (new Set(targets.map(({ parsed }) => toText(withoutVps(parsed.raw)))).size > 1)
    messages.add('This command means something different for each VPS. Schedule it for one VPS at a time');
  return { targets, messages: [...messages] };
}

interface TargetInput {
  readonly raw: RawInput;
  readonly name: string;
  readonly one: { readonly vps: string; readonly label: string };
}

async function planTarget(
  context: OperationContext,
  operation: ChangeOperation,
  { raw, name, one }: TargetInput,
): Promise<{ readonly kind: 'planned'; readonly target: PlannedTarget } | ActProblem> {
  const parsed = parseInput(operation, {
    ...(operation.name === snapshotOperation && { name }),
    ...raw,
    ...(one.vps !== '' && { vps: one.vps }),
  });
  if (parsed.kind === 'invalid')
    return actProblem(parsed.problems.map(({ message }) => message.replace(/\.$/, '')).join('. '));
  const resolved = await resolveInput(operation, parsed, context);
  if (resolved.kind === 'invalid') return actProblem(resolved.problem.message.replace(/\.$/, ''));
  return { kind: 'planned', target: { ...one, parsed: resolved.parsed } };
}

/** Returns the change's title with its target: `Reboot web-01 (VPS-10001)`. */
export function formatActTitle(
  operation: ChangeOperation,
  raw: RawInput,
  { targets, typed }: { readonly targets: readonly PlannedTarget[]; readonly typed: string | null },
): string {
  const [first] = targets;
  const shown = targets.length === 1 && first ? first.label : (typed ?? '');
  if (operation.name === snapshotOperation) return `Take a snapshot of ${shown}`;
  const input = first?.parsed.input ?? {};
  return formatTitle(operation, { ...raw, ...input }, typed === null ? {} : { vps: shown });
}

/** Returns an input without its VPS. The rest is the same for every target. */
export function withoutVps({ vps: _, ...rest }: RawInput): RawInput {
  return rest;
}

function toText(raw: RawInput): string {
  return JSON.stringify(Object.entries(raw).sort());
}
