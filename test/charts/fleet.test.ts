import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawSvg } from '../../src/charts/drawing.ts';
import type { FleetRow, FleetSpec } from '../../src/charts/fleet-spec.ts';
import { fleetTakeaway } from '../../src/charts/fleet-takeaway.ts';
import { bands } from '../../src/charts/heat.ts';
import { drawPicture, toPng } from '../../src/charts/picture.ts';
import { hourMs, noonMs, points } from './specs.ts';

const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

function texts(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/gs)].map(([, text = '']) =>
    Object.entries(entities).reduce((read, [entity, char]) => read.replaceAll(entity, char), text),
  );
}

/** How many rectangles of a band's colour are drawn, without that of the legend. */
function cells(svg: string, band: number): number {
  return svg.split(`fill="${bands[band]?.color}"`).length - 2;
}

function row(label: string, values: readonly (number | null)[], standsOut = false): FleetRow {
  return { label, standsOut, points: points(values) };
}

function fleet(rows: readonly FleetRow[], changes: Partial<FleetSpec> = {}): FleetSpec {
  return {
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

describe('the picture of a fleet', () => {
  test('has names, highest figures, times in the zone and what its shades mean', () => {
    const svg = drawSvg(fleet([row('VPS-1', [...day(5).slice(1), 97], true), row('VPS-2', day(40))]));
    expect(texts(svg)).toEqual(
      expect.arrayContaining([
        ...[
          'Morning',
          '21 Nov 14:00 – 22 Nov 14:00, Europe/Berlin',
          'CPU',
          'max',
          'VPS-1',
          '97 %',
          'VPS-2',
          '40 %',
        ],
        ...['18:00', 'Sun 22', '06:00', '12:00', '0', '10', '25', '50', '75', '90', '100 %', 'no data'],
      ]),
    );
  });

  test('draws neighbours of one band as one, from light to dark', () => {
    const svg = drawSvg(
      fleet([row('VPS-1', [...day(5).slice(12), ...day(95).slice(12)]), row('VPS-2', day(30))]),
    );
    expect(bands.map((_, band) => cells(svg, band))).toEqual([1, 0, 1, 0, 0, 1]);
    const lightness = bands.map(({ color }) => {
      const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
        Number.parseInt(color.slice(at, at + 2), 16),
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    });
    expect(lightness).toEqual(lightness.toSorted((a, b) => b - a));
  });

  test('leaves out what is not known, and shows the gap', () => {
    const gaps = [...day(30).slice(16), ...day(null).slice(16), ...day(30).slice(16)];
    const svg = drawSvg(fleet([row('VPS-1', gaps)]));
    expect(cells(svg, 2)).toBe(2);
    const dotted = (drawn: string) => drawn.split('stroke-dasharray="1.5,2.5"').length - 1;
    expect(dotted(svg) - dotted(drawSvg(fleet([row('VPS-1', day(30))])))).toBe(1);
    expect(texts(drawSvg(fleet([row('VPS-1', [])])))).toContain('–');
    expect(texts(drawSvg(fleet([])))).toContain('no data');
  });

  test('names fourteen, and of more than those ten, with forty strips at most and a line that says so', () => {
    const named = (svg: string) => texts(svg).filter((text) => text.startsWith('VPS-')).length;
    const [few, more, most] = [14, 25, 60].map((count) => drawSvg(fleet(many(count))));
    expect([few, more, most].map((svg = '') => named(svg))).toEqual([14, 10, 10]);
    expect(texts(more ?? '')).toContain('next 15');
    expect(texts(most ?? '')).toEqual(expect.arrayContaining(['next 30', 'the 40 busiest of 60']));
    const fromMany = drawSvg(fleet(many(40), { total: 500 }));
    expect(texts(fromMany)).toContain('the 40 busiest of 500');
  });

  test('stays compact, whatever the size of the fleet', () => {
    const heights = [1, 12, 60, 500].map((count) => drawPicture(fleet(many(count))).height / 2);
    expect(Math.max(...heights)).toBeLessThanOrEqual(450);
  });

  test('keeps hostile names as words', () => {
    const elements = (svg: string) => svg.match(/<[a-z]+/gi)?.toSorted();
    const harmless = elements(drawSvg(fleet([row('VPS-1', day(5))])));
    for (const name of ['</text><script>', '<!channel>', '&lt;', `a"b'c`, '{a|b}', '<![CDATA[']) {
      const svg = drawSvg(fleet([row(name, day(5))], { title: name, measure: name }));
      expect(texts(svg)).toContain(name);
      expect(elements(svg)).toEqual(harmless);
    }
  });

  test('can be drawn whatever the names and the numbers are', () => {
    const value = fc.option(fc.oneof(fc.double(), fc.integer({ min: -5, max: 200 })));
    const time = fc.oneof(fc.integer({ min: noonMs - 9e7, max: noonMs + 9e7 }), fc.double());
    const one = fc.record({
      label: fc.string({ unit: 'binary', maxLength: 40 }),
      standsOut: fc.boolean(),
      points: fc.array(fc.record({ timeMs: time, value }), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 16 }), (rows) => {
        const spec = fleet(rows);
        const svg = drawSvg(spec);
        expect(svg).not.toMatch(/="[^"]*(NaN|undefined|Infinity)/);
        // No cell has a negative width.
        expect(svg).not.toMatch(/<(path|rect)[^>]*(width="-|h-)/);
        expect(toPng(svg).width).toBe(720);
        expect(fleetTakeaway(fleet(rows.map((each) => ({ ...each, label: 'x' }))))).not.toMatch(
          /NaN|undefined|Infinity/,
        );
      }),
      { numRuns: 25 },
    );
  });

  test('needs a period with a length, and a zone', () => {
    expect(() => drawSvg(fleet([], { untilMs: noonMs }))).toThrow('a period that has a length');
    expect(() => drawSvg(fleet([], { timeZone: 'Nowhere/Land' }))).toThrow('Nowhere/Land');
  });
});

describe('its takeaway', () => {
  test('tells the highest and when, and of how many there is nothing', () => {
    const rows = [row('VPS-1', [5, 97, 5]), row('VPS-2', [40, 30, 20]), row('VPS-3', [null, null])];
    expect(fleetTakeaway(fleet(rows))).toBe(
      'CPU of 3 over 21 Nov 14:00 – 22 Nov 14:00, Europe/Berlin. Highest: VPS-1 97 % on 21 Nov 15:00, VPS-2 40 % on 21 Nov 14:00. No data of 1.',
    );
    expect(fleetTakeaway(fleet([row('VPS-1', [])]))).toMatch(/Berlin\. No data\.$/);
    expect(fleetTakeaway(fleet(many(40), { total: 500 }))).toMatch(/^CPU of the 40 busiest of 500 over/);
  });
});
