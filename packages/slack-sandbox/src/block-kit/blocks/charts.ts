import { z } from 'zod';
import { once } from '../../once.ts';
import { limits } from '../limits.ts';
import { boundedString, id } from '../text-objects.ts';

const label = once(() => boundedString(limits.chart.labelChars));
const axisTitle = once(() => boundedString(limits.chart.axisChars).optional());

const axes = once(() =>
  z.strictObject({
    categories: z.array(label()).min(1).max(limits.chart.points),
    x_label: axisTitle(),
    y_label: axisTitle(),
  }),
);

const point = once(() => z.strictObject({ label: label(), value: z.number() }));

const series = once(() =>
  z.strictObject({ name: label(), data: z.array(point()).min(1).max(limits.chart.points) }),
);

/** A chart with axes. Each series has a unique name, and a point for each category. */
function axisChart<Type extends string>(type: Type) {
  return z
    .strictObject({
      type: z.literal(type),
      series: z.array(series()).min(1).max(limits.chart.series),
      axis_config: axes(),
    })
    .superRefine((chart, context) => {
      const names = chart.series.map(({ name }) => name);
      for (const [index, { name, data }] of chart.series.entries()) {
        const refuse = (field: string, message: string) =>
          context.addIssue({ code: 'custom', path: ['series', index, field], message });

        const labels = data.map((point) => point.label);
        if (!isSameSet(labels, chart.axis_config.categories))
          refuse('data', 'must have one point for each category');
        if (names.indexOf(name) < index) refuse('name', `\`name\` "${name}" already exists`);
      }
    });
}

function isSameSet(labels: readonly string[], categories: readonly string[]): boolean {
  return labels.length === categories.length && categories.every((category) => labels.includes(category));
}

const pie = once(() =>
  z.strictObject({
    type: z.literal('pie'),
    segments: z
      .array(z.strictObject({ label: label(), value: z.number().gt(0) }))
      .min(1)
      .max(limits.chart.series),
  }),
);

export const dataVisualization = once(() =>
  z.strictObject({
    type: z.literal('data_visualization'),
    block_id: id().optional(),
    title: boundedString(limits.chart.titleChars),
    chart: z.discriminatedUnion('type', [pie(), axisChart('bar'), axisChart('area'), axisChart('line')]),
  }),
);
