import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HeatmapRow, HeatmapSpec } from '../../../src/charts/chart-spec.ts';
import { heatBands } from '../../../src/charts/drawing/heatmap.ts';
import { svgToPng } from '../../../src/charts/drawing/render-image.ts';
import { renderSvg } from '../../../src/charts/drawing/render-svg.ts';
import { heatmapTakeaway } from '../../../src/charts/takeaways.ts';
import { anyCharacter } from '../../arbitraries/any-character.ts';
import { hourMs, noonMs, points } from '../chart-specs.ts';

const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

function texts(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/gs)].map(([, text = '']) =>
    Object.entries(entities).reduce((read, [entity, char]) => read.replaceAll(entity, char), text),
  );
}

/** Counts the rectangles of a band's color without the legend. */
function cells(svg: string, band: number): number {
  return svg.split(`fill="${heatBands[band]?.color}"`).length - 2;
}

function row(label: string, values: readonly (number | null)[], isHighlighted = false): HeatmapRow {
  return { label, isHighlighted, points: points(values) };
}

function fleet(rows: readonly HeatmapRow[], changes: Partial<HeatmapSpec> = {}): HeatmapSpec {
  return {
    kind: 'heatmap',
    title: 'Morning',
    measure: 'CPU',
    fromMs: noonMs,
    untilMs: noonMs + 24 * hourMs,
    timeZone: 'Europe/Berlin',
    rows,
    total: rows.length,
    ...changes,
  };
}

const day = (value: number | null) => Array.from({ length: 24 }, () => value);
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => row(`VPS-${10_001 + at}`, day(99 - at)));

describe('a heatmap', () => {
  test('has names, maximum values, times in the zone and a legend', () => {
    const svg = renderSvg(fleet([row('VPS-1', [...day(5).slice(1), 97], true), row('VPS-2', day(40))]));
    expect(texts(svg)).toEqual(
      expect.arrayContaining([
        ...[
          'Morning',
          '21 Nov 14:00 – 22 Nov 14:00, Europe/Berlin',
          'CPU',
          'max',
          'VPS-1',
          '97%',
          'VPS-2',
          '40%',
        ],
        ...['18:00', 'Sun 22', '06:00', '12:00', '0', '10', '25', '50', '75', '90', '100%', 'no data'],
      ]),
    );
  });

  test('shows missing data as a gap', () => {
    const gaps = [...day(30).slice(16), ...day(null).slice(16), ...day(30).slice(16)];
    const svg = renderSvg(fleet([row('VPS-1', gaps)]));
    expect(cells(svg, 2)).toBe(2);
    const dotted = (drawn: string) => drawn.split('stroke-dasharray="1.5,2.5"').length - 1;
    expect(dotted(svg) - dotted(renderSvg(fleet([row('VPS-1', day(30))])))).toBe(1);
    expect(texts(renderSvg(fleet([row('VPS-1', [])])))).toContain('–');
    expect(texts(renderSvg(fleet([])))).toContain('no data');
  });

  test('shows hostile names as text', () => {
    const elements = (svg: string) => svg.match(/<[a-z]+/gi)?.toSorted();
    const harmless = elements(renderSvg(fleet([row('VPS-1', day(5))])));
    for (const name of ['</text><script>', '<!channel>', '&lt;', `a"b'c`, '{a|b}', '<![CDATA[']) {
      const svg = renderSvg(fleet([row(name, day(5))], { title: name, measure: name }));
      expect(texts(svg)).toContain(name);
      expect(elements(svg)).toEqual(harmless);
    }
  });

  test('can be drawn for any names and numbers', () => {
    const value = fc.option(fc.oneof(fc.double(), fc.integer({ min: -5, max: 200 })));
    const time = fc.oneof(fc.integer({ min: noonMs - 9e7, max: noonMs + 9e7 }), fc.double());
    const one = fc.record({
      label: fc.string({ unit: anyCharacter, maxLength: 40 }),
      isHighlighted: fc.boolean(),
      points: fc.array(fc.record({ timeMs: time, value }), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 16 }), (rows) => {
        const spec = fleet(rows);
        const svg = renderSvg(spec);
        expect(svg).not.toMatch(/="[^"]*(NaN|undefined|Infinity)/);
        // No cell has a negative width.
        expect(svg).not.toMatch(/<(path|rect)[^>]*(width="-|h-)/);
        expect(svgToPng(svg).width).toBe(720);
        expect(heatmapTakeaway(fleet(rows.map((each) => ({ ...each, label: 'x' }))))).not.toMatch(
          /NaN|undefined|Infinity/,
        );
      }),
      { numRuns: 25 },
    );
  });
});

describe("a heatmap's takeaway", () => {
  test('has the highest values with their times, and counts rows without data', () => {
    const rows = [row('VPS-1', [5, 97, 5]), row('VPS-2', [40, 30, 20]), row('VPS-3', [null, null])];
    expect(heatmapTakeaway(fleet(rows))).toBe(
      'CPU of 3 over 21 Nov 14:00 – 22 Nov 14:00, Europe/Berlin. Highest: VPS-1 97% on 21 Nov 15:00, VPS-2 40% on 21 Nov 14:00. No data for 1.',
    );
    expect(heatmapTakeaway(fleet([row('VPS-1', [])]))).toMatch(/Berlin\. No data\.$/);
    expect(heatmapTakeaway(fleet(many(40), { total: 500 }))).toMatch(/^CPU of the first 40 of 500 over/);
  });
});
