import { listVps } from '../../hosting/endpoints/vps.ts';
import { findPagesRead } from '../../hosting/payloads/pages.ts';
import { readVpsList, type Vps, type VpsList } from '../../hosting/payloads/vps.ts';
import type { FieldProblem } from '../../operations/define/arguments/raw-input.ts';
import type { OperationContext } from '../../operations/define/operation.ts';
import { createVpsLabeler, type LabelVps } from '../../operations/format/label-vps.ts';
import { createVpsLabels } from '../../operations/format/vps-label.ts';
import type { ChannelPlan } from '../../plans/plan.ts';
import { describeTakenName, type TakenName } from '../../plans/plan-arguments.ts';
import { isVpsSelected, listUnmatchedWords, withOwnAliases } from './vps-selection.ts';

/** Maximum age of the cached VPS list used to check a plan. */
const listAgeMs = 60_000;

/** The channel of a new or edited plan, and the workspace's other plans of the same kind. */
interface PlanTarget<One> {
  /** The typed channel. Defaults to the plan's current channel, or else to the channel of the request. */
  readonly channel: string | undefined;
  readonly others: readonly One[];
  /** Names that the plan can't use. */
  readonly taken: readonly TakenName[];
  readonly problems: readonly FieldProblem[];
}

export async function findPlanTarget<One extends ChannelPlan>(
  store: {
    list(teamId: string): Promise<readonly One[]>;
    listTakenNames(teamId: string): Promise<readonly TakenName[]>;
  },
  { actor, origin }: Pick<OperationContext, 'actor' | 'origin'>,
  input: { readonly channel: string; readonly name?: string | undefined },
  replaced?: One,
): Promise<PlanTarget<One>> {
  const channel = input.channel || replaced?.channel || origin.channel;
  const others = (await store.list(actor.teamId)).filter(({ id }) => id !== replaced?.id);
  const taken = (await store.listTakenNames(actor.teamId)).filter(({ id }) => id !== replaced?.id);
  const holder = taken.find(({ name }) => name === input.name);
  const problems = [
    ...(channel === undefined ? [{ path: 'channel', message: 'Choose the channel to post in' }] : []),
    ...(holder ? [{ path: 'name', message: describeTakenName(holder) }] : []),
  ];
  return { channel, others, taken, problems };
}

interface VpsSelection {
  readonly list: VpsList;
  readonly selected: readonly Vps[];
  /** How many VPS the patterns select. An estimate if the list wasn't read in full. */
  readonly selectedCount: number;
  /** How many calls the full list takes. */
  readonly listCalls: number;
  /** Set if the list is complete but a pattern matches no VPS in it. */
  readonly problem: string | undefined;
  readonly labelVps: LabelVps;
}

/** Lists the VPS and returns those that the patterns select. Rejects if the VPS can't be listed. */
export async function selectVps(
  { read, workspace }: Pick<OperationContext, 'read' | 'workspace'>,
  patterns: string,
): Promise<VpsSelection> {
  const data = await read(listVps, {}, { maxAgeMs: listAgeMs });
  const ownAliases = await workspace.listVpsAliases();
  const fleet = readVpsList(data);
  const list = { ...fleet, vps: withOwnAliases(fleet.vps, ownAliases) };
  const { allPages = 1, total = 0 } = findPagesRead(data) ?? {};
  const unmatched = listUnmatchedWords(patterns, list.vps);
  const noMatch = patterns === '*' ? 'There are no VPS yet' : `No VPS matches ${unmatched.join(', ')}`;
  const selected = list.vps.filter((vps) => isVpsSelected(patterns, vps));
  // Assumes the same share of selected VPS on unread pages as on those read.
  const factor = list.hasMore ? Math.max(1, total / Math.max(1, list.vps.length)) : 1;
  return {
    list,
    selected,
    selectedCount: Math.ceil(selected.length * factor),
    listCalls: allPages,
    problem: unmatched.length > 0 && !list.hasMore ? noMatch : undefined,
    labelVps: createVpsLabeler(createVpsLabels(fleet.vps, ownAliases)),
  };
}
