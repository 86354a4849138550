import { RackhandError } from '../error.ts';
import { listVps } from '../hosting/endpoints/vps.ts';
import { readVpsList } from '../hosting/readings/vps.ts';
import type { FieldProblem } from '../operations/input.ts';
import type { OperationContext } from '../operations/operation.ts';
import { fits } from '../workspaces/rights/pattern.ts';
import { type ReportContent, reportContent } from './content.ts';
import { besideOthers } from './pace.ts';
import type { PlanInput } from './plan-arguments.ts';
import { type ReadPlan, readPlan } from './read-plan.ts';
import { requireRoom } from './room.ts';
import { nothingMeant } from './run-report.ts';
import type { Report, ReportPlan } from './schedule/report.ts';
import type { ReportStore } from './schedule/report-store.ts';
import { summarySettings } from './summary/settings.ts';

/** How old the list of VPS may be by which a plan is judged. */
const listAgeMs = 60_000;

/** Names that are made up for a report before a person has to name it. */
const mostNames = 100;

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

    const { recurrence, content } = await withCount(reading.plan, context);
    const scopePath = content.about === 'vps' ? 'about' : 'vps';
    if (content.vpsCount === 0) return wrong(scopePath, nothingMeant(content.vps));
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
): Promise<Pick<Planned, 'recurrence' | 'content'>> {
  const fleet = readVpsList(await read(listVps, {}, { maxAgeMs: listAgeMs })).vps;
  const vpsCount = fleet.filter(({ name }) => fits(content.vps, name)).length;
  return { recurrence, content: { ...content, vpsCount } };
}

/** Puts what a person is told beside a field; any other error goes on. */
function wrong(path: string, error: unknown): Planning {
  if (!(error instanceof RackhandError) || error.code !== 'input_invalid') throw error;
  return { ok: false, problems: [{ path, message: error.message.replace(/\.$/, '') }] };
}

function freeName({ about, vps }: ReportContent, { every }: PlanInput, others: readonly Report[]): string {
  const first = `${about === 'fleet' && vps === '*' ? 'Fleet' : vps}, ${every}`;
  const names = Array.from({ length: mostNames }, (_, index) =>
    index === 0 ? first : `${first} ${index + 1}`,
  );
  const free = names.find((name) => others.every((report) => report.name !== name));
  if (free === undefined) throw nameTaken(first);
  return free;
}

/** Says that another report has the name. */
export function nameTaken(name: string): RackhandError {
  return new RackhandError(
    'input_invalid',
    `There is a report called "${name}" already: choose another name.`,
  );
}

/** Says what is wrong with a plan. */
export function misplanned(problems: readonly FieldProblem[]): RackhandError {
  return new RackhandError('input_invalid', `${problems.map(({ message }) => message).join('. ')}.`);
}

/** Gives what is wrong with a plan, as far as it can be told now: what cannot be read, the run itself says. */
export async function problemsOf(planning: Promise<Planning>): Promise<readonly FieldProblem[]> {
  const made = await planning.catch(() => undefined);
  return made === undefined || made.ok ? [] : made.problems;
}
