import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fitsOneOf,
  fittingNone,
  patternsInShort,
  patternWords,
  vpsPatterns,
} from '../../../src/workspaces/rights/patterns.ts';

describe('several VPS', () => {
  test('are taken with spaces or commas between, each once', () => {
    expect(vpsPatterns.parse('vps-10001,VPS-10002, VPS-200* VPS-10001')).toBe('VPS-10001 VPS-10002 VPS-200*');
    expect(vpsPatterns.parse('VPS-10001 *')).toBe('*');
    expect(vpsPatterns.safeParse('VPS-10001, web-01').error?.issues[0]?.message).toContain('VPS-');
  });

  test('are those that fit one of them, and those that fit none are named', () => {
    const names = ['VPS-10001', 'VPS-20001', 'VPS-20002', 'VPS-30001'];
    expect(names.filter((name) => fitsOneOf('VPS-10001 VPS-200*', name))).toEqual(names.slice(0, 3));
    expect(fittingNone('VPS-10001 VPS-9* VPS-200*', names)).toEqual(['VPS-9*']);
    expect(fittingNone('*', [])).toEqual(['*']);
  });

  test('read well', () => {
    expect(patternWords('*')).toBe('all');
    expect(patternWords('VPS-10001 VPS-200*')).toBe('VPS-10001, VPS-200*');
    expect(patternsInShort('VPS-10001 VPS-200* VPS-3')).toBe('VPS-10001 and 2 more');
    expect(patternsInShort('*')).toBe('all VPS');
  });

  test('whatever is written is taken as it would be once more, or refused', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('VPS-1', 'vps-2*', '*', ',', ' '))),
        (words) => {
          const read = vpsPatterns.safeParse(words.join(' '));
          if (read.success) expect(vpsPatterns.parse(read.data)).toBe(read.data);
        },
      ),
    );
  });
});
