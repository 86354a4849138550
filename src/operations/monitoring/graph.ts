import { z } from 'zod';
import type { LineChartSpec } from '../../charts/chart-spec.ts';
import { lineChartTakeaway } from '../../charts/takeaways.ts';
import { formatList } from '../../format-list.ts';
import { rrdRanges } from '../../hosting/endpoints/fields.ts';
import { getRrdMonitoring } from '../../hosting/endpoints/monitoring.ts';
import { readRrdHistory } from '../../hosting/payloads/history.ts';
import { redactResult } from '../../hosting/secret-redaction.ts';
import { vpsArgument } from '../choices/sources/vps.ts';
import type { Argument } from '../define/arguments/argument.ts';
import { defineRead } from '../define/define-operation.ts';
import type { NextStep, Outcome } from '../define/outcome.ts';
import { moreArgument } from '../format/facts.ts';
import { formatFields } from '../format/format-result.ts';
import { labelSecrets } from '../format/label-secrets.ts';
import { chooseUnitsSteps, unitNotes } from '../format/unit-question.ts';
import { arrangePanels } from './panels.ts';

type Range = (typeof rrdRanges)[number];

const defaultRange: Range = 'day';

const rangeByLength: Readonly<Record<string, Range>> = {
  '1h': 'hour',
  '60m': 'hour',
  '1d': 'day',
  '24h': 'day',
  '1w': 'week',
  '7d': 'week',
  '30d': 'month',
  '31d': 'month',
};

export const graph = defineRead({
  name: 'graph',
  heading: 'Graph of a VPS',
  summary: 'Show graphs of a VPS for the last hour, day, week or month',
  arguments: { vps: vpsArgument(), range: rangeArgument(), more: moreArgument() },
  audience: 'channel',
  endpoints: [getRrdMonitoring],
  async run({ read, timeZone }, { vps, range, more }) {
    const data = await read(getRrdMonitoring, { params: { vps_name: vps }, query: { range } });
    const { series, otherFields, likely, isEmpty } = readRrdHistory(data, vps);
    const { panels, omittedLabels, constants } = arrangePanels(series);
    const title = `${vps}, last ${range}`;
    const summary: Outcome = {
      title,
      facts: constants,
      secrets: labelSecrets(redactResult(otherFields).secrets),
      notes: [
        ...(omittedLabels.length > 0 ? [`Not shown in the graph: ${omittedLabels.join(', ')}.`] : []),
        ...unitNotes(likely),
      ],
      next: [...nextSteps(vps, range), ...chooseUnitsSteps(likely)],
    };
    if (panels.length === 0) {
      const note = isEmpty
        ? `The service has no data for ${vps} in the last ${range}.`
        : `The data for ${vps} couldn't be read from the service's response.`;
      const step = { operation: 'graph', input: { vps, range }, more };
      const fields = formatFields(otherFields, step, { omit: ['vps_name', 'range'] });
      const facts = [...constants, ...fields.facts];
      return { ...summary, facts, notes: [note], next: [...nextSteps(vps, range), ...fields.more] };
    }
    const spec: LineChartSpec = { kind: 'line', title, panels, timeZone: await timeZone() };
    return { ...summary, chart: { spec, takeaway: lineChartTakeaway(spec) } };
  },
});

function nextSteps(vps: string, range: Range): readonly NextStep[] {
  const others = rrdRanges.filter((other) => other !== range);
  return [
    ...others.map((other) => ({
      label: `Last ${other.charAt(0).toUpperCase()}${other.slice(1)}`,
      operation: 'graph',
      input: { vps, range: other },
      isPublic: true,
    })),
    { label: 'Live', operation: 'live', input: { vps } },
  ];
}

function rangeArgument(): Argument<Range> {
  const error = `A range is ${formatList(rrdRanges, 'or')}, or 1h, 24h, 7d or 30d`;
  return {
    label: 'Range',
    example: defaultRange,
    control: { kind: 'choice', options: rrdRanges },
    required: false,
    initial: defaultRange,
    schema: z.preprocess(
      (value) => {
        if (typeof value !== 'string') return value ?? defaultRange;
        const word = value.trim().toLowerCase();
        return rangeByLength[word] ?? word;
      },
      z.enum(rrdRanges, { error }),
    ),
  };
}
