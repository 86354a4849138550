import { bytesPerSecondPerUnit } from '../../../hosting/payloads/quantity.ts';
import { minuteMs } from '../../../time/units.ts';
import { type Condition, isInBits, type MetricCondition } from './condition.ts';

const examples: Readonly<Record<MetricCondition['measure'], string>> = {
  cpu: 'For CPU, give a percentage, such as 90%',
  memory: 'For memory, give a percentage, such as 95%',
  disk: 'For disk, give a percentage, such as 85%',
  traffic: 'For traffic, give an amount per second, such as 50 MB/s or 400 Mbit/s',
};

/** 64 cores at 100% each, because some services count 100% for each core. */
const maxCpuPercent = 6_400;

export type ParseThresholdResult =
  | { readonly kind: 'valid'; readonly figure: number }
  | { readonly kind: 'invalid'; readonly problem: string };

/** Parses the threshold of a measure, in percent or in bytes per second. */
export function parseThreshold(
  { measure, is }: Pick<MetricCondition, 'measure' | 'is'>,
  written: string | undefined,
): ParseThresholdResult {
  const problem = examples[measure];
  const figure = written && (measure === 'traffic' ? parseRate(written) : parsePercent(written));
  if (figure === undefined || figure === '') return { kind: 'invalid', problem };
  if (figure <= 0) return { kind: 'invalid', problem: `The threshold must be more than 0. ${problem}` };
  const max = measure === 'cpu' ? maxCpuPercent : 100;
  if (measure !== 'traffic' && (figure > max || (measure !== 'cpu' && is === 'over' && figure === max)))
    return { kind: 'invalid', problem: `It can't exceed ${max}%. ${problem}` };
  return { kind: 'valid', figure };
}

function parsePercent(written: string): number | undefined {
  const [, number] = /^(\d{1,5}(?:[.,]\d{1,3})?)\s*(?:%|percent)?$/i.exec(written.trim()) ?? [];
  return number === undefined ? undefined : Number(number.replace(',', '.'));
}

const rate = /^(\d{1,12}(?:[.,]\d{1,3})?)\s*([a-z]+(?:\s*\/\s*s\w*)?)$/i;

function parseRate(written: string): number | undefined {
  const [, number, unit = ''] = rate.exec(written.trim()) ?? [];
  const factor = bytesPerSecondPerUnit(unit);
  return number === undefined || factor === undefined ? undefined : Number(number.replace(',', '.')) * factor;
}

const megabitBytes = 125_000;
const megabyteBytes = 2 ** 20;

/** Formats a threshold as people type it. */
export function toThresholdInput(watched: MetricCondition): string {
  const { measure, figure } = watched;
  if (measure !== 'traffic') return `${figure}%`;
  if (isInBits(watched)) return `${figure / megabitBytes} Mbit/s`;
  return `${Number((figure / megabyteBytes).toFixed(3))} MB/s`;
}

/** Formats the duration of a condition as people type it. */
export function toDurationInput({ forMs }: Pick<Condition, 'forMs'>): string {
  const isHours = forMs > 0 && forMs % (60 * minuteMs) === 0;
  if (isHours) return `${forMs / (60 * minuteMs)}h`;
  return forMs % minuteMs === 0 ? `${forMs / minuteMs}m` : `${forMs / 1_000}s`;
}
