import { RackhandError } from '../../../errors.ts';
import { vpsName } from '../../../hosting/endpoints/fields.ts';
import { getLiveMonitoring } from '../../../hosting/endpoints/monitoring.ts';
import { type LiveMetrics, readLiveMetrics } from '../../../hosting/payloads/live-metrics.ts';
import type { Vps } from '../../../hosting/payloads/vps.ts';
import type { Fact, NextStep } from '../../../operations/define/outcome.ts';
import type { Read } from '../../../operations/define/read.ts';
import type { LabelVps } from '../../../operations/format/label-vps.ts';
import {
  formatUnitQuestion,
  toUnitQuestion,
  type UnitQuestion,
  unitSteps,
} from '../../../operations/format/unit-question.ts';
import { isOffState } from '../../../operations/vps/state-words.ts';
import { formatShortList } from '../../shared/text-format.ts';
import { type Condition, formatMetric, type MetricCondition, measureName } from '../condition.ts';
import { formatUnreadSubject } from '../delivery/unread-notices.ts';
import { metricOf } from '../evaluation/evaluate-condition.ts';

/** How many VPS are read to find out whether the service returns the figure. */
const sampleSize = 2;
/** Maximum age of cached live data. */
const maxAgeMs = 60_000;
const maxNames = 5;

/** What a watch can read now, and why it can't read the rest. */
export interface Readability {
  readonly facts: readonly Fact[];
  /** Sentences about what can't be read. */
  readonly warnings: readonly string[];
  /** Buttons that set missing units, so the figures can be read. */
  readonly steps: readonly NextStep[];
}

/** Reads the figure or state of a condition from a few of the selected VPS. */
export async function checkReadable(
  read: Read,
  condition: Condition,
  selected: readonly Vps[],
  labelVps: LabelVps,
): Promise<Readability> {
  return condition.measure === 'state'
    ? checkStates(read, condition, selected, labelVps)
    : checkFigures(read, condition, selected, labelVps);
}

interface Sample {
  readonly name: string;
  readonly live?: LiveMetrics;
  /** Why the call failed, as a sentence. */
  readonly failure?: string;
}

async function readSamples(read: Read, vps: readonly Vps[]): Promise<readonly Sample[]> {
  const valid = vps.filter(({ name }) => vpsName.safeParse(name).success);
  return Promise.all(
    valid.slice(0, sampleSize).map(async ({ name }): Promise<Sample> => {
      try {
        const data = await read(getLiveMonitoring, { params: { vps_name: name } }, { maxAgeMs });
        return { name, live: readLiveMetrics(data, name) };
      } catch (error) {
        if (!(error instanceof RackhandError) || error.code === 'stopped') throw error;
        return { name, failure: error.message };
      }
    }),
  );
}

function formatFailures(
  samples: readonly Sample[],
  formatSubject: (names: readonly string[]) => string,
): readonly string[] {
  const failed = samples.filter(({ failure }) => failure !== undefined);
  return [...Map.groupBy(failed, ({ failure }) => failure)].map(
    ([failure, all]) => `Couldn't check ${formatSubject(all.map(({ name }) => name))}. ${failure}`,
  );
}

/** Formats the figures and, if more VPS are running, how many were read. */
function formatSample(figures: readonly string[], runningCount: number): string {
  const list = figures.join(', ');
  return figures.length < runningCount ? `${list} (${figures.length} of ${runningCount} VPS)` : list;
}

async function checkFigures(
  read: Read,
  condition: MetricCondition,
  selected: readonly Vps[],
  labelVps: LabelVps,
): Promise<Readability> {
  const running = selected.filter(({ state }) => !isOffState(state));
  const samples = await readSamples(read, running);
  const figures = samples.flatMap(({ name, live }) => {
    const figure = live && metricOf(condition, live);
    return figure === undefined ? [] : [`${labelVps(name)} ${formatMetric(condition, figure)}`];
  });
  const blind = samples.filter(
    ({ live }) => live !== undefined && !isOffState(live.state) && metricOf(condition, live) === undefined,
  );
  const off = [
    ...selected.filter((vps) => !running.includes(vps)),
    ...samples.filter(({ live }) => isOffState(live?.state)),
  ];
  const subject = (names: readonly string[]) => formatUnreadSubject(condition, names, labelVps);
  return {
    steps: listQuestions(
      condition,
      blind.map(({ live }) => live),
    ).flatMap(unitSteps),
    facts: figures.length === 0 ? [] : [{ label: 'Now', value: formatSample(figures, running.length) }],
    warnings: [
      ...blind.map(({ name, live }) => `Can't read ${subject([name])}: ${describeBlind(condition, live)}`),
      ...formatFailures(samples, subject),
      ...(off.length > 0 && off.length === selected.length
        ? [
            `Couldn't check ${subject(off.map(({ name }) => name))}: ${off.length === 1 ? "it's off" : "they're off"}.`,
          ]
        : []),
    ],
  };
}

/**
 * Returns a question for each figure that the condition needs but whose unit is unknown. Traffic needs both directions.
 */
function listQuestions(
  { measure }: MetricCondition,
  lives: readonly (LiveMetrics | undefined)[],
): readonly UnitQuestion[] {
  const own = lives
    .flatMap((live) => live?.likely ?? [])
    .filter(({ metric }) => (measure === 'traffic' ? /^network(In|Out)$/.test(metric) : metric === measure));
  const byMetric = Map.groupBy(own, ({ metric }) => metric);
  return [...byMetric.values()].flatMap(([one]) => (one ? [toUnitQuestion('live', one)] : []));
}

function describeBlind(condition: MetricCondition, live: LiveMetrics | undefined): string {
  const questions = listQuestions(condition, [live]);
  if (questions.length > 0) return `its unit isn't known. ${questions.map(formatUnitQuestion).join(' ')}`;
  return `the service's live data has no ${measureName(condition)} that Rackhand understands. ${formatKnownFields(live)}`;
}

async function checkStates(
  read: Read,
  condition: Extract<Condition, { measure: 'state' }>,
  selected: readonly Vps[],
  labelVps: LabelVps,
): Promise<Readability> {
  const stateless = selected.filter(({ state }) => state === undefined);
  const samples = await readSamples(read, stateless);
  const states = [...selected.map(({ state }) => state), ...samples.map(({ live }) => live?.state)].filter(
    (state) => state !== undefined,
  );
  const counts = [...Map.groupBy(states, (state) => state)].map(([state, all]) => `${all.length} ${state}`);
  const blind = samples.filter(({ live }) => live !== undefined && live.state === undefined);
  const subject = (names: readonly string[]) => formatUnreadSubject(condition, names, labelVps);
  const isKnown = stateless.length === 0 || blind.length === 0;
  return {
    facts: counts.length === 0 ? [] : [{ label: 'Now', value: formatShortList(counts, maxNames) }],
    steps: [],
    warnings: isKnown
      ? formatFailures(samples, subject)
      : [
          `Can't read ${subject(stateless.map(({ name }) => name))}: neither the list of VPS nor their live data has a state that Rackhand understands. ${formatKnownFields(blind[0]?.live)}`,
        ],
  };
}

/** Formats the names of the fields that the live data does have. */
function formatKnownFields(live: LiveMetrics | undefined): string {
  const fields = live?.unrecognized.map(({ path }) => path.join('.')) ?? [];
  return fields.length === 0
    ? 'The live data has no other fields.'
    : `Its other fields: ${formatShortList(fields, maxNames)}.`;
}
