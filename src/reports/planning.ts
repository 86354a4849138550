import { RackhandError } from '../error.ts';
import { listVps } from '../hosting/endpoints/vps.ts';
import { readVpsList } from '../hosting/readings/vps.ts';
import type { FieldProblem } from '../operations/input.ts';
import type { OperationContext } from '../operations/operation.ts';
import { fitsOneOf, fittingNone, patternsInShort } from '../workspaces/rights/patterns.ts';
import { type ReportContent, reportContent } from './content.ts';
import { besideOthers } from './pace.ts';
import type { PlanInput } from './plan-arguments.ts';
import { freeNameOf } from './plan-problems.ts';
import { type ReadPlan, readPlan } from './read-plan.ts';
import { requireRoom } from './room.ts';
import { nothingMeant } from './run-report.ts';
import type { Report, ReportPlan } from './schedule/report.ts';
import type { ReportStore } from './schedule/report-store.ts';
import { summarySettings } from './summary/settings.ts';

/** How old the list of VPS may be by which a plan is judged. */
const listAgeMs = 60_000;

/** A plan that can be kept. */
export interface Planned extends ReportPlan {
  readonly content: ReportContent;
}

export type Planning =
  | { readonly ok: true; readonly plan: Planned }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Makes a plan of what a person gave, every problem beside its field. Rejects where the list of VPS cannot be read. */
export type MakePlan = (
  context: Pick<OperationContext, 'asker' | 'origin' | 'read' | 'timeZone' | 'usage'>,
  input: PlanInput,
  replaced?: Report,
) => Promise<Planning>;

export interface PlanningParts {
  readonly store: Pick<ReportStore, 'list'>;
  /** Calls a minute that others make in the same lane. */
  readonly othersPerMinute: (teamId: string) => Promise<number>;
  readonly now: () => number;
}

/** Creates what makes plans. */
export function createPlanning({ store, othersPerMinute, now }: PlanningParts): MakePlan {
  return async (context, input, replaced) => {
    const { asker, origin } = context;
    const base = replaced ? reportContent.parse(replaced.content).settings : summarySettings.parse({});
    const zone = input.zone ?? (await context.timeZone());
    const reading = readPlan(input, base, zone, now());
    const channel = input.channel || replaced?.channel || origin.channel;
    const others = (await store.list(asker.teamId)).filter(({ id }) => id !== replaced?.id);
    const isTaken = others.some(({ name }) => name === input.name);
    const problems: readonly FieldProblem[] = [
      ...(reading.ok ? [] : reading.problems),
      ...(channel === undefined
        ? [{ path: 'channel', message: 'Name the channel that the report is for' }]
        : []),
      ...(isTaken ? [{ path: 'name', message: `There is a report called "${input.name}" already` }] : []),
    ];
    if (!reading.ok || channel === undefined || problems.length > 0) return { ok: false, problems };

    const { recurrence, content, unmet } = await withCount(reading.plan, context);
    const scopePath = content.about === 'vps' ? 'about' : 'vps';
    if (unmet !== undefined) return wrong(scopePath, nothingMeant(unmet));
    try {
      const pace = besideOthers(await context.usage(), await othersPerMinute(asker.teamId));
      requireRoom({ content, recurrence }, others, pace);
    } catch (error) {
      return wrong('every', error);
    }
    const name = input.name ?? freeName(content, input, others);
    return { ok: true, plan: { name, channel, recurrence, content } };
  };
}

async function withCount(
  { recurrence, content }: ReadPlan,
  { read }: Pick<OperationContext, 'read'>,
): Promise<Pick<Planned, 'recurrence' | 'content'> & { readonly unmet: string | undefined }> {
  const fleet = readVpsList(await read(listVps, {}, { maxAgeMs: listAgeMs })).vps;
  const names = fleet.map(({ name }) => name);
  const vpsCount = names.filter((name) => fitsOneOf(content.vps, name)).length;
  const unmet = fittingNone(content.vps, names).join(' ') || undefined;
  return { recurrence, content: { ...content, vpsCount }, unmet };
}

/** Puts what a person is told beside a field; any other error goes on. */
function wrong(path: string, error: unknown): Planning {
  if (!(error instanceof RackhandError) || error.code !== 'input_invalid') throw error;
  return { ok: false, problems: [{ path, message: error.message.replace(/\.$/, '') }] };
}

function freeName({ about, vps }: ReportContent, { every }: PlanInput, others: readonly Report[]): string {
  const first = `${about === 'fleet' && vps === '*' ? 'Fleet' : patternsInShort(vps)}, ${every}`;
  return freeNameOf('report', first, others);
}
