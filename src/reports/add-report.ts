import { RackhandError } from '../error.ts';
import { listVps } from '../hosting/endpoints/vps.ts';
import { readVpsList } from '../hosting/readings/vps.ts';
import { defineOwn, type Operation, type OperationContext } from '../operations/operation.ts';
import type { Fact, Outcome } from '../operations/outcome.ts';
import { fits } from '../workspaces/rights/pattern.ts';
import { type ReportContent, reportContent } from './content.ts';
import { type PlanInput, planArguments, postOf } from './plan-arguments.ts';
import { requireRoom } from './room.ts';
import { nothingMeant } from './run-report.ts';
import { describeNext, describeRecurrence } from './schedule/describe-recurrence.ts';
import { readRecurrence } from './schedule/read-recurrence.ts';
import type { Recurrence } from './schedule/recurrence.ts';
import type { Report } from './schedule/report.ts';
import type { ReportStore } from './schedule/report-store.ts';
import type { ReportVoice } from './voice.ts';

interface AddReportParts {
  readonly store: ReportStore;
  readonly voice: Pick<ReportVoice, 'say'>;
  /** Has the scheduler look at once. */
  readonly wake: () => void;
  readonly now: () => number;
}

/** Names that are made up for a report before a person has to name it. */
const mostNames = 100;

/** Declares the operation that plans a report. */
export function createAddReport({ store, voice, wake, now }: AddReportParts): Operation {
  return defineOwn({
    name: 'report add',
    heading: 'Plan a report',
    summary: 'Plan a summary of the fleet that comes by itself',
    arguments: planArguments,
    button: 'Plan',
    right: 'change',
    target: ({ name, every }) => name ?? every,
    async run(context, input) {
      const { asker, origin } = context;
      const recurrence = await recurrenceOf(context, input, now());
      const channel = input.channel || origin.channel;
      if (channel === undefined) throw invalid('Name the channel that the report is for.');
      const content = await contentOf(context, input);
      const planned = await store.list(asker.teamId);
      requireRoom({ content, recurrence }, planned, (await context.usage()).backgroundLimit);
      const name = input.name ?? freeName(content, input, planned);
      if (planned.some((report) => report.name === name)) throw isTaken(name);

      const greeting = `A report is planned for this channel, "${name}": ${describeRecurrence(recurrence)}.`;
      const spoken = await voice.say({ teamId: asker.teamId, channel }, greeting);
      if (spoken === 'gone') {
        const what =
          'Rackhand cannot speak in that channel: invite it there by /invite @Rackhand, and plan the report again.';
        throw invalid(what);
      }
      const report = await store.add(asker, { name, channel, recurrence, content }, now());
      if (!report) throw isTaken(name);
      wake();
      return describePlanned(report, content, now());
    },
  });
}

async function recurrenceOf(
  { timeZone }: Pick<OperationContext, 'timeZone'>,
  { every, at = '09:00', days, day, cron, zone, quiet }: PlanInput,
  nowMs: number,
): Promise<Recurrence> {
  const written = {
    every,
    at,
    days: days ?? 'mon',
    day: day ?? '1',
    cron,
    zone: zone ?? (await timeZone()),
    quiet,
  };
  const read = readRecurrence(written, nowMs);
  if (read.ok) return read.recurrence;
  throw invalid(`${read.problems.map(({ message }) => message).join('. ')}.`);
}

async function contentOf(
  { read }: Pick<OperationContext, 'read'>,
  { vps = '*', post = 'always' }: PlanInput,
): Promise<ReportContent> {
  const fleet = readVpsList(await read(listVps, {}, { maxAgeMs: 5_000 })).vps;
  const vpsCount = fleet.filter(({ name }) => fits(vps, name)).length;
  if (vpsCount === 0) throw nothingMeant(vps);
  return reportContent.parse({ vps, vpsCount, settings: { post: postOf[post] } });
}

function freeName({ vps }: ReportContent, { every }: PlanInput, planned: readonly Report[]): string {
  const first = `${vps === '*' ? 'Fleet' : vps}, ${every}`;
  const names = Array.from({ length: mostNames }, (_, index) =>
    index === 0 ? first : `${first} ${index + 1}`,
  );
  const free = names.find((name) => planned.every((report) => report.name !== name));
  if (free === undefined) throw isTaken(first);
  return free;
}

function describePlanned(
  { name, channel, recurrence }: Report,
  { vps, vpsCount, settings }: ReportContent,
  nowMs: number,
): Outcome {
  const next = describeNext(recurrence, nowMs).map(
    (at, index): Fact => ({ label: index === 0 ? 'Next' : 'Then', value: at }),
  );
  return {
    title: `The report "${name}" is planned`,
    facts: [
      { label: 'Channel', value: { channel } },
      { label: 'Comes', value: describeRecurrence(recurrence) },
      ...next,
      { label: 'VPS', value: `${vps === '*' ? 'all' : vps} (${vpsCount} now)` },
      { label: 'Posted', value: postWords[settings.post] },
    ],
    next: [
      { label: 'Run Now', operation: 'report run', input: { name } },
      { label: 'Delete', operation: 'report delete', input: { name } },
      { label: 'Reports', operation: 'report list', input: {} },
    ],
  };
}

const postWords: Readonly<Record<ReportContent['settings']['post'], string>> = {
  always: 'always',
  standsOut: 'only when something stands out, or could not be read',
  changed: 'only when something else stands out than before, or could not be read',
};

function isTaken(name: string): RackhandError {
  return invalid(`There is a report called "${name}" already: choose another name.`);
}

function invalid(what: string): RackhandError {
  return new RackhandError('input_invalid', what);
}
