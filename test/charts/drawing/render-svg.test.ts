import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LineChartSpec } from '../../../src/charts/chart-spec.ts';
import { svgToPng } from '../../../src/charts/drawing/render-image.ts';
import { renderSvg } from '../../../src/charts/drawing/render-svg.ts';
import { anyCharacter } from '../../arbitraries/any-character.ts';
import { hourMs, noonMs, panel, points, spec } from '../chart-specs.ts';

const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };

/** Returns the texts of an SVG. */
function texts(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/gs)].map(([, text = '']) =>
    Object.entries(entities).reduce((read, [entity, char]) => read.replaceAll(entity, char), text),
  );
}

/** Counts the elements of an SVG by kind. */
function elements(svg: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [, name = ''] of svg.matchAll(/<([a-z]+)/gi)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Returns the number of line pieces between gaps for each series. */
function pieces(svg: string): number[] {
  const lines = [...svg.matchAll(/<path d="([^"]*)" fill="none"[^>]*stroke-width="2"/g)];
  return lines.map(([, path = '']) => path.split('M').length - 1);
}

const named = (name: string): LineChartSpec =>
  spec({
    title: name,
    panels: [
      { label: name, unit: 'bytes', series: [1, 2].map(() => ({ label: name, points: points([1, 2]) })) },
    ],
  });

describe('a line chart', () => {
  test('has title, period in the zone, names and latest values as text', () => {
    const net = ['in', 'out'].map((label, index) => ({ label, points: points([0, (index + 1) * 1024]) }));
    const panels = [
      panel('CPU', [12, 93, 40]),
      { label: 'Network', unit: 'bytesPerSecond' as const, series: net },
    ];
    const svg = renderSvg(spec({ panels }));
    expect(texts(svg)).toEqual(
      expect.arrayContaining([
        'VPS-10001, last day',
        '21 Nov 14:00 – 16:00, Europe/Berlin',
        ...['CPU', 'last 40% · max 93%', '0%', '50%', '100%', '15:00'],
        ...['Network', 'last values', 'in', '1 KiB/s', 'out', '2 KiB/s'],
      ]),
    );
  });

  test('breaks the line at nulls, non-numbers and missing points', () => {
    const unbroken = renderSvg(spec({ panels: [panel('CPU', [1, 2, 3, 4, 5, 6])] }));
    const broken = renderSvg(spec({ panels: [panel('CPU', [1, 2, null, 4, 5, Number.NaN, 6, 7])] }));
    const late = points([6, 7], { fromMs: noonMs + 20 * hourMs });
    const series = [{ label: 'CPU', points: [...points([1, 2, 3, 4, 5]), ...late] }];
    const paused = renderSvg(spec({ panels: [{ label: 'CPU', unit: 'percent', series }] }));
    expect([unbroken, broken, paused].map((svg) => pieces(svg))).toEqual([[1], [3], [2]]);
  });

  test('says "no data" without data', () => {
    const series = [{ label: 'x', points: points([null, null]) }];
    for (const one of [[], [{ label: 'x', points: [] }], series]) {
      const svg = renderSvg(spec({ panels: [{ label: 'Disk', unit: 'bytes', series: one }] }));
      expect(texts(svg)).toEqual(expect.arrayContaining(['Disk', 'no data']));
    }
    expect(texts(renderSvg(spec({ panels: [] })))).toEqual(['VPS-10001, last day', 'no data']);
  });

  test('shows hostile names as text', () => {
    for (const name of ['</text><script>', '&lt;', `a"b'c`, '{a|b}', '<![CDATA[']) {
      const svg = renderSvg(named(name));
      expect(texts(svg).filter((text) => text === name).length).toBeGreaterThanOrEqual(2);
      expect(elements(svg)).toEqual(elements(renderSvg(named('harmless'))));
    }
  });

  test('can be drawn for any names and numbers', () => {
    const value = fc.option(fc.oneof(fc.double(), fc.integer({ min: -5, max: 200 })));
    const time = fc.oneof(fc.integer({ min: noonMs, max: noonMs + 9e8 }), fc.double(), fc.integer());
    const line = fc.array(fc.record({ timeMs: time, value }), { maxLength: 12 });
    const inherited = fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype));
    const name = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 40 }), inherited);
    const one = fc.record({
      label: name,
      unit: fc.constantFrom('percent', 'bytes', 'bytesPerSecond', 'number'),
      series: fc.array(fc.record({ label: name, points: line }), { maxLength: 3 }),
    });
    const any = fc.record({
      kind: fc.constant('line' as const),
      title: name,
      timeZone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu'),
      panels: fc.array(one, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(any, (drawn) => {
        const svg = renderSvg(drawn);
        expect(texts(svg).join(' ')).not.toMatch(/NaN|undefined|Infinity/);
        expect(svg).not.toMatch(/="[^"]*(NaN|undefined|Infinity)/);
        expect(svgToPng(svg).width).toBe(720);
      }),
      { numRuns: 25 },
    );
  });
});

describe('a PNG', () => {
  test('shows every text', () => {
    const svg = (inner: string) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30">${inner}</svg>`;
    const text = (weight: number) =>
      svg(`<text x="5" y="20" font-size="14" font-family="Inter" font-weight="${weight}">CPU 12%</text>`);
    const [none, regular, bold] = [svg(''), text(400), text(600)].map((one) =>
      Buffer.from(svgToPng(one).png),
    );
    expect(regular?.equals(none ?? Buffer.alloc(0))).toBe(false);
    expect(bold?.equals(regular ?? Buffer.alloc(0))).toBe(false);
  });
});
