import { formatDuration } from '../charts/figures.ts';
import { listVps } from '../hosting/endpoints/vps.ts';
import { readVpsList } from '../hosting/readings/vps.ts';
import type { FieldProblem } from '../operations/input.ts';
import type { OperationContext } from '../operations/operation.ts';
import type { Fact, RawInput } from '../operations/outcome.ts';
import { freeNameOf } from '../reports/plan-problems.ts';
import { fitsOneOf, fittingNone, patternsInShort, patternWords } from '../workspaces/rights/patterns.ts';
import { lengthOf, type WatchInput } from './arguments.ts';
import { type Condition, describeCondition, describeEnd, measureName } from './condition.ts';
import { readFigure, typeFigure, typeLength } from './figure.ts';
import { vpsToRead } from './look.ts';
import { longestEveryMs, paceOf, roundEveryMs } from './pace.ts';
import type { Watch, WatchPlan } from './watch.ts';
import type { WatchStore } from './watch-store.ts';

/** How old the list of VPS may be by which a watch is judged. */
const listAgeMs = 60_000;

export type Planning =
  | {
      readonly ok: true;
      readonly plan: WatchPlan;
      /** VPS that are meant now. */
      readonly vpsCount: number;
      /** How often each is looked at. */
      readonly everyMs: number;
    }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Makes a watch of what a person gave, every problem beside its field. Rejects where the list of VPS cannot be read. */
export type MakeWatchPlan = (
  context: Pick<OperationContext, 'asker' | 'origin' | 'read' | 'usage'>,
  input: WatchInput,
  replaced?: Watch,
) => Promise<Planning>;

interface PlanningParts {
  readonly store: Pick<WatchStore, 'list'>;
  /** Calls a minute, in the mean, of the reports of a workspace. */
  readonly reportsPerMinute: (teamId: string) => Promise<number>;
}

/** Creates what makes plans of watches. */
export function createWatchPlanning({ store, reportsPerMinute }: PlanningParts): MakeWatchPlan {
  return async ({ asker, origin, read, usage }, input, replaced) => {
    const condition = conditionOf(input);
    const channel = input.channel || replaced?.channel || origin.channel;
    const others = (await store.list(asker.teamId)).filter(({ id }) => id !== replaced?.id);
    const problems: FieldProblem[] = [];
    const complain = (path: string, message: string) => problems.push({ path, message });
    if ('problem' in condition) complain(condition.path, condition.problem);
    if (channel === undefined) complain('channel', 'Name the channel in which it is to be told');
    if (others.some(({ name }) => name === input.name))
      complain('name', `There is a watch called "${input.name}" already`);
    if ('problem' in condition || channel === undefined || problems.length > 0)
      return { ok: false, problems };

    const { vps = '*' } = input;
    const list = readVpsList(await read(listVps, {}, { maxAgeMs: listAgeMs }));
    const fleet = {
      states: new Map(list.vps.map(({ name, state }) => [name, state])),
      mayHaveMore: list.mayHaveMore,
    };
    const names = [...fleet.states.keys()];
    const vpsCount = names.filter((name) => fitsOneOf(vps, name)).length;
    const unmet = fittingNone(vps, names);
    if (unmet.length > 0)
      return wrong('vps', vps === '*' ? 'There is no VPS yet' : `No VPS is called like ${unmet.join(', ')}`);

    const plan = { name: input.name ?? freeName(condition, vps, others), channel, vps, condition };
    const active = others.filter(({ state }) => state.kind === 'active');
    const readCount = vpsToRead([...active, plan], fleet).length;
    const { everyMs } = paceOf(readCount, await usage(), await reportsPerMinute(asker.teamId));
    if (everyMs > longestEveryMs) return wrong('vps', noRoom(readCount, everyMs));
    return { ok: true, plan, vpsCount, everyMs: condition.measure === 'state' ? roundEveryMs : everyMs };
  };
}

function wrong(path: string, message: string): Planning {
  return { ok: false, problems: [{ path, message }] };
}

function noRoom(vpsCount: number, everyMs: number): string {
  return `With this, watches would look at ${vpsCount} VPS, and the quota that reports leave them suffices for each every ${formatDuration(everyMs)}, where ${formatDuration(longestEveryMs)} is the most: name fewer VPS, or delete other watches or reports`;
}

function conditionOf(
  input: WatchInput,
): Condition | { readonly path: keyof WatchInput; readonly problem: string } {
  const { measure, is = 'over', match = 'is not', state, figure } = input;
  const forMs = lengthOf(input);
  if (measure === 'state') {
    if (state === undefined) return { path: 'state', problem: 'Name the state, as in state is not running' };
    return { measure, is: match, state, forMs };
  }
  const read = readFigure({ measure, is }, figure);
  return read.ok ? { measure, is, figure: read.figure, forMs } : { path: 'figure', problem: read.problem };
}

function freeName(condition: Condition, vps: string, others: readonly Watch[]): string {
  const measure = measureName(condition);
  const first = `${measure.charAt(0).toUpperCase()}${measure.slice(1)} of ${patternsInShort(vps)}`.slice(
    0,
    55,
  );
  return freeNameOf('watch', first, others);
}

/** Tells of which VPS a watch is, and when it tells: `VPS`, `Tells of`, `Ends by`, `Channel`. */
export function planFacts({ vps, condition, channel }: WatchPlan, vpsCount?: number): readonly Fact[] {
  const count = vpsCount === undefined ? '' : ` (${vpsCount} now)`;
  return [
    { label: 'VPS', value: `${patternWords(vps)}${count}` },
    { label: 'Tells of', value: describeCondition(condition) },
    { label: 'Ends by', value: describeEnd(condition) },
    { label: 'Channel', value: { channel } },
  ];
}

/** Says how often VPS are looked at, and how soon that tells. */
export function paceFacts({ forMs }: Condition, everyMs: number): readonly Fact[] {
  const soonestMs = Math.ceil(forMs / everyMs) * everyMs;
  return [
    {
      label: 'Looks',
      value: `every ${everyMs === roundEveryMs ? 'minute' : formatDuration(everyMs)}, as the quota allows`,
    },
    { label: 'Told', value: `at most ${formatDuration(soonestMs + everyMs)} after it begins` },
  ];
}

/** Writes a watch as a person would set it: what the form of it is filled with. */
export function writeWatch({ name, channel, vps, condition }: WatchPlan): RawInput {
  const sought =
    condition.measure === 'state'
      ? { match: condition.is, state: condition.state }
      : { is: condition.is, figure: typeFigure(condition) };
  return {
    ...(vps !== '*' && { vps }),
    measure: condition.measure,
    ...sought,
    lasts: typeLength(condition),
    channel,
    name,
  };
}
