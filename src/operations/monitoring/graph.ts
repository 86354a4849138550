import { z } from 'zod';
import { takeaway } from '../../charts/takeaway.ts';
import { getRrdMonitoring } from '../../hosting/endpoints/monitoring.ts';
import { rrdRanges } from '../../hosting/fields.ts';
import { readRrd } from '../../hosting/readings/rrd.ts';
import { type Argument, vpsArgument } from '../argument.ts';
import { defineRead } from '../operation.ts';
import type { NextStep, Outcome } from '../outcome.ts';
import { tellResult } from '../tell-result.ts';
import { arrangePanels } from './panels.ts';

type Range = (typeof rrdRanges)[number];

const usualRange: Range = 'day';

export const graph = defineRead({
  name: 'graph',
  heading: 'Graph of a VPS',
  summary: 'Draw how a VPS did in the last hour, day, week or month',
  arguments: { vps: vpsArgument(), range: rangeArgument() },
  audience: 'channel',
  uses: [getRrdMonitoring],
  async run({ read, timeZone }, { vps, range }) {
    const data = await read(getRrdMonitoring, { params: { vps_name: vps }, query: { range } });
    const { series, rest } = readRrd(data, vps);
    const { panels, left, steady } = arrangePanels(series);
    const title = `${vps}, last ${range}`;
    const told: Outcome = {
      title,
      ...tellResult(rest, { known: steady, without: ['vps_name', 'range'] }),
      notes: left.length > 0 ? [`Not drawn: ${left.join(', ')}.`] : [],
      next: stepsFrom(vps, range),
    };
    if (panels.length === 0) {
      return { ...told, notes: [`The service has no points of ${vps} for the last ${range}.`] };
    }
    const spec = { title, panels, timeZone: await timeZone() };
    return { ...told, chart: { spec, takeaway: takeaway(spec) } };
  },
});

/** The other ranges, and now. */
function stepsFrom(vps: string, range: Range): readonly NextStep[] {
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
  const error = `A range is ${rrdRanges.slice(0, -1).join(', ')} or ${rrdRanges.at(-1)}`;
  return {
    label: 'Range',
    example: usualRange,
    control: { kind: 'choice', options: rrdRanges },
    required: false,
    initial: usualRange,
    schema: z.preprocess(
      (value) => (typeof value === 'string' ? value.trim().toLowerCase() : (value ?? usualRange)),
      z.enum(rrdRanges, { error }),
    ),
  };
}
